import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SessionEvent } from '../../src/domain/conversation/session-event.ts';
import { SessionTail } from '../../src/events/session-tail.ts';

/** Batches of events; some fill more than a page. */
const batches = fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 6 });
/** Where readers begin, as far as the log reaches by then. */
const cursors = fc.array(fc.nat(600), { minLength: 1, maxLength: 4 });

test('readers get every event once and in order, however commits, hints, queries and answers interleave', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      batches,
      cursors,
      fc.nat(300),
      async (scheduler, added, from, before) => {
        const turnOf = (what: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), what);
        let length = before; // the tail was told of 0, and nobody hints what came since
        const tail = new SessionTail(0, async (afterSeq, limit) => {
          await turnOf('query');
          const end = Math.max(afterSeq, Math.min(length, afterSeq + limit));
          await turnOf('answer');
          return range(afterSeq, end).map((seq) => ({ seq }) as SessionEvent);
        });
        const write = async (): Promise<void> => {
          for (const count of added) {
            await turnOf('commit');
            length += count;
            await turnOf('hint');
            tail.hint();
          }
        };
        const readers = from.map((cursor) => ({ cursor, seen: [] as number[] }));
        const read = async (reader: (typeof readers)[number]): Promise<void> => {
          await turnOf('reader');
          reader.cursor = Math.min(reader.cursor, length);
          for await (const { seq } of follow(tail, reader.cursor)) reader.seen.push(seq);
        };
        void Promise.all([write(), ...readers.map(read)]); // readers go on; they are looked at when nothing moves
        for (;;) {
          await setImmediate();
          if (scheduler.count() === 0) break;
          await scheduler.waitOne();
        }
        for (const { cursor, seen } of readers) expect(seen).toEqual(range(cursor, length));
        expect(await Promise.race([tail.readAfter(length), setImmediate('a query')])).toEqual([]);
      },
    ),
  ));

/** The numbers after `from`, up to `to`. */
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index + 1);

/** The event log's loop. */
async function* follow(tail: SessionTail, afterSeq: number) {
  const { signal } = new AbortController();
  for (let cursor = afterSeq; ;) {
    const { growths } = tail;
    const events = await tail.readAfter(cursor);
    for (const event of events) {
      yield event;
      cursor = event.seq;
    }
    if (events.length === 0) await tail.waitForGrowth(growths, signal);
  }
}
