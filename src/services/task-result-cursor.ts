import { z } from 'zod';
import { InvalidInputError } from '../errors.ts';
import type { TaskResultCursor } from '../stores/calibration-store.ts';

const content = z.tuple([
  z.union([z.object({ time: z.number() }), z.object({ text: z.string() }), z.null()]),
  z.string(),
]);

/** A cursor as text that clients pass back without looking into it. */
export function encodeTaskResultCursor({ startAt, taskId }: TaskResultCursor): string {
  const start =
    startAt === null ? null : startAt instanceof Date ? { time: startAt.getTime() } : { text: startAt };
  return Buffer.from(JSON.stringify([start, taskId])).toString('base64url');
}

/** @throws InvalidInputError for text that is no cursor of task results. */
export function decodeTaskResultCursor(cursor: string): TaskResultCursor {
  const parsed = content.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) {
    throw new InvalidInputError([
      { path: ['after'], message: 'is not a cursor of this list; use endCursor of an earlier page' },
    ]);
  }
  const [start, taskId] = parsed.data;
  return { taskId, startAt: start === null ? null : 'time' in start ? new Date(start.time) : start.text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
