/** A top-level piece of a Markdown text. */
export type MarkdownBlock = {
  /** UTF-16 code units of the text before it. */
  readonly offset: number;
  readonly text: string;
};

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
/** What a list item, or the indentation below one, may begin as while its line is still being written. */
const MAYBE_LIST = /^ *(?:[-*+]|\d{1,9}[.)]?)?$/;

/**
 * Cuts a Markdown text into pieces that can be rendered one by one. A piece that is not the last one never changes when
 * the text grows, so what is finished stays as it is on the page while more is written. Lists, fenced code and what is
 * indented below them stay whole.
 */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let start = 0;
  let fence: string | null = null;
  let isList = false;
  let isEmpty = true;
  let wasBlank = false;
  for (const { offset, line, isWhole } of linesOf(text)) {
    const isBlank = line.trim() === '';
    if (isBlank && fence === null) {
      wasBlank = !isEmpty;
      continue;
    }
    if (fence === null && wasBlank && !continues(line, isList, isWhole)) {
      blocks.push({ offset: start, text: text.slice(start, offset) });
      start = offset;
      isEmpty = true;
    }
    if (isEmpty) isList = LIST_ITEM.test(line);
    isEmpty = false;
    wasBlank = false;
    fence = fenceAfter(fence, line);
  }
  if (start < text.length) blocks.push({ offset: start, text: text.slice(start) });
  return blocks;
}

function continues(line: string, isList: boolean, isWhole: boolean): boolean {
  if (/^(?: {2}|\t)/.test(line)) return isList || /^(?: {4}|\t)/.test(line);
  return isList && (LIST_ITEM.test(line) || (!isWhole && MAYBE_LIST.test(line)));
}

function fenceAfter(fence: string | null, line: string): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (fence === null) return mark ?? null;
  const isClosing = mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
  return isClosing && line.trim() === mark ? null : fence;
}

function* linesOf(text: string) {
  for (let offset = 0; offset < text.length;) {
    const end = text.indexOf('\n', offset);
    const next = end === -1 ? text.length : end + 1;
    yield { offset, line: text.slice(offset, end === -1 ? next : end), isWhole: end !== -1 };
    offset = next;
  }
}

/**
 * A block that is still being written, with its open emphasis and code closed, so that marks do not show as text for a
 * moment and then jump into what they mean.
 */
export function withMarksClosed(text: string): string {
  if (FENCE.test(text)) return text;
  const words = text.replace(/(?:\*{1,2}|`)$/, '');
  if (count(words, '`') % 2 === 1) return `${words}\``;
  const prose = words.replaceAll(/`[^`]*`/g, '');
  return count(prose, '**') % 2 === 1 ? `${words.trimEnd()}**` : words;
}

const count = (text: string, mark: string): number => text.split(mark).length - 1;
