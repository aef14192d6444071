/** What the items of a board show now, read with the rights of the viewer. */
import type { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import type { Board, BoardContent, BoardItem, BoardQuery } from '../../domain/boards/board.ts';
import type { TurnError, Viewer } from '../../domain/conversation/session.ts';
import type { Freshness } from '../../domain/values/freshness.ts';
import type { TimeRange, TimeSpan } from '../../domain/values/time-range.ts';
import type { Visual } from '../../domain/visuals.ts';
import { timeRange } from './board-input.ts';

/** What a read found. */
export type BoardResult = {
  readonly visuals: readonly Visual[];
  readonly words: string;
  readonly freshness: Freshness | null;
  /** As {@link BoardContent.span}. */
  readonly span: TimeSpan | null;
};

/** Reads that a board can hold; the tools of the copilot carry them out. */
export type BoardReads = {
  /** The query with a chip in its arguments, where it is about one. @throws InvalidInputError for a read that no board can hold */
  complete(viewer: Viewer, query: BoardQuery, chipId: string | null): Promise<BoardQuery>;
  /** What is wrong with the query, or gone, is an error in the result. */
  read(
    viewer: Viewer,
    query: BoardQuery,
    options: { readonly range: TimeRange | null; readonly signal: AbortSignal },
  ): Promise<BoardResult | { readonly error: TurnError }>;
};

export const createBoardContents = ({
  reads,
  now,
}: {
  readonly reads: BoardReads;
  readonly now: () => Date;
}) => ({
  /**
   * What an item shows; `withWords`: with the sentences of its read, for who sees no pictures. What is wrong with it is an error of its
   * own: other items do not suffer.
   */
  async content(
    viewer: Viewer,
    item: Pick<BoardItem, 'title' | 'query' | 'show' | 'index'>,
    options: { readonly range: TimeRange | null; readonly signal: AbortSignal; readonly withWords?: boolean },
  ): Promise<BoardContent> {
    const readAt = now();
    const empty = { chart: null, table: null, words: null, freshness: null, span: null, readAt, error: null };
    const result = await reads.read(viewer, item.query, options);
    if ('error' in result) return { ...empty, title: item.title ?? '', error: result.error };
    const { freshness, span, words } = result;
    return {
      ...empty,
      freshness,
      span,
      ...shownOf(item, result),
      ...(options.withWords === true && { words }),
    };
  },

  /** Checks times that somebody asks for. @throws InvalidInputError */
  rangeOf: (given: z.input<typeof timeRange> | null): TimeRange | null => {
    const parsed = timeRange.nullable().safeParse(given);
    if (parsed.success) return parsed.data;
    throw new InvalidInputError(
      parsed.error.issues.map(({ path, message }) => ({ path: ['range', ...path.map(String)], message })),
    );
  },

  /** An item of a board, by the id that it has there. */
  itemOf: ({ items }: Board, itemId: string): BoardItem | null =>
    items.find(({ id }) => id === itemId) ?? null,
});

/** The visual of an item; where the read has none of that kind now, its words, which say why. */
function shownOf(
  { title, show, index }: Pick<BoardItem, 'title' | 'show' | 'index'>,
  { visuals, words }: BoardResult,
): Pick<BoardContent, 'title'> & Partial<BoardContent> {
  if (show === 'ANSWER') {
    const first = visualOf(visuals, 'CHART', 0) ?? visualOf(visuals, 'TABLE', 0);
    return { title: title ?? first?.title ?? '', words, ...(first && { [first.type]: first }) };
  }
  const found = show === 'WORDS' ? undefined : visualOf(visuals, show, index);
  if (found === undefined) return { title: title ?? visuals[0]?.title ?? '', words };
  return { title: title ?? found.title, [found.type]: found };
}

/** The chart or table at a place among those of its kind; the last one where there are fewer now. */
const visualOf = (visuals: readonly Visual[], show: 'CHART' | 'TABLE', index: number): Visual | undefined => {
  const ofKind = visuals.filter(({ type }) => type === show.toLowerCase());
  return ofKind[index] ?? ofKind.at(-1);
};
