import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SessionEvent } from '../../src/domain/conversation/session-event.ts';
import { SessionTail } from '../../src/events/session-tail.ts';

/** Batches of events: of this process, or of another one with or without the end of the log. Some fill more than a page. */
const batches = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 250 }), by: fc.constantFrom('us', 'others', 'unknown') }),
  { maxLength: 6 },
);
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
        let length = before; // the tail begins at 0, and nobody hints what came since
        const tail = new SessionTail(0, async (afterSeq, limit) => {
          await turnOf('query');
          const end = Math.max(afterSeq, Math.min(length, afterSeq + limit));
          await turnOf('answer');
          return eventsOf(afterSeq, end);
        });
        const write = async (): Promise<void> => {
          for (const { count, by } of added) {
            await turnOf('commit');
            const from = length;
            length += count;
            await turnOf('hint');
            if (by === 'us') tail.feed(eventsOf(from, from + count));
            tail.hint(by === 'unknown' ? undefined : from + count);
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

test('a reader that waits already is woken by events that the read of another one brings', async () => {
  let length = 0;
  const answers: (() => void)[] = [];
  const tail = new SessionTail(0, async (afterSeq) => {
    const events = eventsOf(afterSeq, length);
    await new Promise<void>((resolve) => answers.push(resolve));
    return events;
  });
  const { signal } = new AbortController();
  const { growths } = tail;
  const first = tail.readAfter(0);
  await setImmediate();
  const second = tail.readAfter(0); // its read begins after the first one
  answers.shift()?.();
  expect(await first).toEqual([]);
  const waiting = tail.waitForGrowth(growths, signal);
  length = 3;
  await setImmediate();
  answers.shift()?.();
  expect((await second).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  tail.hint(3); // suppressed: this process knows those
  expect(await Promise.race([waiting, setImmediate('still waits')])).toBeUndefined();
});

test('events that are fed while the log is read need no further read', async () => {
  let reads = 0;
  let answer: (() => void) | undefined;
  const tail = new SessionTail(0, async () => {
    reads += 1;
    await new Promise<void>((resolve) => (answer = resolve));
    return [];
  });
  const first = tail.readAfter(0);
  await setImmediate();
  tail.feed(eventsOf(0, 1));
  answer?.();
  expect((await first).map(({ seq }) => seq)).toEqual([1]);
  tail.hint(1); // nothing new
  expect(await Promise.race([tail.readAfter(1), setImmediate('a read')])).toEqual([]);
  tail.hint(); // another process may have written
  const second = tail.readAfter(1);
  for (let seq = 1; seq < 10; seq += 1) tail.feed(eventsOf(seq, seq + 1));
  await setImmediate();
  answer?.();
  expect((await second).map(({ seq }) => seq)).toEqual(range(1, 10));
  expect(await Promise.race([tail.readAfter(10), setImmediate('a read')])).toEqual([]);
  expect(reads).toBe(2);
});

const eventsOf = (from: number, to: number): SessionEvent[] =>
  range(from, to).map((seq) => ({ seq }) as SessionEvent);

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
