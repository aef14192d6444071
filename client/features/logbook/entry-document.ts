import { tableCells } from './entry-markdown.ts';
import type { Fact, LogbookEntry } from './entry.ts';

/** Elements that keep their meaning in another program; others leave what is in them. */
const KEPT = new Set(
  'P H1 H2 H3 H4 H5 H6 UL OL LI TABLE THEAD TBODY TR TH TD STRONG EM B I DEL CODE PRE BLOCKQUOTE BR HR SUB SUP'.split(
    ' ',
  ),
);
const DROPPED = 'button, svg, script, style, input, [aria-hidden="true"]';

/** A picture of a chart, by its place among the exhibits. */
export type EntryPictures = readonly (string | null)[];

/**
 * An entry as a document without scripts, styles or anything from elsewhere: it is built of elements and texts, so that no
 * text of it is ever read as HTML. `words`: as the page shows them.
 */
export async function entryDocument(
  entry: LogbookEntry,
  facts: readonly Fact[],
  words: Element | null,
  pictures: EntryPictures,
): Promise<Document> {
  const made = document.implementation.createHTMLDocument(entry.title);
  made.documentElement.lang = document.documentElement.lang;
  const add = (parent: Element, tag: string, text?: string): HTMLElement => {
    const element = parent.appendChild(made.createElement(tag));
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const { body } = made;
  add(body, 'h1', entry.title);
  const list = add(body, 'ul');
  for (const { label, value } of facts) {
    const item = add(list, 'li', `${label}: `);
    if (/^https?:\/\//u.test(value)) add(item, 'a', value).setAttribute('href', value);
    else item.append(value);
  }
  if (words !== null) for (const child of await copies(words, made)) body.append(child);
  for (const [index, { chart, table }] of entry.exhibits.entries()) {
    add(body, 'h2', chart?.title ?? table?.title ?? '');
    const picture = pictures[index] ?? null;
    if (picture !== null) {
      const image = add(body, 'p').appendChild(made.createElement('img'));
      image.setAttribute('src', picture);
      image.setAttribute('alt', chart?.title ?? '');
      image.setAttribute('width', '720');
    }
    if (table === null) continue;
    const element = add(body, 'table');
    element.setAttribute('border', '1');
    for (const [row, cells] of tableCells(table).entries()) {
      const line = add(element, 'tr');
      for (const cell of cells) add(line, row === 0 ? 'th' : 'td', cell);
    }
  }
  return made;
}

/** What is in an element, copied into another document. */
async function copies(from: Node, to: Document): Promise<readonly Node[]> {
  const made: Node[] = [];
  for (const child of from.childNodes) made.push(...(await copyOf(child, to)));
  return made;
}

async function copyOf(node: Node, to: Document): Promise<readonly Node[]> {
  if (node instanceof Text) return [to.createTextNode(node.data)];
  if (!(node instanceof Element) || node.matches(DROPPED)) return [];
  // A formula as it was written: what draws it here means nothing elsewhere.
  const formula = node.matches('.katex') ? node.querySelector('annotation')?.textContent : null;
  if (formula) return [to.createTextNode(`$${formula}$`)];
  if (node instanceof HTMLImageElement) return pictureOf(node, to);
  const inside = await copies(node, to);
  const isLink = node instanceof HTMLAnchorElement && /^(?:https?|mailto):/u.test(node.href);
  if (!isLink && !KEPT.has(node.tagName)) return inside;
  const element = to.createElement(node.tagName);
  if (isLink) element.setAttribute('href', node.href);
  element.append(...inside);
  return [element];
}

/** A picture of this server, taken along. */
async function pictureOf({ src, alt }: HTMLImageElement, to: Document): Promise<readonly Node[]> {
  const image = to.createElement('img');
  image.alt = alt;
  const data = new URL(src, location.href).origin === location.origin ? await dataUrl(src) : null;
  if (data === null) return [to.createTextNode(alt)];
  image.src = data;
  return [image];
}

async function dataUrl(address: string): Promise<string | null> {
  const answer = await fetch(address).catch(() => null);
  if (answer?.ok !== true) return null;
  const content = await answer.blob();
  if (!content.type.startsWith('image/')) return null;
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => resolve(null));
    reader.readAsDataURL(content);
  });
}
