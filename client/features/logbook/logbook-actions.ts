import { captionOf, exportFigure } from '../../charts/plotly-figure.ts';
import { chartPartsOf } from '../../components/chart/chart-parts.ts';
import { loadPlotly } from '../../components/chart/load-plotly.ts';
import { isCards } from '../../charts/card.ts';
import { saveFile } from '../../lib/save-file.ts';
import { entryCard } from './entry-card.ts';
import { entryDocument } from './entry-document.ts';
import { entryMarkdown } from './entry-markdown.ts';
import { pictureSource } from './picture-source.ts';
import { fileNameOf, type Fact, type LogbookEntry } from './entry.ts';

const PICTURE = { widthPx: 1_080, heightPx: 620, scale: 2 };

/** An entry with what is known about it, and the words as the page shows them. */
export type Shown = {
  readonly entry: LogbookEntry;
  readonly facts: readonly Fact[];
  readonly words: Element | null;
};

export const copyMarkdown = ({ entry, facts }: Shown): Promise<void> =>
  copy({ 'text/plain': Promise.resolve(entryMarkdown(entry, facts)) });

/** Copies an entry with its pictures and tables, as text for programs that take no more. */
export const copyRich = ({ entry, facts, words }: Shown): Promise<void> =>
  copy({
    'text/html': picturesOf(entry)
      .then((pictures) => entryDocument(entry, facts, words, pictures))
      .then(({ body }) => body.innerHTML),
    'text/plain': Promise.resolve(entryMarkdown(entry, facts)),
  });

export async function saveCard({ entry, facts, words }: Shown, more: string): Promise<void> {
  const text = await entryDocument({ ...entry, exhibits: [] }, [], words, []);
  const [first] = (await picturesOf(entry)).filter((picture) => picture !== null);
  const card = await entryCard(entry, facts, wordsOf(text.body), first ?? null, more);
  saveFile(`${fileNameOf(entry.title)}.png`, card);
}

/** Prints an entry alone, from where a browser saves it as PDF as well. */
export async function printEntry({ entry, facts, words }: Shown): Promise<void> {
  const made = await entryDocument(entry, facts, words, await picturesOf(entry));
  const frame = document.createElement('iframe');
  frame.title = entry.title;
  frame.hidden = true;
  document.body.append(frame);
  const [page, view] = [frame.contentDocument, frame.contentWindow];
  if (page === null || view === null) return frame.remove();
  page.documentElement.lang = made.documentElement.lang;
  page.title = fileNameOf(entry.title);
  page.body.append(...[...made.body.childNodes].map((node) => page.importNode(node, true)));
  // A sheet made by a script of ours: the policy of the page allows no styles of others.
  const sheet = new (view as typeof globalThis & Window).CSSStyleSheet();
  sheet.replaceSync(PRINT_STYLE);
  page.adoptedStyleSheets = [sheet];
  await Promise.allSettled([...page.images].map((image) => image.decode()));
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}

const PRINT_STYLE = `
  @page { margin: 16mm }
  body { font: 11pt/1.45 system-ui, sans-serif; color: #000 }
  h1 { font-size: 16pt } h2 { font-size: 12pt; break-after: avoid }
  img { max-width: 100%; height: auto; break-inside: avoid }
  table { border-collapse: collapse; font-size: 9pt } th, td { border: 1px solid #999; padding: 2px 6px; text-align: left }
  tr { break-inside: avoid } pre { white-space: pre-wrap } li, td, p { overflow-wrap: anywhere }
`;

/** The words of a document, a paragraph or row each; items of lists have a dot. */
function wordsOf(body: Element): string {
  const blocks = [...body.querySelectorAll('p, li, h2, h3, h4, h5, h6, pre, tr')].filter(
    (block) => block.parentElement?.closest('li, p') === null || block.matches('li'),
  );
  return blocks
    .map((block) => {
      const cells = [...block.querySelectorAll('th, td')].map((cell) => cell.textContent.trim());
      const text = cells.length > 0 ? cells.join('   ') : block.textContent.trim();
      return block.matches('li') ? `• ${text}` : text;
    })
    .filter(Boolean)
    .join('\n');
}

/** The charts of an entry as pictures, on white; null for a table, a card, or a chart that cannot be drawn. */
async function picturesOf({ exhibits, chipId, freshness }: LogbookEntry): Promise<(string | null)[]> {
  const pictures: (string | null)[] = [];
  for (const { chart } of exhibits) {
    const parts = chart === null || isCards(chart.kind) ? null : chartPartsOf(chart);
    if (chart === null || parts === null) {
      pictures.push(null);
      continue;
    }
    const plotly = await loadPlotly();
    const { widthPx, heightPx, scale } = PICTURE;
    const caption = [captionOf(parts.layout), pictureSource(chipId, freshness)].filter(Boolean).join(' · ');
    const place = { title: chart.title, caption, theme: 'light' as const, widthPx, heightPx };
    const { sizePx, ...figure } = exportFigure(parts, place);
    pictures.push(await plotly.toImage(figure, { ...sizePx, scale, format: 'png' }));
  }
  return pictures;
}

/** Puts texts on the clipboard, also where the address is no secure one and browsers have no clipboard for scripts. */
async function copy(texts: Readonly<Record<string, Promise<string>>>): Promise<void> {
  if (typeof ClipboardItem !== 'undefined') {
    // Given as promises: some browsers allow it only in the moment of the click.
    const blobs = Object.entries(texts).map(
      ([type, text]) => [type, text.then((done) => new Blob([done], { type }))] as const,
    );
    const item = new ClipboardItem(Object.fromEntries<Promise<Blob>>(blobs));
    return navigator.clipboard.write([item]);
  }
  const done = await Promise.all(
    Object.entries(texts).map(async ([type, text]) => [type, await text] as const),
  );
  const onCopy = (event: ClipboardEvent): void => {
    for (const [type, text] of done) event.clipboardData?.setData(type, text);
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy, { once: true });
  // Deprecated, and the only way there.
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', onCopy);
  if (!isCopied) throw new Error('the browser did not copy');
}
