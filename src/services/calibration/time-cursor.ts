import { z } from 'zod';
import type { TimeCursor } from '../../stores/calibration-store.ts';
import { decodeCursor, encodeCursor } from '../page-cursor.ts';

const position = z.tuple([
  z.union([z.object({ time: z.number() }), z.object({ text: z.string() }), z.null()]),
  z.string(),
]);

/** Encodes a position in a list ordered by time as opaque text. */
export function encodeTimeCursor({ at, id }: TimeCursor): string {
  return encodeCursor([at === null ? null : at instanceof Date ? { time: at.getTime() } : { text: at }, id]);
}

/** Decodes a cursor; null without one. @throws InvalidInputError for text that is not a cursor of such a list. */
export function decodeTimeCursor(cursor: string | null | undefined): TimeCursor | null {
  const decoded = decodeCursor(cursor, position);
  if (decoded === null) return null;
  const [at, id] = decoded;
  return { id, at: at === null ? null : 'time' in at ? new Date(at.time) : at.text };
}
