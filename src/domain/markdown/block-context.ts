/** A line of Markdown, seen with the lines before it. It may be the beginning of a line that is still coming. */
export type BlockLine = {
  /** The content inside quote marks, list markers and indentation. */
  readonly content: string;
  /** Block quotes around it. */
  readonly quotes: number;
  /** Whether it begins an item of a list. */
  readonly isItem: boolean;
  /** Part of a code block or a block of math, or indented as deep as code is. */
  readonly isVerbatim: boolean;
};

/** The state that earlier lines leave for the next one. */
export type BlockContext = {
  /** Classifies a line without changing the state. */
  look(line: string): BlockLine;
  /** Classifies a complete line and advances. */
  next(line: string): BlockLine;
};

const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/u;
const ITEM = /(?:[-*+]|\d{1,9}[.)])[ \t]+/gu;
const FENCE = /^(?<marks>`{3,}(?=[^`]*$)|~{3,})/u;
/** Deeper indentation than this, within its list, makes code of a line. */
const MAX_INDENT = 3;
/** Characters of marks and blanks before an item; what is nested deeper counts as its content. */
const DEEPEST_ITEM = 400;

/** The context of the first line of a text. Knows what tables depend on: code, math, quotes and lists. */
export function createBlockContext(): BlockContext {
  let fence: { readonly marks: string; readonly quotes: number } | null = null;
  let isMath = false;
  let quotesBefore = 0;
  /** Columns at which the content of the open lists begins, outermost first. */
  let lists: readonly number[] = [];

  function look(line: string): BlockLine {
    const containers = CONTAINERS.exec(line)?.[0] ?? '';
    const content = line.slice(containers.length);
    const quotes = containers.split('>').length - 1;
    const indent = indentOf(containers);
    const list = lists.findLast((column) => column <= indent) ?? 0;
    return {
      content,
      quotes,
      isItem: containers.search(ITEM) >= 0,
      isVerbatim: isMath || (fence !== null && quotes >= fence.quotes) || indent - list > MAX_INDENT,
    };
  }

  return {
    look,
    next(line) {
      const seen = look(line);
      if (fence !== null && seen.quotes < fence.quotes) fence = null;
      if (fence !== null) {
        if (closes(seen.content, fence.marks)) fence = null;
        return seen;
      }
      if (seen.content.trim() === '') {
        isMath = false; // there are no empty lines in math, so its end was forgotten
        return seen;
      }
      const containers = line.slice(0, line.length - seen.content.length);
      lists = [
        ...(seen.quotes === quotesBefore ? lists : []).filter((column) => column <= indentOf(containers)),
        ...itemColumns(containers),
      ];
      quotesBefore = seen.quotes;
      const marks = isMath ? undefined : FENCE.exec(seen.content)?.groups?.['marks'];
      if (marks !== undefined) fence = { marks, quotes: seen.quotes };
      else isMath = endsInMath(seen.content, isMath);
      return seen;
    },
  };
}

/** The text after the last quote mark and its space. */
const insideQuotes = (containers: string): string => containers.replace(/^.*>[ \t]?/u, '');

const indentOf = (containers: string): number =>
  columnsOf(/^[ \t]*/u.exec(insideQuotes(containers))?.[0] ?? '');

function itemColumns(containers: string): readonly number[] {
  const inner = insideQuotes(containers).slice(0, DEEPEST_ITEM);
  return [...inner.matchAll(ITEM)].map(({ 0: item, index }) =>
    columnsOf(inner.slice(0, index + item.length)),
  );
}

const columnsOf = (space: string): number =>
  space.split('').reduce((column, char) => (char === '\t' ? column + 4 - (column % 4) : column + 1), 0);

/** A closing fence has as many of the same marks or more, and nothing else. */
const closes = (content: string, marks: string): boolean => {
  const text = content.trim();
  return text.startsWith(marks) && text === marks.charAt(0).repeat(text.length);
};

function endsInMath(content: string, isMath: boolean): boolean {
  const text = content.replace(/`[^`]{1,400}`/gu, '');
  const dollars = text.split('$$').length - 1;
  if (dollars > 0) return isMath !== (dollars % 2 === 1);
  const [opened, closed] = [text.search(/(?<!\\)\\\[/u), text.lastIndexOf('\\]')];
  return isMath ? closed < 0 : opened >= 0 && closed < opened;
}
