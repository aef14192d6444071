import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { openTurnTime } from '../../src/agent/loop/turn-time.ts';

const LAST_ANSWER_MS = 100_000;

/** The time of a turn, by a clock that the test sets. */
function turnTime(turnTimeoutMs: number) {
  let now = 0;
  const limits = { turnTimeoutMs, turnCeilingMs: 1_000_000, lastAnswerMs: LAST_ANSWER_MS };
  const time = openTurnTime(limits, new AbortController().signal, () => now);
  return { time, at: (ms: number) => (now = ms) };
}

test('before its silence a turn has the rest of it and the last answer', () => {
  const { time, at } = turnTime(60_000);
  at(20_000);
  expect(time.msLeft()).toBe(40_000 + LAST_ANSWER_MS);
  time.progress();
  expect(time.msLeft()).toBe(60_000 + LAST_ANSWER_MS);
  time.close();
});

test('behind its silence a turn has the last answer only, whatever progress the model makes', async () => {
  const { time, at } = turnTime(1);
  at(60_000);
  await once(time.toolSignal, 'abort');
  at(70_000);
  expect(time.msLeft()).toBe(LAST_ANSWER_MS - 10_000);
  time.progress();
  expect(time.msLeft()).toBe(LAST_ANSWER_MS);
  time.close();
});

test('while it is held a turn has all of its time, however long that lasts and however many hold it', async () => {
  const { time, at } = turnTime(20);
  const [one, two] = [time.hold(), time.hold()];
  at(2_000_000);
  one();
  one();
  time.progress();
  // Another turn, which nobody holds, is up by then.
  const other = turnTime(40);
  await once(other.time.toolSignal, 'abort');
  other.time.close();
  expect(time.isUp).toBe(false);
  two();
  expect(time.msLeft()).toBe(20 + LAST_ANSWER_MS);
  await once(time.toolSignal, 'abort');
  expect(time.isUp).toBe(true);
  time.hold()();
  time.close();
});
