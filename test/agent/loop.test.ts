import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { runLoop } from '../../src/agent/loop/loop.ts';
import type { ModelInput } from '../../src/agent/model.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';
import { loopOptions, ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';

const outputsOf = (input: readonly ModelInput[]) =>
  input.filter((entry) => entry.type === 'tool-output').map(({ callId, output }) => ({ callId, output }));

describe('A turn of the loop', () => {
  test('streams a plain answer as it comes and ends completed', async () => {
    const apart = say('All is well.', 4).flatMap((event) => [event, () => nextTurn()]);
    const { outcome, text, activities } = await runTurn(createScriptedModel([apart]), []);
    expect(text).toBe('All is well.');
    expect(ofType(activities, 'text').map((activity) => activity.text)).toEqual(['All ', 'is w', 'ell.']);
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 1, model: 'scripted', error: null });
  });

  test('starts a call while the model still talks', async () => {
    const started = Promise.withResolvers<void>();
    const tool = testTool('look', async () => {
      started.resolve();
      return resultOf('seen');
    });
    const model = createScriptedModel([
      [...say('Let me see.'), callTool('look'), () => started.promise, ...say(' One moment.')],
      say('Done.'),
    ]);
    const { text } = await runTurn(model, [tool]);
    expect(text).toBe('Let me see. One moment.\n\nDone.');
  });

  test('makes a fresh context for each round and shares it between the calls of a round', async () => {
    let contexts = 0;
    const seen: unknown[] = [];
    const tool = testTool('look', async (_args, context) => {
      seen.push((context as unknown as { made: number }).made);
      return resultOf('seen');
    });
    const model = createScriptedModel([
      [callTool('look', { id: 'a' }, 'a'), callTool('look', { id: 'b' }, 'b')],
      [callTool('look', { id: 'c' }, 'c')],
      say('Done.'),
    ]);
    const options = loopOptions(model, [tool]);
    await runLoop({
      ...options,
      createToolContext: () => {
        contexts += 1;
        return { made: contexts } as unknown as ReturnType<typeof options.createToolContext>;
      },
    });
    expect(seen).toEqual([1, 1, 2]);
  });

  test('reports every call as started once and as finished once, with its result', async () => {
    const visual = { type: 'table', title: 'T1', columns: [], rows: [] } as const;
    const freshness = { source: 'SNAPSHOT', newestAt: null, oldestAt: null, staleAfterSeconds: 60 } as const;
    const tool = testTool('look', async () => resultOf('T1 is 52 µs', { freshness, visuals: [visual] }));
    const model = createScriptedModel([[callTool('look', { id: '7' }, 'c1')], say('52 µs.')]);
    const { activities } = await runTurn(model, [tool]);
    expect(ofType(activities, 'tool-started').map(({ call }) => call)).toEqual([
      {
        callId: 'c1',
        tool: 'look',
        label: 'Running look',
        description: 'look of 7',
        arguments: { id: '7' },
        round: 1,
      },
    ]);
    const [finished, ...more] = ofType(activities, 'tool-finished').map(({ call }) => call);
    expect(more).toEqual([]);
    expect(finished).toMatchObject({ status: 'OK', preview: 'T1 is 52 µs', freshness, visuals: [visual] });
    expect(JSON.parse(finished!.resultJson!)).toMatchObject({ formattedSummary: 'T1 is 52 µs' });
  });

  test('gives calls of different rounds different ids in its record, also when the provider repeats them', async () => {
    const model = createScriptedModel([
      [callTool('look', { id: 'a' }, 'call_0')],
      [callTool('look', { id: 'b' }, 'call_0')],
      say('Done.'),
    ]);
    const { activities } = await runTurn(model, [testTool('look')]);
    expect(ofType(activities, 'tool-finished').map(({ call }) => call.callId)).toEqual([
      'call_0',
      'call_0#2',
    ]);
    expect(outputsOf(model.requests[2]!.input).map(({ callId }) => callId)).toEqual(['call_0', 'call_0']);
  });

  test('reports a call before it runs', async () => {
    const reported: unknown[] = [];
    const seen: unknown[] = [];
    const tool = testTool('look', async () => {
      seen.push([...reported]);
      return resultOf('seen');
    });
    const options = loopOptions(createScriptedModel([[callTool('look')], say('Done.')]), [tool]);
    await runLoop({
      ...options,
      emit: (activity) => {
        if (activity.type === 'tool-started') reported.push(activity.call.tool);
      },
    });
    expect(seen).toEqual([['look']]);
  });

  test('tells before each request that the model thinks', async () => {
    const model = createScriptedModel([[callTool('look')], say('Done.')]);
    const { activities } = await runTurn(model, [testTool('look')]);
    const order = activities.flatMap((activity) => {
      if (activity.type === 'status') return activity.phase === 'THINKING' ? ['THINKING'] : [];
      return activity.type === 'tool-started' || activity.type === 'text' ? [activity.type] : [];
    });
    expect(order).toEqual(['THINKING', 'tool-started', 'THINKING', 'text']);
  });

  test('sums tokens and cost over its model calls and emits them after each', async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 50 };
    const model = createScriptedModel([
      [callTool('look'), { type: 'finished', reason: 'calls', usage, items: [] }],
      [...say('Done.'), { type: 'finished', reason: 'stop', usage, items: [] }],
    ]);
    const { outcome, activities } = await runTurn(model, [testTool('look')], {
      priceOf: () => 0.25,
      limits: { tokens: 10_000 },
    });
    expect(outcome.usage).toEqual({
      inputTokens: 200,
      outputTokens: 40,
      cachedTokens: 100,
      totalTokens: 240,
      model: 'scripted',
      costUsd: 0.5,
    });
    expect(ofType(activities, 'usage').map(({ budgetLeftTokens }) => budgetLeftTokens)).toEqual([9880, 9760]);
  });
});
