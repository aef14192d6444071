/** Messages between the bench and its process of WebSocket viewers. */
import { z } from 'zod';

const stream = z.object({ id: z.string(), variables: z.record(z.string(), z.unknown()) });

/** Connects `each` viewers to every stream of a server. The query has one field. */
export const watchCommand = z.object({
  type: z.literal('watch'),
  url: z.string(),
  query: z.string(),
  streams: z.array(stream),
  each: z.number(),
});
/** See {@link watchCommand}. */
export type WatchCommand = z.infer<typeof watchCommand>;

/** What the process answers: that all sockets are open, then how it ended. */
export const viewersReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({
    type: z.literal('ended'),
    receipts: z.array(
      z.object({ sessionId: z.string(), offset: z.number(), length: z.number(), atMs: z.number() }),
    ),
  }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
/** See {@link viewersReport}. */
export type ViewersReport = z.infer<typeof viewersReport>;
