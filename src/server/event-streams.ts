import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OperationContext } from './operation-context.ts';

/** How often a stream without events says that it is there. */
const PING_MS = 12_000;
const PING = ':\n\n';
const END = 'event: complete\ndata:\n\n';
/** Beyond this, no event is taken until the client has read. */
const MOST_UNREAD_BYTES = 16_384;

const HEADERS = {
  'content-type': 'text/event-stream',
  connection: 'keep-alive',
  'cache-control': 'no-cache',
  'content-encoding': 'none',
};

type Result = ExecutionResult & { readonly stringify?: (result: ExecutionResult) => string };

/**
 * Server-sent events in the format of yoga's own processor, which it replaces for subscriptions: what is there
 * at the same moment is one chunk, without the web stream in which yoga has two chunks for each event.
 */
export function useEventStreams(): Plugin<OperationContext> {
  return {
    onResultProcess(hook) {
      const { result, resultProcessor } = hook;
      if (resultProcessor === undefined || !isStream(result)) return;
      hook.setResultProcessor(
        (_result, { Response }) =>
          new Response(eventStream(result) as unknown as BodyInit, { headers: HEADERS }),
        'text/event-stream',
      );
    },
  };
}

const isStream = (result: object): result is AsyncIterable<Result> => Symbol.asyncIterator in result;

/** The results as text, until they end or the stream is destroyed; takes no more of them than are read. */
export function eventStream(results: AsyncIterable<Result>): Readable {
  const iterator = results[Symbol.asyncIterator]();
  let isTaking = false;
  let text = '';
  let flush: NodeJS.Immediate | null = null;
  let hasRoom = true;

  const stream = new Readable({
    highWaterMark: MOST_UNREAD_BYTES,
    read() {
      hasRoom = true;
      if (!isTaking) void take();
    },
    destroy(error, done) {
      clearInterval(ping);
      clearImmediate(flush ?? undefined);
      iterator.return?.().catch(() => undefined); // its own reader has left
      done(error);
    },
  });
  const write = (): void => {
    flush = null;
    if (stream.destroyed) return;
    hasRoom = stream.push(text);
    text = '';
  };
  const take = async (): Promise<void> => {
    isTaking = true;
    try {
      while (hasRoom && text.length < MOST_UNREAD_BYTES && !stream.destroyed) {
        const next: IteratorResult<Result, unknown> = await iterator.next();
        text += next.done ? END : eventOf(next.value);
        if (next.done) return end();
        flush ??= setImmediate(write);
      }
    } catch (error) {
      stream.destroy(error as Error);
    } finally {
      isTaking = false;
    }
  };
  const end = (): void => {
    clearImmediate(flush ?? undefined);
    write();
    stream.push(null);
  };
  const ping = setInterval(() => text === '' && stream.readableLength === 0 && stream.push(PING), PING_MS);
  ping.unref();
  stream.push(PING); // some browsers wait for a first byte
  return stream;
}

const eventOf = ({ stringify = JSON.stringify, ...result }: Result): string =>
  `event: next\ndata: ${stringify(result)}\n\n`;
