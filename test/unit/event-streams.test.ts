import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { eventStream } from '../../src/server/event-streams.ts';

const textOf = (seq: number): string => `event: next\ndata: {"data":{"seq":${seq}}}\n\n`;

/** Results that the test gives, and what became of them. */
function source() {
  const given: number[] = [];
  const state = { taken: 0, isLeft: false, wake: () => undefined as void };
  async function* results() {
    try {
      for (;;) {
        while (given.length === 0) await new Promise<void>((resolve) => void (state.wake = resolve));
        state.taken += 1;
        yield { data: { seq: given.shift() } };
      }
    } finally {
      state.isLeft = true;
    }
  }
  const give = (...seqs: number[]): void => {
    given.push(...seqs);
    state.wake();
  };
  return { results: results(), give, state };
}

describe('a stream of events', () => {
  test('begins with a sign of life, and writes at once what is there at once', async () => {
    const { results, give, state } = source();
    const chunks: string[] = [];
    const stream = eventStream(results).on('data', (chunk) => chunks.push(String(chunk)));
    give(1, 2, 3);
    await until(() => chunks.length > 1);
    give(4);
    await until(() => chunks.length > 2);
    expect(chunks).toEqual([':\n\n', textOf(1) + textOf(2) + textOf(3), textOf(4)]);
    stream.destroy();
    give(5); // what it waits for ends first
    await until(() => state.isLeft);
  });

  test('takes no more than its reader, and loses nothing of it', async () => {
    const { results, give, state } = source();
    const stream = eventStream(results);
    const seqs = Array.from({ length: 5_000 }, (_, index) => index);
    give(...seqs);
    let before = -1;
    while (before !== state.taken) {
      before = state.taken;
      for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    }
    expect(state.taken).toBeLessThan(1_500);
    let text = '';
    stream.on('data', (chunk) => void (text += String(chunk)));
    await until(() => state.taken === seqs.length);
    await until(() => text.length >= seqs.map(textOf).join('').length);
    expect(text).toBe(`:\n\n${seqs.map(textOf).join('')}`);
    stream.destroy();
  });

  test('ends with its results, and breaks where they do', async () => {
    async function* two() {
      yield { data: { seq: 1 } };
    }
    expect(String(Buffer.concat(await eventStream(two()).toArray()))).toBe(
      `:\n\n${textOf(1)}event: complete\ndata:\n\n`,
    );
    // eslint-disable-next-line require-yield
    async function* broken(): AsyncGenerator<{ data: { seq: number } }> {
      throw new Error('the log is gone');
    }
    await expect(eventStream(broken()).toArray()).rejects.toThrow('the log is gone');
  });
});
