import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { followLog, pauseMs, type LogSink } from '../../../client/lib/live/follow-log.ts';
import { until } from '@qpilot/test-support';

type Numbered = { readonly seq: number };

/** A server whose log has `length` events, with connections that the test tells what to do. */
function startLog(length: number) {
  const stop = new AbortController();
  const connections: { readonly afterSeq: number; readonly sink: LogSink<Numbered>; isOpen: boolean }[] = [];
  const seen: number[] = [];
  const statuses: string[] = [];
  const refusals: string[] = [];
  let wake = (): void => undefined;
  followLog<Numbered>({
    open: (afterSeq, sink) => {
      const connection = { afterSeq, sink, isOpen: true };
      connections.push(connection);
      return () => {
        connection.isOpen = false;
      };
    },
    afterSeq: 0,
    onEvent: ({ seq }) => seen.push(seq),
    onStatus: (status) => statuses.push(status),
    onRefused: (code) => refusals.push(code),
    watchWaking: (onWake) => {
      wake = onWake;
      return () => {
        wake = () => undefined;
      };
    },
    signal: stop.signal,
    random: () => 0,
  });
  const newest = () => connections.at(-1)!;
  return {
    connections,
    seen,
    statuses,
    refusals,
    newest,
    wake: () => wake(),
    stop: () => stop.abort(),
    /** Sends what follows the newest connection's cursor, up to `count` events. */
    send(count: number) {
      const { afterSeq, sink } = newest();
      for (let seq = afterSeq + 1; seq <= Math.min(length, afterSeq + count); seq += 1) sink.event({ seq });
    },
    nextConnection: (count: number) => until(() => connections.length > count),
  };
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

describe('following a log', () => {
  test('hands on each event once and in order, wherever connections drop, repeat or leave something out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ count: fc.nat(6), fault: fc.constantFrom('drop', 'repeat', 'hole', 'late') })),
        (steps) => {
          const log = startLog(20);
          for (const { count, fault } of steps) {
            const { sink } = log.newest();
            log.send(count);
            if (fault === 'repeat') log.send(count);
            if (fault === 'hole') sink.event({ seq: log.seen.length + 2 });
            if (fault === 'drop') sink.dropped();
            log.wake(); // in the place of the pause
            if (fault === 'late') sink.event({ seq: log.seen.length + 1 });
          }
          log.send(20);
          expect(log.seen).toEqual(range(20));
          expect(log.connections.filter(({ isOpen }) => isOpen)).toHaveLength(1);
          log.stop();
        },
      ),
    );
  });

  test('says how it stands, and comes back by itself after a drop', async () => {
    const log = startLog(3);
    log.newest().sink.opened();
    log.send(2);
    log.newest().sink.dropped();
    expect(log.statuses).toEqual(['connecting', 'live', 'reconnecting']);
    await log.nextConnection(1);
    expect(log.newest().afterSeq).toBe(2);
    log.newest().sink.opened();
    expect(log.statuses.at(-1)).toBe('live');
    log.stop();
  });

  test('ends when it is stopped, also while it waits', () => {
    const log = startLog(3);
    log.newest().sink.dropped();
    log.stop();
    log.wake();
    expect(log.connections.map(({ isOpen }) => isOpen)).toEqual([false]);
    log.newest().sink.event({ seq: 1 });
    expect(log.seen).toEqual([]);
  });

  test('is over when the server refuses, and says why once', () => {
    const log = startLog(3);
    const { sink } = log.newest();
    sink.refused('CURSOR_AHEAD');
    sink.refused('CURSOR_AHEAD');
    sink.dropped();
    log.wake();
    expect(log.refusals).toEqual(['CURSOR_AHEAD']);
    expect(log.statuses.at(-1)).toBe('ended');
    expect(log.connections).toHaveLength(1);
    log.stop();
  });

  test('pauses grow from a moment to ten seconds and are spread', () => {
    const longest = range(12).map((attempt) => pauseMs(attempt, 1));
    expect(longest).toEqual(longest.toSorted((a, b) => a - b));
    expect(pauseMs(0, 1)).toBeLessThan(200);
    expect(pauseMs(99, 1)).toBe(10_000);
    expect(pauseMs(99, 0)).toBe(5_000);
  });
});
