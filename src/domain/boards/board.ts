/**
 * A board: charts, tables and sentences of stored results, each kept as the read that makes it. Nothing on a board is a picture:
 * each viewer reads anew, with their own rights.
 */
import type { TurnError } from '../conversation/session.ts';
import type { Visibility } from '../members/sharing.ts';
import type { Freshness } from '../values/freshness.ts';
import type { TimeRange, TimeSpan } from '../values/time-range.ts';
import type { ChartSpec, JsonObject, TableSpec } from '../visuals.ts';

/** What of a read an item shows: its chart, its table, its sentences, or (ANSWER) these with its first chart, else its first table. */
export const BOARD_SHOWS = ['CHART', 'TABLE', 'WORDS', 'ANSWER'] as const;
export type BoardShow = (typeof BOARD_SHOWS)[number];

/** A read: a tool with its arguments, which name the chip. */
export type BoardQuery = { readonly tool: string; readonly arguments: JsonObject };

export type BoardItem = {
  readonly id: string;
  /** Null: the title of what the read makes. */
  readonly title: string | null;
  readonly query: BoardQuery;
  readonly show: BoardShow;
  /** Which of several charts or tables of the read, from 0. */
  readonly index: number;
  /** Columns of the board that it takes, 1 to 3. */
  readonly span: number;
};

export type Board = {
  readonly id: string;
  readonly projectId: string;
  /** Its owner. */
  readonly viewerId: string;
  readonly title: string;
  readonly visibility: Visibility;
  /** Of the link that opens it; null unless it is shared by link. */
  readonly shareKey: string | null;
  /** Starts at 1 and grows by one with each change. */
  readonly version: number;
  /** For all items that have times; null: each its own. */
  readonly range: TimeRange | null;
  readonly items: readonly BoardItem[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What an item shows at a moment: one of chart, table and words, words with one of the others for an ANSWER, or an error. */
export type BoardContent = {
  readonly title: string;
  readonly chart: ChartSpec | null;
  readonly table: TableSpec | null;
  readonly words: string | null;
  readonly freshness: Freshness | null;
  /** The times that were asked for in place of the item's own; null where the range does not apply. */
  readonly span: TimeSpan | null;
  readonly readAt: Date;
  readonly error: TurnError | null;
};

export const BOARD_LIMITS = {
  boardsPerProject: 200,
  itemsPerBoard: 24,
  titleCharacters: 120,
  argumentCharacters: 4_000,
  spans: 3,
  hours: 87_600,
} as const;
