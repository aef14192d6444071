import { describe, expect, test } from '@jest/globals';
import { ModelError, type Model, type ModelEvent } from '../../../src/agent/model.ts';
import { createCircuitBreaker } from '../../../src/agent/models/shared/circuit-breaker.ts';
import { collect } from '../../support/adapters.ts';
import { runTurn } from '../../support/agent-run.ts';
import { createScriptedModel, say } from '../../support/scripted-model.ts';
import { fakeWaiting } from '../../support/waiting.ts';

const down = new ModelError('OVERLOADED', 'gpt is overloaded', { retryable: true });

/** A model that fails while told to, and counts its requests. */
function fragile() {
  let failure: ModelError | null = down;
  let requests = 0;
  const inner: Model = {
    name: 'gpt',
    provider: 'test',
    async *stream(): AsyncGenerator<ModelEvent> {
      requests += 1;
      if (failure !== null) throw failure;
      yield* say('Fine.');
      yield { type: 'finished', reason: 'stop', usage: null, items: [] };
    },
  };
  return { inner, fail: (error: ModelError | null) => (failure = error), requests: () => requests };
}

function breaker() {
  let now = 0;
  const { inner, ...rest } = fragile();
  const { guard, rest: resting } = createCircuitBreaker('OpenAI', () => now);
  const model = guard(inner);
  const codes = async (times: number) => {
    const seen: (string | null)[] = [];
    for (let at = 0; at < times; at += 1) seen.push((await collect(model)).error?.code ?? null);
    return seen;
  };
  return { ...rest, model, resting, codes, pass: (ms: number) => (now += ms) };
}

describe('A provider that keeps failing', () => {
  test('is left alone after five failures in a row, and says why and for how long', async () => {
    const { codes, requests, resting, model } = breaker();
    expect(await codes(7)).toEqual([...Array.from({ length: 5 }, () => 'OVERLOADED'), 'RESTING', 'RESTING']);
    expect(requests()).toBe(5);
    expect(resting()).toEqual({ msLeft: 15_000, reason: 'gpt is overloaded' });
    const { error } = await collect(model);
    expect(error).toMatchObject({ pauseMs: 15_000, retryable: true });
    expect(error?.message).toBe('OpenAI failed 5 times in a row; it is asked again in 15 s');
  });

  test('is probed once after its rest, and asked by all when that went well', async () => {
    const { codes, requests, resting, pass, fail, model } = breaker();
    await codes(5);
    pass(15_000);
    fail(null);
    const probe = model.stream({ ...plain }, new AbortController().signal)[Symbol.asyncIterator]();
    await probe.next();
    expect(await codes(1)).toEqual(['RESTING']);
    expect(requests()).toBe(6);
    for (;;) if ((await probe.next()).done === true) break;
    expect(resting()).toBeNull();
    expect(await codes(2)).toEqual([null, null]);
  });

  test('rests twice as long after a probe that failed', async () => {
    const { codes, requests, resting, pass } = breaker();
    await codes(5);
    pass(15_000);
    expect(await codes(2)).toEqual(['OVERLOADED', 'RESTING']);
    expect(resting()?.msLeft).toBe(30_000);
    expect(requests()).toBe(6);
  });

  test('a probe that was given up leaves room for another one', async () => {
    const { codes, pass, fail, model } = breaker();
    await codes(5);
    pass(15_000);
    fail(null);
    const probe = model.stream({ ...plain }, new AbortController().signal)[Symbol.asyncIterator]();
    await probe.next();
    await probe.return?.(undefined);
    expect(await codes(1)).toEqual([null]);
  });

  test.each(['AUTH', 'QUOTA', 'RATE_LIMITED', 'BAD_CALL', 'FILTERED'] as const)(
    '%s is no failure of the provider, and ends a row of them',
    async (code) => {
      const { codes, fail, resting } = breaker();
      await codes(4);
      fail(new ModelError(code, 'no', { retryable: false }));
      await codes(6);
      fail(down);
      await codes(4);
      expect(resting()).toBeNull();
    },
  );
});

const plain = { instructions: '', input: [], tools: [], toolChoice: 'none', sessionId: 's' } as const;

describe('Turns whose provider rests', () => {
  test('ask the fallback at once, without a request', async () => {
    const { model, requests, resting } = breaker();
    const turn = () => {
      const { waiting, waits } = fakeWaiting();
      const fallback = createScriptedModel([say('From the other.')], 'spare');
      return runTurn(model, [], { fallback, waiting }).then(({ text }) => ({ text, waits: waits.length }));
    };
    const turns = [await turn(), await turn(), await turn(), await turn()];
    expect(turns.map(({ text }) => text)).toEqual(Array.from({ length: 4 }, () => 'From the other.'));
    expect(turns.map(({ waits }) => waits)).toEqual([2, 2, 0, 0]);
    expect(requests()).toBe(5);
    expect(resting()).not.toBeNull();
  });

  test('without a fallback wait for its end, say so, and go on when it answers', async () => {
    const { model, codes, fail, pass } = breaker();
    await codes(5);
    fail(null);
    const { waiting, waits } = fakeWaiting();
    const { text, activities } = await runTurn(model, [], {
      waiting: {
        ...waiting,
        pause: (ms, signal) => {
          pass(ms);
          return waiting.pause(ms, signal);
        },
      },
    });
    expect(text).toBe('Fine.');
    expect(waits).toEqual([16_875]);
    expect(activities).toContainEqual({
      type: 'status',
      phase: 'WAITING',
      text: 'gpt has failed several times in a row; asking again in 17 s',
    });
  });
});
