/** Cuts a plain text into sentences, list items and table rows, and links each to the one that it continues. */

/** A piece of text with one statement. Offsets are those of the text. */
export type Sentence = {
  readonly start: number;
  readonly end: number;
  readonly kind: 'prose' | 'item' | 'heading' | 'row';
  /** The sentence whose subject this one takes over when it names none; always an earlier one. */
  readonly leadIndex: number | null;
  /** Of a row: its cells, and the row that names their columns. */
  readonly cells: readonly { readonly start: number; readonly end: number }[];
  readonly headerIndex: number | null;
};

const SENTENCE_END = /[.!?](?=\s|$)|[。！？;]|\n/gu;
/** Full stops that end no sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|vs|approx|ca|no|fig|resp|avg|max|min|std)|a\.u)\.$/iu;
const ITEM = /^(\s*)[-–]\s+/u;
const DELIMITER_ROW = /^[\s|:-]+$/u;

type Line = { readonly start: number; readonly text: string };

/** All sentences of a text that `plainText` made, in order. */
export function findSentences(plain: string): readonly Sentence[] {
  const found: Sentence[] = [];
  const place = createPlaces(found);
  for (const { start, text } of linesOf(plain)) {
    const item = ITEM.exec(text);
    if (text.trim() === '') place.gap();
    else if (/^\s*\|.*\|\s*$/u.test(text)) place.row(start, text);
    else if (/^\s*#{1,6}\s/u.test(text)) place.heading(start, text);
    else if (item !== null) place.item(start, text, (item[1] ?? '').length);
    else place.prose(start, text);
  }
  return found;
}

function* linesOf(plain: string): Generator<Line> {
  let start = 0;
  for (const text of plain.split('\n')) {
    yield { start, text };
    start += text.length + 1;
  }
}

/** Knows what a next line would continue. */
function createPlaces(found: Sentence[]) {
  let heading: number | null = null;
  let paragraph: number | null = null;
  let header: number | null = null;
  let items: { readonly indent: number; readonly index: number }[] = [];
  let isOpen = false;
  const add = (sentence: Omit<Sentence, 'cells' | 'headerIndex'> & Partial<Sentence>): number =>
    found.push({ cells: [], headerIndex: null, ...sentence }) - 1;
  type Line = { readonly start: number; readonly text: string };
  const addAll = ({ start, text }: Line, kind: Sentence['kind'], first: number | null): number => {
    let leadIndex = first;
    let index = found.length;
    for (const [from, to] of piecesOf(text)) {
      index = add({ start: start + from, end: start + to, kind, leadIndex });
      leadIndex = index;
    }
    return index;
  };
  return {
    gap() {
      isOpen = false;
      header = null;
    },
    heading(start: number, text: string) {
      heading = add({ start, end: start + text.length, kind: 'heading', leadIndex: null });
      [paragraph, header, items, isOpen] = [null, null, [], false];
    },
    row(start: number, text: string) {
      if (DELIMITER_ROW.test(text)) return;
      const leadIndex = paragraph ?? heading;
      const index = add({
        start,
        end: start + text.length,
        kind: 'row',
        leadIndex,
        cells: cellsOf(start, text),
        headerIndex: header,
      });
      header ??= index;
    },
    item(start: number, text: string, indent: number) {
      items = items.filter((open) => open.indent < indent);
      const first = found.length;
      addAll({ start, text }, 'item', items.at(-1)?.index ?? paragraph ?? heading);
      items.push({ indent, index: first });
      [isOpen, header] = [false, null];
    },
    prose(start: number, text: string) {
      const isIndented = /^\s{2,}/u.test(text) && items.length > 0 && !isOpen;
      const leadIndex = isIndented ? (items.at(-1)?.index ?? null) : isOpen ? paragraph : heading;
      paragraph = addAll({ start, text }, 'prose', leadIndex);
      if (!isIndented) items = [];
      [isOpen, header] = [true, null];
    },
  };
}

/** Sentences of a line as offsets in it. */
function piecesOf(text: string): readonly (readonly [from: number, to: number])[] {
  const pieces: (readonly [number, number])[] = [];
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) {
    const to = index + mark.length;
    if (mark === '.' && ABBREVIATION.test(text.slice(from, to))) continue;
    pieces.push([from, to]);
    from = to;
  }
  if (text.slice(from).trim() !== '' || pieces.length === 0) pieces.push([from, text.length]);
  return pieces.flatMap(([start, end]) => [...shortPieces(text, start, end)]);
}

/** Longest sentence that is read as one; what each of its numbers costs grows with it. */
const MAX_SENTENCE = 800;

/** Cuts what is too long for a sentence between words. */
function* shortPieces(text: string, start: number, end: number): Generator<readonly [number, number]> {
  let from = start;
  while (end - from > MAX_SENTENCE) {
    const space = text.lastIndexOf(' ', from + MAX_SENTENCE);
    const to = space > from ? space : from + MAX_SENTENCE;
    yield [from, to];
    from = to;
  }
  yield [from, end];
}

function cellsOf(start: number, text: string) {
  const bars = [...text.matchAll(/\|/gu)].map(({ index }) => index);
  return bars
    .slice(0, -1)
    .map((bar, index) => ({ start: start + bar + 1, end: start + (bars[index + 1] ?? text.length) }));
}
