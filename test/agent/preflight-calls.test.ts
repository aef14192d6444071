import { describe, expect, test } from '@jest/globals';
import { InvalidInputError } from '../../src/base/errors.ts';
import { ModelError } from '../../src/agent/model.ts';
import type { Preflight } from '../../src/agent/loop/preflight-calls.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';
import { loopOptions, ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';
import { runLoop } from '../../src/agent/loop/loop.ts';

const preflight = (part: Partial<Preflight> = {}): Preflight => ({
  phase: 'VERIFYING',
  status: 'Comparing',
  words: 'I look again.',
  calls: [{ callId: 'server_1', name: 'look', arguments: '{"id":"a"}' }],
  conclude: (endings) => `Found ${endings.length}.`,
  ...part,
});

describe('a preflight', () => {
  test('runs before the model is asked, which gets it as an earlier round, words and all', async () => {
    const model = createScriptedModel([say('So it is.')]);
    const { text, activities, outcome } = await runTurn(model, [testTool('look')], {
      preflight: preflight(),
    });
    expect(text).toBe('I look again.\n\nFound 1.\n\nSo it is.');
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 1 });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.input).toEqual([
      { type: 'user', text: 'How is the chip?' },
      {
        type: 'round',
        provider: 'server',
        items: [],
        text: 'I look again.\n\nFound 1.',
        calls: preflight().calls,
      },
      { type: 'tool-output', callId: 'server_1', output: expect.stringContaining('ok a') },
    ]);
    const types = activities.map(({ type }) => type);
    expect(types.indexOf('tool-finished')).toBeLessThan(types.lastIndexOf('text'));
    expect(ofType(activities, 'status')[0]).toMatchObject({ phase: 'VERIFYING', text: 'Comparing' });
    expect(ofType(activities, 'tool-started')[0]?.call).toMatchObject({ callId: 'server_1', round: 0 });
  });

  test('takes none of the model’s rounds, but its calls count as calls', async () => {
    const again = [callTool('look', { id: 'a' }, 'c1')];
    const model = createScriptedModel([again, say('Done.')]);
    const { activities } = await runTurn(model, [testTool('look')], {
      preflight: preflight(),
      limits: { rounds: 1, identicalCalls: 1 },
    });
    expect(ofType(activities, 'tool-finished').map(({ call }) => call.status)).toEqual(['OK', 'SKIPPED']);
    expect(ofType(activities, 'tool-started').map(({ call }) => call.round)).toEqual([0, 1]);
  });

  test('without calls is shown as text only', async () => {
    const model = createScriptedModel([say('Hello.')]);
    const { text } = await runTurn(model, [], { preflight: preflight({ calls: [] }) });
    expect(text).toBe('I look again.\n\nHello.');
    expect(model.requests[0]?.input).toEqual([{ type: 'user', text: 'How is the chip?' }]);
  });

  test('that fails reaches the model and the conclusion like any failed call', async () => {
    const failing = testTool('look', () =>
      Promise.reject(new InvalidInputError([{ path: ['id'], message: 'no such qubit' }])),
    );
    const model = createScriptedModel([say('It could not be found.')]);
    const conclude: Preflight['conclude'] = ([ending]) => `Said: ${ending?.error?.message}`;
    const { text, outcome } = await runTurn(model, [failing], { preflight: preflight({ conclude }) });
    expect(text).toContain('Said: id: no such qubit');
    expect(outcome.status).toBe('COMPLETED');
  });

  test('stays when the model’s words are taken back', async () => {
    const model = createScriptedModel([
      [...say('half'), new ModelError('BROKEN_STREAM', 'it broke', { retryable: true })],
      say('Whole.'),
    ]);
    const { text } = await runTurn(model, [testTool('look')], { preflight: preflight() });
    expect(text).toBe('I look again.\n\nFound 1.\n\nWhole.');
  });

  test('ends at once with a cancelled turn, without a conclusion', async () => {
    const control = new AbortController();
    const stuck = testTool('look', () => {
      control.abort(new Error('cancelled'));
      return new Promise(() => {});
    });
    const options = loopOptions(createScriptedModel([]), [stuck], {
      preflight: preflight(),
      signal: control.signal,
    });
    await expect(runLoop(options)).rejects.toThrow('cancelled');
    expect(ofType(options.activities, 'text').map(({ text }) => text)).toEqual(['I look again.']);
    expect(ofType(options.activities, 'tool-finished')[0]?.call.status).toBe('CANCELLED');
  });

  test('gives a model that says nothing about its results another chance', async () => {
    const model = createScriptedModel([say(''), say('Now I do.')]);
    const tool = testTool('look', () => Promise.resolve(resultOf('seen')));
    const { text, outcome } = await runTurn(model, [tool], { preflight: preflight() });
    expect(outcome.status).toBe('COMPLETED');
    expect(text).toMatch(/Now I do\.$/);
  });
});
