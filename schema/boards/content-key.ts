/** Keys of charts and tables on boards: what is read again to have them. */
import { z } from 'zod';
import { type TimeRange, TIME_RANGE_KINDS } from '../../src/domain/values/time-range.ts';
import type { ChartContext } from '../context.ts';
import type { KeyedChart, KeyedTable } from '../refs.ts';

const BOARD = 'board?';
const time = z.coerce.date().nullable();
const keyParts = z.object({
  boardId: z.string(),
  itemId: z.string(),
  range: z
    .object({ kind: z.enum(TIME_RANGE_KINDS), hours: z.number().nullable(), from: time, to: time })
    .nullable(),
});

export type ContentPlace = {
  readonly boardId: string;
  readonly itemId: string;
  readonly range: TimeRange | null;
};

/** Key of what an item shows in a range. */
export const contentKey = (place: ContentPlace): string => BOARD + JSON.stringify(place);

export const isContentKey = (key: string): boolean => key.startsWith(BOARD);

/** An item by the key of its content, with what it shows; null where it is gone. */
export async function boardContent(key: string, { loaders, services, viewer, signal }: ChartContext) {
  const place = keyParts.safeParse(parsed(key.slice(BOARD.length)));
  const board = place.success ? await loaders.board.load(place.data.boardId) : null;
  const item = place.success && board ? services.boards.itemOf(board, place.data.itemId) : null;
  if (item === null) return null;
  const content = await services.boards.content(viewer, item, { range: place.data?.range ?? null, signal });
  return { item, content };
}

/** The chart of an item; null where it shows none, or is gone. */
export async function boardChart(key: string, context: ChartContext): Promise<KeyedChart | null> {
  const found = await boardContent(key, context);
  return found?.content.chart ? { key, callId: null, spec: found.content.chart } : null;
}

/** As {@link boardChart}, for a table. */
export async function boardTable(key: string, context: ChartContext): Promise<KeyedTable | null> {
  const found = await boardContent(key, context);
  return found?.content.table ? { key, callId: null, spec: found.content.table } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
