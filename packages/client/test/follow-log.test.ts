import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { until } from '@qpilot/test-support';
import {
  CursorAheadError,
  NotQPilotError,
  RefusedError,
  TryLaterError,
  UnreachableError,
} from '../src/errors.ts';
import { followLog, pauseMs, type FollowOptions, type LogSink } from '../src/follow-log.ts';

type Numbered = { readonly seq: number };
type Connection = {
  readonly afterSeq: number;
  readonly sink: LogSink<Numbered>;
  isOpen: boolean;
  /** How it was closed; null while it is open. */
  isDead: boolean | null;
};

/** A log whose connections the test tells what to do; `reads` false leaves reading to the test. */
function startLog({
  check = async () => {},
  reads = true,
  ...options
}: FollowOptions & {
  readonly check?: (signal?: AbortSignal) => Promise<void>;
  readonly reads?: boolean;
} = {}) {
  const stop = new AbortController();
  const connections: Connection[] = [];
  const seen: number[] = [];
  const statuses: string[] = [];
  let wake = (): void => undefined;
  const events = followLog<Numbered>(
    {
      open: (afterSeq, sink) => {
        const connection: Connection = { afterSeq, sink, isOpen: true, isDead: null };
        connections.push(connection);
        return (isDead) => {
          connection.isOpen = false;
          connection.isDead = isDead;
        };
      },
      check,
      name: 'the server',
      random: () => 0,
    },
    {
      onStatus: (status) => statuses.push(status),
      watchWaking: (onWake) => {
        wake = onWake;
        return () => {
          wake = () => undefined;
        };
      },
      signal: stop.signal,
      ...options,
    },
  );
  const readAll = async (): Promise<unknown> => {
    try {
      for await (const { seq } of events) seen.push(seq);
      return 'done';
    } catch (error) {
      return error;
    }
  };
  const ended = reads ? readAll() : Promise.resolve('not read');
  const newest = () => connections.at(-1)!;
  return {
    events,
    connections,
    seen,
    statuses,
    ended,
    newest,
    wake: () => wake(),
    stop: () => stop.abort(),
    /** Sends `count` events after the newest connection's cursor, of a log of `length`. */
    send(count: number, length = Infinity) {
      const { afterSeq, sink } = newest();
      for (let seq = afterSeq + 1; seq <= Math.min(length, afterSeq + count); seq += 1) sink.event({ seq });
    },
    nextConnection: (count: number) => until(() => connections.length > count),
  };
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

/** Lets what was sent be read. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('following a log', () => {
  test('hands on each event once and in order, wherever connections drop, repeat or leave something out', async () => {
    const step = fc.record({
      count: fc.nat(6),
      fault: fc.constantFrom('none', 'drop', 'repeat', 'hole', 'late'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        const log = startLog();
        for (const { count, fault } of steps) {
          const before = log.connections.length;
          const { sink } = log.newest();
          log.send(count, 20);
          if (fault === 'repeat') log.send(count, 20);
          await settled();
          if (fault === 'hole') sink.event({ seq: log.seen.length + 2 });
          if (fault === 'drop') sink.dropped();
          log.wake(); // in the place of the pause
          await log.nextConnection(before);
          if (fault === 'late') sink.event({ seq: log.seen.length + 1 });
        }
        log.send(20, 20);
        await until(() => log.seen.length >= 20);
        expect(log.seen).toEqual(range(20));
        expect(log.connections.filter(({ isOpen }) => isOpen)).toHaveLength(1);
        log.stop();
        expect(await log.ended).toBe('done');
      }),
    );
  });

  test('says how it stands, and comes back by itself after a drop', async () => {
    const log = startLog();
    log.newest().sink.opened();
    log.send(2);
    await until(() => log.seen.length === 2);
    log.newest().sink.dropped();
    await log.nextConnection(1);
    expect(log.statuses).toEqual(['connecting', 'live', 'reconnecting']);
    expect(log.newest().afterSeq).toBe(2);
    log.newest().sink.opened();
    expect(log.statuses.at(-1)).toBe('live');
    log.stop();
  });

  test('ends without an error when it is stopped, also while it waits, and hands on nothing more', async () => {
    const log = startLog();
    log.newest().sink.dropped();
    log.stop();
    log.wake();
    expect(await log.ended).toBe('done');
    expect(log.connections.map(({ isOpen }) => isOpen)).toEqual([false]);
    log.newest().sink.event({ seq: 1 });
    expect(log.seen).toEqual([]);
  });

  test('opens nothing for a signal that has fired', async () => {
    const log = startLog({ signal: AbortSignal.abort() });
    expect(await log.ended).toBe('done');
    expect({ connections: log.connections, statuses: log.statuses }).toEqual({
      connections: [],
      statuses: [],
    });
  });

  test('closes its connection when its reader leaves the loop', async () => {
    const log = startLog({ reads: false });
    const first = log.events.next();
    log.send(3);
    expect(await first).toEqual({ done: false, value: { seq: 1 } });
    await log.events.return();
    expect(log.connections.map(({ isOpen }) => isOpen)).toEqual([false]);
  });

  test('is over when the server refuses, and says why', async () => {
    const log = startLog();
    const refusal = new CursorAheadError('CURSOR_AHEAD', 'the log has 3 events');
    const { sink } = log.newest();
    sink.refused(refusal);
    sink.dropped();
    log.wake();
    expect(await log.ended).toBe(refusal);
    expect(log.statuses.at(-1)).toBe('ended');
    expect(log.connections).toHaveLength(1);
  });

  test('hands on what came before a refusal', async () => {
    const log = startLog();
    log.send(2);
    log.newest().sink.refused(new CursorAheadError('CURSOR_AHEAD', ''));
    await log.ended;
    expect(log.seen).toEqual([1, 2]);
  });

  test('asks again as late as a busy server wants', async () => {
    const log = startLog();
    const askedAt = performance.now();
    log.newest().sink.refused(new TryLaterError('STORE_AWAY', 'away', { retryAfterMs: 400 }));
    await log.nextConnection(1);
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(400);
    log.stop();
  });

  test('keeps at most a thousand events for a slow reader, and reads the others again', async () => {
    const log = startLog({ reads: false });
    const first = log.events.next();
    log.send(5_000, 5_000);
    await first;
    expect(log.connections.map(({ isOpen }) => isOpen)).toEqual([false]);
    const seen = [1];
    while (seen.length < 5_000) {
      const next = log.events.next();
      await settled();
      if (log.newest().isOpen && log.newest().afterSeq === seen.length) log.send(5_000, 5_000);
      seen.push((await next).value!.seq);
    }
    expect(seen).toEqual(range(5_000));
    expect(log.connections.map(({ afterSeq }) => afterSeq)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    expect(log.statuses).not.toContain('reconnecting');
    await log.events.return();
  });

  test('gives up a server that stays away for longer than it is to wait', async () => {
    const log = startLog({ patienceMs: 300 });
    let known = 0;
    while (log.statuses.at(-1) !== 'ended') {
      if (log.connections.length > known) {
        known = log.connections.length;
        log.newest().sink.dropped();
      }
      await settled();
    }
    expect(await log.ended).toEqual(new UnreachableError('no connection to the server for 0 s'));
    expect(known).toBeGreaterThan(1);
  });

  test('counts the time that a server was away anew each time', async () => {
    const log = startLog({ patienceMs: 300 });
    for (let round = 1; round <= 8; round += 1) {
      log.newest().sink.opened();
      log.newest().sink.dropped();
      log.wake();
      await log.nextConnection(round);
    }
    log.stop();
    expect(await log.ended).toBe('done');
  });

  test.each<[string, () => Promise<void>, number]>([
    ['fails at once where no connection opens and the address is wrong', () => Promise.reject(WRONG), 1],
    ['tries again where the server is only away', () => Promise.reject(new UnreachableError('away')), 2],
    ['tries again where the server has too much to do', () => Promise.reject(BUSY), 2],
    ['tries again where the server runs only operations that it knows', () => Promise.reject(UNKNOWN), 2],
    ['tries again where the server answers otherwise', () => Promise.resolve(), 2],
  ])('%s', async (_name, check, attempts) => {
    const log = startLog({ check });
    log.newest().sink.dropped();
    if (attempts === 1) expect(await log.ended).toBe(WRONG);
    else await log.nextConnection(1);
    expect(log.connections).toHaveLength(attempts);
    log.stop();
  });

  test('never gives up where its patience has no end, whatever answers meanwhile', async () => {
    const log = startLog({ patienceMs: Infinity, check: () => Promise.reject(WRONG) });
    log.newest().sink.dropped();
    await log.nextConnection(1);
    expect(log.statuses).toEqual(['connecting', 'reconnecting']);
    log.stop();
  });

  test('is over at once when it is stopped while it asks why nothing opens', async () => {
    let isAsked = false;
    const check = (signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        isAsked = true;
        signal?.addEventListener('abort', () => reject(new Error('left')));
      });
    const log = startLog({ check });
    log.newest().sink.dropped();
    await until(() => isAsked);
    log.stop();
    expect(await log.ended).toBe('done');
  });

  test('gives a connection up as dead only where the page may have slept', async () => {
    const log = startLog();
    log.wake();
    await log.nextConnection(1);
    log.stop();
    await log.ended;
    expect(log.connections.map(({ isDead }) => isDead)).toEqual([true, false]);
  });

  test('pauses grow from a moment to ten seconds and are spread', () => {
    const longest = range(12).map((attempt) => pauseMs(attempt, 1));
    expect(longest).toEqual(longest.toSorted((a, b) => a - b));
    expect(pauseMs(0, 1)).toBeLessThan(200);
    expect(pauseMs(99, 1)).toBe(10_000);
    expect(pauseMs(99, 0)).toBe(5_000);
  });
});

const WRONG: Error = new NotQPilotError('something else');
const BUSY: Error = new TryLaterError('RATE_LIMITED', 'too much', {});
const UNKNOWN: Error = new RefusedError('PERSISTED_QUERY_NOT_FOUND', 'unknown');
