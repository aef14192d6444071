import { describe, expect, test } from '@jest/globals';
import { RETRY_TABLE, realWaiting, waitBeforeRetry } from '../../src/agent/loop/retry-policy.ts';
import { runLoop } from '../../src/agent/loop/loop.ts';
import { ModelError, type ModelErrorCode } from '../../src/agent/model.ts';
import { loopOptions, ofType, runTurn } from '../support/agent-run.ts';
import { createScriptedModel, say, type ScriptedStep } from '../support/scripted-model.ts';
import { fakeWaiting } from '../support/waiting.ts';

const BOUNDS = { stepTries: 3, hasFallback: false, msLeft: 240_000 };
const CODES = Object.keys(RETRY_TABLE) as ModelErrorCode[];
const fault = (code: ModelErrorCode, pauseMs: number | null = null) =>
  new ModelError(code, `scripted fails with ${code}`, { retryable: true, pauseMs });

/** All waits before a lasting fault ends the turn. */
function waitsOf(code: ModelErrorCode, bounds = BOUNDS, random = 0.5): number[] {
  const waits: number[] = [];
  for (;;) {
    const wait = waitBeforeRetry(fault(code), waits.length + 1, bounds, () => random);
    if (wait === null) return waits;
    waits.push(wait);
  }
}

describe('The retry policy', () => {
  test('says for every fault how often and when the same model is asked again', () => {
    expect(Object.fromEntries(CODES.map((code) => [code, waitsOf(code)]))).toEqual({
      OVERLOADED: [750, 1_500, 3_000, 6_000],
      RATE_LIMITED: [750, 1_500, 3_000, 6_000],
      UNAVAILABLE: [750, 1_500, 3_000],
      RESTING: [1_500, 3_000, 6_000],
      BROKEN_STREAM: [0, 750],
      BAD_CALL: [0, 0],
      CUT_CALL: [0],
      EMPTY: [0],
      QUOTA: [],
      AUTH: [],
      FILTERED: [],
      BAD_REQUEST: [],
      NO_TOOLS: [],
      CONTEXT_TOO_LARGE: [],
      PROTOCOL: [],
    });
  });

  test('spreads waits by chance, and never below half of them or below what is asked for', () => {
    expect(waitsOf('OVERLOADED', BOUNDS, 0)).toEqual([500, 1_000, 2_000, 4_000]);
    expect(waitsOf('OVERLOADED', BOUNDS, 1)).toEqual([1_000, 2_000, 4_000, 8_000]);
    const asked = [0, 1].map((at) => waitBeforeRetry(fault('RATE_LIMITED', 20_000), 1, BOUNDS, () => at));
    expect(asked).toEqual([20_000, 25_000]);
  });

  test('waits at most a minute, at most ten seconds with a fallback, and never beyond the end of the turn', () => {
    const wait = (pauseMs: number, more: Partial<typeof BOUNDS> = {}) =>
      waitBeforeRetry(fault('RATE_LIMITED', pauseMs), 1, { ...BOUNDS, ...more }, () => 0);
    expect([wait(60_000), wait(60_001)]).toEqual([60_000, null]);
    expect([wait(10_000, { hasFallback: true }), wait(10_001, { hasFallback: true })]).toEqual([
      10_000,
      null,
    ]);
    expect([wait(30_000, { msLeft: 30_001 }), wait(30_000, { msLeft: 30_000 })]).toEqual([30_000, null]);
  });

  test('asks a fallback after at most three tries, and at once where the provider rests', () => {
    const bounds = { ...BOUNDS, hasFallback: true };
    const tries = Object.fromEntries(CODES.map((code) => [code, waitsOf(code, bounds).length + 1]));
    expect(Math.max(...Object.values(tries))).toBe(3);
    expect(tries['RESTING']).toBe(1);
  });
});

describe('A turn that waits for its model', () => {
  const steps = (code: ModelErrorCode, times: number): ScriptedStep[] =>
    Array.from({ length: times }, () => [...say('Half'), fault(code)]);

  test('tells it, takes back what was said, and shows the answer once', async () => {
    const { waiting, waits } = fakeWaiting();
    const model = createScriptedModel([...steps('OVERLOADED', 2), say('Whole.')]);
    const { text, activities, outcome } = await runTurn(model, [], { waiting });
    expect([text, outcome.status, waits]).toEqual(['Whole.', 'COMPLETED', [750, 1_500]]);
    const told = activities.flatMap((each) =>
      each.type === 'status' && each.phase === 'WAITING'
        ? each.text
        : each.type === 'reset'
          ? each.reason
          : [],
    );
    const words = [
      'scripted is overloaded; asking again in 1 s',
      'scripted is overloaded; asking again in 2 s',
    ];
    expect(told).toEqual([words[0], words[0], words[1], words[1]]);
  });

  test('ends with the fault, not with a wait, where the time does not reach', async () => {
    const { waiting, clock, waits } = fakeWaiting();
    const model = createScriptedModel(Array.from({ length: 5 }, () => [fault('RATE_LIMITED', 50_000)]));
    const { outcome } = await runTurn(model, [], {
      waiting,
      clock,
      limits: { turnTimeoutMs: 60_000, turnCeilingMs: 600_000, lastAnswerMs: 60_000 },
    });
    expect(waits).toEqual([56_250, 56_250]);
    expect(outcome).toMatchObject({
      status: 'FAILED',
      error: { code: 'MODEL_RATE_LIMITED', retryable: true },
    });
  });

  test('stops waiting with the turn', async () => {
    const stop = new AbortController();
    const model = createScriptedModel([[fault('RATE_LIMITED', 50_000)]]);
    const options = loopOptions(model, [], {
      signal: stop.signal,
      waiting: realWaiting,
      emit: (activity) => {
        if (activity.type === 'status' && activity.phase === 'WAITING') stop.abort(new Error('enough'));
      },
    });
    await expect(runLoop(options)).rejects.toThrow('enough');
    expect(model.requests).toHaveLength(1);
  });

  test('asks the fallback for a whole answer, however much was shown', async () => {
    const { waiting } = fakeWaiting();
    const fallback = createScriptedModel([say('From the other.')], 'spare');
    const model = createScriptedModel(steps('OVERLOADED', 3));
    const { text, activities } = await runTurn(model, [], { fallback, waiting });
    expect(text).toBe('From the other.');
    expect(ofType(activities, 'reset').map(({ reason }) => reason)).toEqual([
      'scripted is overloaded; asking again in 1 s',
      'scripted is overloaded; asking again in 2 s',
      'scripted fails with OVERLOADED; spare is asked instead',
    ]);
  });
});

describe('A response that its provider paused', () => {
  const paused = (items: readonly unknown[]) =>
    ({ type: 'finished', reason: 'paused', usage: USAGE, items }) as const;
  const USAGE = { inputTokens: 10, outputTokens: 2, cachedTokens: 1 };

  test('is continued from its own items, and counted in all', async () => {
    const model = createScriptedModel([
      [...say('The T1 is'), paused(['a'])],
      [...say(' 52 µs.'), { type: 'finished', reason: 'stop', usage: USAGE, items: ['b'] }],
    ]);
    const { text, outcome, activities } = await runTurn(model, []);
    expect(text).toBe('The T1 is 52 µs.');
    expect(model.requests[1]!.input.at(-1)).toEqual({
      type: 'round',
      provider: 'scripted',
      items: ['a'],
      text: 'The T1 is',
      calls: [],
    });
    expect(outcome.usage).toMatchObject({ inputTokens: 20, outputTokens: 4, cachedTokens: 2 });
    expect(ofType(activities, 'reset')).toEqual([]);
  });

  test('that breaks while it is continued begins anew', async () => {
    const model = createScriptedModel([
      [...say('The T1'), paused(['a'])],
      [...say(' is'), fault('BROKEN_STREAM')],
      say('The T1 is 52 µs.'),
    ]);
    const { text } = await runTurn(model, []);
    expect(text).toBe('The T1 is 52 µs.');
    expect(model.requests[2]).toEqual(model.requests[0]);
  });

  test('again and again is cut off in the end, and says so', async () => {
    const model = createScriptedModel(Array.from({ length: 6 }, () => [...say('T'), paused([])]));
    const { text, outcome } = await runTurn(model, []);
    expect(outcome.status).toBe('COMPLETED');
    expect(text).toMatch(/^TTTTTT\n\n\*The answer was cut off/);
  });
});
