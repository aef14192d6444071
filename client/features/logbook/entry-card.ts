import { tableCells } from './entry-markdown.ts';
import type { Fact, LogbookEntry } from './entry.ts';

const WIDTH = 1200;
const MARGIN = 48;
const INNER = WIDTH - 2 * MARGIN;
const FONT = 'system-ui, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif';
const MOST_LINES = 26;
const MOST_ROWS = 12;
/** Drawn at twice its size, so that it stays sharp on paper. */
const SCALE = 2;

type Line = { readonly text: string; readonly font: string; readonly color: string; readonly height: number };

const INK = '#1a1b1e';
const DIM = '#5c6370';

/** An entry as a picture: title, facts, words as far as they fit, and the first chart or table. */
export async function entryCard(
  entry: LogbookEntry,
  facts: readonly Fact[],
  words: string,
  picture: string | null,
  more: string,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('this browser draws no pictures');
  const linesOf = (text: string, size: number, weight: number, color: string, most: number): Line[] => {
    const font = `${weight} ${size}px ${FONT}`;
    pen.font = font;
    const all = text
      .split('\n')
      .flatMap((each) => wrapped(each, (piece) => pen.measureText(piece).width <= INNER));
    const shown = all.length > most ? [...all.slice(0, most), more] : all;
    return shown.map((line) => ({ text: line, font, color, height: Math.round(size * 1.45) }));
  };
  const table = picture === null ? tableLines(entry) : '';
  const lines = [
    ...linesOf(entry.title, 30, 650, INK, 4),
    ...facts.flatMap(({ label, value }) => linesOf(`${label}: ${value}`, 17, 400, DIM, 3)),
    { text: '', font: '', color: INK, height: 20 },
    ...linesOf(words, 20, 400, INK, MOST_LINES),
    ...(table === '' ? [] : linesOf(`\n${table}`, 17, 400, INK, MOST_ROWS + 2)),
  ];
  const image = picture === null ? null : await loaded(picture);
  const imageHeight = image === null ? 0 : Math.round((image.naturalHeight / image.naturalWidth) * INNER);
  const height =
    2 * MARGIN + lines.reduce((sum, line) => sum + line.height, 0) + imageHeight + (image ? 24 : 0);
  canvas.width = WIDTH * SCALE;
  canvas.height = height * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, WIDTH, height);
  pen.textBaseline = 'top';
  let top = MARGIN;
  for (const line of lines) {
    pen.font = line.font;
    pen.fillStyle = line.color;
    pen.fillText(line.text, MARGIN, top);
    top += line.height;
  }
  if (image !== null) pen.drawImage(image, MARGIN, top + 24, INNER, imageHeight);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))),
      'image/png',
    ),
  );
}

/** The first rows of the first table, a line each. */
function tableLines({ exhibits }: LogbookEntry): string {
  const table = exhibits.find((exhibit) => exhibit.table !== null)?.table ?? null;
  if (table === null) return '';
  const lines = tableCells(table).map((cells) => cells.join('   '));
  return [table.title, ...lines].slice(0, MOST_ROWS + 2).join('\n');
}

/** What a line may end behind: a word with the spaces behind it, or a character of a script without spaces. */
const PIECES =
  /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff][、。，．）」』】ーっゃゅょ]*|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+\s*|\s+/gu;

/** A text in lines that fit; a word that is longer than a line is broken anywhere. */
function wrapped(text: string, fits: (piece: string) => boolean): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(PIECES) ?? []) {
    for (const part of fits(piece.trimEnd()) ? [piece] : Array.from(piece)) {
      if (line !== '' && !fits((line + part).trimEnd())) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += part;
    }
  }
  return [...lines, line.trimEnd()];
}

async function loaded(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}
