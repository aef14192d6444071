/**
 * Takes tables out of Markdown while it streams. A table is a header and a delimiter row with as many cells
 * (GFM; outer bars are optional), and the rows behind them; nothing else is touched. A line is held back only
 * while it may still turn out to belong to a table, which its first characters decide, so the output does not
 * depend on how the text is cut. Independent of turns and models.
 */
import { createBlockContext, type BlockContext, type BlockLine } from './block-context.ts';
import { brokenDelimiterCells, cellsOf, delimiterCells, type Cells } from './cells.ts';

export type TableStripper = {
  push(text: string): string;
  /** Ends the text; returns what was still held back. */
  end(): string;
  /** Tables taken out so far. */
  readonly stripped: number;
};

/**
 * The first bar of a row is within this many characters of its content; text without one there is not held
 * back.
 */
const FIRST_BAR_WITHIN = 40;
const MAX_ROW_LENGTH = 4_000;
const CAPTION = /^[\s*_#]{0,6}(?:table|tab\.|表)\s{0,2}\d{0,3}[\s*_]{0,4}[:.：]/iu;
const MAY_BE_DELIMITER = /^[\s>|:-]*$/u;

/** `unknown`: more of the line must come; `maybe`: it is held until its end; `no`: it belongs to no table. */
type Guess = 'unknown' | 'maybe' | 'no';

type Header = { readonly cells: Cells; readonly quotes: number; readonly isSpaced: boolean };

type HeldLine = { readonly text: string; readonly seen: BlockLine };

type Stripping = {
  readonly context: BlockContext;
  /** Asked when a line begins; a table whose header began before is kept. */
  readonly strips: () => boolean;
  out: string;
  stripped: number;
  /** The line that is coming, and whether its beginning has left already. */
  line: string;
  isFlowing: boolean;
  isHeld: boolean;
  isStripping: boolean;
  /** Complete lines held back: a caption, an empty line behind it, a header. */
  held: readonly HeldLine[];
  /** The last of the held lines, if it may be the header of a table. */
  header: Header | null;
  /** The table of which rows are expected. */
  table: Header | null;
  /** Whether a table was taken out and no other line has left since. */
  isGap: boolean;
  /** Whether what has left ends with an empty line, or nothing has. */
  endsEmpty: boolean;
};

/** @param strips asked whenever a line begins: whether a table that begins there is to go. */
export function createTableStripper(strips: () => boolean = () => true): TableStripper {
  const state: Stripping = {
    context: createBlockContext(),
    strips,
    out: '',
    stripped: 0,
    line: '',
    isFlowing: false,
    isHeld: false,
    isStripping: false,
    held: [],
    header: null,
    table: null,
    isGap: false,
    endsEmpty: true,
  };
  const take = (): string => {
    const { out } = state;
    state.out = '';
    return out;
  };
  return {
    push(text) {
      const [first = '', ...others] = text.split('\n');
      addToLine(state, first);
      for (const part of others) {
        endLine(state, '\n');
        addToLine(state, part);
      }
      return take();
    },
    end() {
      if (state.line !== '') endLine(state, '');
      release(state);
      return take();
    },
    get stripped() {
      return state.stripped;
    },
  };
}

/** All tables of a text at once. */
export function stripTables(text: string): { readonly text: string; readonly stripped: number } {
  const stripper = createTableStripper();
  const left = stripper.push(text) + stripper.end();
  return { text: left, stripped: stripper.stripped };
}

function addToLine(state: Stripping, part: string): void {
  if (part === '') return;
  if (state.line === '') {
    state.isStripping = state.table !== null || state.held.length > 0 || state.strips();
  }
  state.line += part;
  if (state.isFlowing) state.out += part;
  if (state.isFlowing || state.isHeld) return;
  const guess = guessOf(state);
  state.isHeld = guess === 'maybe';
  if (guess !== 'no') return;
  state.isFlowing = true;
  leaveTable(state);
  release(state);
  closeGap(state, state.context.look(state.line));
  state.out += state.line;
}

/** By the first characters alone: more of them must never change `maybe` or `no`. */
function guessOf({ context, line: whole, isStripping, header }: Stripping): Guess {
  if (!isStripping) return 'no';
  const line = whole.slice(0, MAX_ROW_LENGTH);
  // What is blank, or dashes, for longer than any real row is none; to look on would take the square of its length.
  const open: Guess = line.length < whole.length ? 'no' : 'unknown';
  if (header !== null && MAY_BE_DELIMITER.test(line)) return open;
  const { content, isVerbatim } = context.look(line);
  if (content === '') return open;
  if (isVerbatim) return 'no';
  const start = content.slice(0, FIRST_BAR_WITHIN);
  if (start.includes('|') || CAPTION.test(start)) return 'maybe';
  return content.length < FIRST_BAR_WITHIN ? open : 'no';
}

function endLine(state: Stripping, eol: '\n' | ''): void {
  const { line, isFlowing } = state;
  const seen = state.context.next(line);
  if (isFlowing) {
    state.out += eol;
    state.endsEmpty = isEmpty(seen);
  } else {
    settle(state, `${line}${eol}`, seen);
  }
  state.line = '';
  state.isFlowing = false;
  state.isHeld = false;
}

/** Decides over a complete line of which nothing has left yet. */
function settle(state: Stripping, text: string, seen: BlockLine): void {
  const isLast = !text.endsWith('\n');
  if (state.table !== null && isRow(seen, state.table, isLast)) return;
  leaveTable(state);
  if (state.header !== null) {
    if (isDelimiter(seen, state.header, isLast)) {
      state.table = state.header;
      state.header = null;
      state.held = [];
      state.stripped += 1;
      return;
    }
    release(state);
  }
  const header = state.isStripping ? headerOf(seen) : null;
  const followsCaption = state.held.length === 1 && isEmpty(seen);
  if (header === null && !followsCaption) release(state);
  const isHeld = header !== null || followsCaption || (state.isStripping && CAPTION.test(seen.content));
  if (!isHeld) {
    send(state, text, seen);
    return;
  }
  state.header = header;
  state.held = [...state.held, { text, seen }];
}

/** A line that may have cells: not a heading, and not longer than any real row. */
const mayHaveCells = (content: string): boolean =>
  content.slice(0, FIRST_BAR_WITHIN).includes('|') &&
  content.length <= MAX_ROW_LENGTH &&
  !/^#{1,6}\s/u.test(content);

/** Bars set apart from words, as in a written table but not in |S21|. */
const isSpaced = (content: string): boolean => /^\|\s|\s\|\s/u.test(content);

const isEmpty = ({ content }: BlockLine): boolean => content.trim() === '';

/** A line that a delimiter row would make the header of a table. */
function headerOf({ content, isVerbatim, quotes }: BlockLine): Header | null {
  if (isVerbatim || !mayHaveCells(content)) return null;
  const cells = cellsOf(content);
  return cells && { cells, quotes, isSpaced: isSpaced(content) };
}

function isDelimiter(seen: BlockLine, header: Header, isLast: boolean): boolean {
  if (seen.isItem || seen.isVerbatim || seen.quotes !== header.quotes) return false;
  if (delimiterCells(seen.content)?.count === header.cells.count) return true;
  const broken = isLast ? brokenDelimiterCells(seen.content) : null;
  return broken !== null && broken.count <= header.cells.count;
}

/**
 * GFM takes every line up to an empty one for a row. A line that only begins or ends with a bar, such as prose about
 * |S21|, is not a row: a row has the cells of its table, or bars set apart from its words.
 */
function isRow({ content, isItem, isVerbatim, quotes }: BlockLine, table: Header, isLast: boolean): boolean {
  if (isItem || isVerbatim || quotes !== table.quotes || !mayHaveCells(content)) return false;
  const cells = cellsOf(content);
  if (cells === null) return false;
  const isCutOff = isLast && (!table.isSpaced || content.trim() === '|');
  if (cells.leads && (isSpaced(content) || isCutOff)) return true;
  return cells.count === table.cells.count && (isSpaced(content) || cells.trails === table.cells.trails);
}

function leaveTable(state: Stripping): void {
  if (state.table === null) return;
  state.table = null;
  state.isGap = true;
}

/** Emits what was held back for a table that did not come. */
function release(state: Stripping): void {
  const { held } = state;
  state.held = [];
  state.header = null;
  for (const { text, seen } of held) send(state, text, seen);
}

function send(state: Stripping, text: string, seen: BlockLine): void {
  if (state.isGap && isEmpty(seen)) return;
  closeGap(state, seen);
  state.out += text;
  state.endsEmpty = isEmpty(seen);
}

/** Leaves one empty line where the table was, except in a list or at the beginning. */
function closeGap(state: Stripping, seen: BlockLine): void {
  if (state.isGap && !state.endsEmpty && !seen.isItem) state.out += `${'>'.repeat(seen.quotes)}\n`;
  state.isGap = false;
}
