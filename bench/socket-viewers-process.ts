/**
 * Viewers over WebSocket, in a process of their own so that their work is not counted as the server's. Started by
 * `socket-viewers.ts`; takes commands from its parent and ends with it.
 */
import { inspect } from 'node:util';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { z } from 'zod';
import { nowMs } from './cpu.ts';
import { watchCommand } from './viewer-messages.ts';
import type { ViewersReport, WatchCommand } from './viewer-messages.ts';
import type { Receipt } from './viewers.ts';

/** The only field of a result, whatever it is called. */
const result = z.record(z.string(), z.unknown()).transform((fields) => Object.values(fields)[0]);
const event = z.object({
  text: z.string().optional(),
  offset: z.number().optional(),
  status: z.string().optional(),
});

process.on('message', (message) => {
  watchAll(watchCommand.parse(message)).then(report, (error: unknown) =>
    report({ type: 'failed', message: String(error) }),
  );
});

function report(message: ViewersReport): void {
  process.send?.(message);
}

async function watchAll(command: WatchCommand): Promise<ViewersReport> {
  const viewers = command.streams.flatMap((stream) =>
    Array.from({ length: command.each }, (_, index) => openViewer(command, stream, index === 0)),
  );
  await Promise.all(viewers.map(({ connected }) => connected));
  report({ type: 'connected' });
  const receipts = await Promise.all(viewers.map(({ ended }) => ended));
  return { type: 'ended', receipts: receipts.flat() };
}

/** A viewer with a socket of its own, until its turn has ended or its stream is complete. */
function openViewer(
  { url, query }: WatchCommand,
  { id, variables }: WatchCommand['streams'][number],
  isFirst: boolean,
): { readonly connected: Promise<void>; readonly ended: Promise<Receipt[]> } {
  const connected = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Receipt[]>();
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: connected.reject,
    on: { connected: () => connected.resolve() },
  });
  const receipts: Receipt[] = [];
  let expected = 0;
  const end = (error?: unknown): void => {
    if (error === undefined) ended.resolve(receipts);
    else ended.reject(error instanceof Error ? error : new Error(inspect(error)));
    void client.dispose();
  };
  client.subscribe(
    { query, variables },
    {
      next({ data, errors }) {
        const atMs = nowMs();
        if (errors) return end(errors);
        const { text, offset, status } = event.parse(result.parse(data));
        if (text !== undefined && offset !== undefined) {
          if (offset !== expected) return end(new Error(`text is missing at ${expected} in stream ${id}`));
          expected += text.length;
          if (isFirst) receipts.push({ sessionId: id, offset, length: text.length, atMs });
        } else if (status !== undefined) end();
      },
      error: end,
      complete: () => end(),
    },
  );
  return { connected: connected.promise, ended: ended.promise };
}
