import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ModelError } from '../../src/agent/model.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';
import { ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';

const broken = new ModelError('BROKEN_STREAM', 'scripted broke off', { retryable: true });
const noTools = new ModelError('NO_TOOLS', 'scripted cannot call tools', { retryable: false });
const quota = new ModelError('QUOTA', 'scripted has no quota left', { retryable: false });

describe('Rule 8: a model that fails', () => {
  test('a stream that breaks takes back the text of the step and asks again', async () => {
    const model = createScriptedModel([
      [...say('First.'), callTool('look')],
      [...say('The T1 is'), broken],
      say('The T1 is 52 µs.'),
    ]);
    const { outcome, text, activities } = await runTurn(model, [testTool('look')]);
    expect(text).toBe('First.\n\nThe T1 is 52 µs.');
    expect(ofType(activities, 'reset')).toEqual([
      { type: 'reset', keepUntilOffset: 'First.'.length, reason: 'scripted broke off' },
    ]);
    expect(model.requests[2]).toEqual(model.requests[1]);
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 2 });
  });

  test('never doubles text, wherever the streams break', async () => {
    const answer = 'Q07 has the shortest T1: 12.3 µs 🙂.';
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(answer.length), { maxLength: 2 }),
        fc.integer({ min: 1, max: 9 }),
        async (breaks, size) => {
          const model = createScriptedModel([
            ...breaks.map((at) => [...say(answer.slice(0, at), size), broken]),
            say(answer, size),
          ]);
          const { outcome, text } = await runTurn(model, []);
          expect(text).toBe(answer);
          expect(outcome.status).toBe('COMPLETED');
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a stream that ends without its end counts as broken', async () => {
    const silent = createScriptedModel([]);
    let asked = 0;
    const model = {
      ...silent,
      async *stream() {
        asked += 1;
        yield* say('Half');
      },
    };
    const { outcome } = await runTurn(model, []);
    expect(asked).toBe(3);
    expect(outcome).toMatchObject({
      status: 'FAILED',
      error: { code: 'MODEL_BROKEN_STREAM', retryable: true },
    });
  });

  test('a stream that falls silent counts as broken', async () => {
    const model = createScriptedModel([[...say('Half'), () => new Promise(() => undefined)], say('Whole.')]);
    const { text, activities } = await runTurn(model, [], { limits: { modelSilenceMs: 20 } });
    expect(text).toBe('Whole.');
    expect(ofType(activities, 'reset')[0]!.reason).toBe('scripted sent nothing for 0.02 s');
  });

  test('a call that a broken stream had begun is taken over, not run again, and what is not asked again is stopped', async () => {
    let runs = 0;
    const slow = Promise.withResolvers<void>();
    const tool = testTool('look', async ({ id }) => {
      runs += 1;
      if (id === 'gone') return new Promise(() => undefined);
      await slow.promise;
      return resultOf(`seen ${id}`);
    });
    const model = createScriptedModel([
      [callTool('look', { id: 'a' }, 'first'), callTool('look', { id: 'gone' }, 'gone'), broken],
      () => {
        slow.resolve();
        return [callTool('look', { id: 'a' }, 'again')];
      },
      say('Seen.'),
    ]);
    const { activities, outcome } = await runTurn(model, [tool]);
    expect(runs).toBe(2);
    expect(outcome.status).toBe('COMPLETED');
    expect(model.requests[2]!.input.at(-1)).toMatchObject({
      callId: 'again',
      output: expect.stringContaining('seen a'),
    });
    const ended = ofType(activities, 'tool-finished').map(({ call }) => [call.callId, call.status]);
    expect(Object.fromEntries(ended)).toEqual({ first: 'OK', gone: 'CANCELLED' });
  });

  test('fails after its attempts, keeps the text of the last one, and stops the calls it had started', async () => {
    const tool = testTool('look', () => new Promise(() => undefined));
    const step = [...say('Half'), callTool('look'), broken];
    const model = createScriptedModel([step, step, step]);
    const { outcome, text, activities } = await runTurn(model, [tool]);
    expect(outcome).toMatchObject({
      status: 'FAILED',
      error: { code: 'MODEL_BROKEN_STREAM', message: 'scripted broke off', retryable: true },
    });
    expect(text).toBe('Half');
    expect(ofType(activities, 'tool-finished')).toHaveLength(ofType(activities, 'tool-started').length);
  });

  test('without a fallback, a refusal of the provider fails the turn at once', async () => {
    const model = createScriptedModel([[quota]]);
    const { outcome } = await runTurn(model, []);
    expect(outcome.error).toEqual({
      code: 'MODEL_QUOTA',
      message: 'scripted has no quota left',
      retryable: false,
    });
    expect(model.requests).toHaveLength(1);
  });

  test('a configured fallback answers the rest of the turn, with a notice for viewers', async () => {
    const fallback = createScriptedModel([[callTool('look')], say('From the other one.')], 'spare');
    const model = createScriptedModel([[...say('I think'), quota]]);
    const { outcome, text, activities } = await runTurn(model, [testTool('look')], { fallback });
    expect(text).toBe('From the other one.');
    expect(outcome).toMatchObject({ status: 'COMPLETED', model: 'spare', usage: { model: 'spare' } });
    expect(ofType(activities, 'reset')[0]!.reason).toBe('scripted has no quota left; spare is asked instead');
    expect(model.requests).toHaveLength(1);
  });

  test('a fallback is sent the history that fits its own window, and all that the turn found', async () => {
    const fallback = createScriptedModel(
      [[callTool('look', { id: '2' })], say('From the other one.')],
      'spare',
    );
    const model = createScriptedModel([[callTool('look', { id: '1' })], [quota]]);
    const newest = { type: 'user', text: 'How is the chip?' } as const;
    const { outcome, text } = await runTurn(model, [testTool('look')], {
      input: [{ type: 'user', text: 'Long ago' }, { type: 'assistant', text: 'Yes.' }, newest],
      fallback,
      refit: ({ name }) => ({ instructions: `For ${name}.`, input: [newest], contextTokens: 2_000 }),
    });
    expect([text, outcome.model]).toEqual(['From the other one.', 'spare']);
    const sent = fallback.requests.map(({ instructions, input }) => [
      instructions,
      input.map(({ type }) => type),
    ]);
    const found = ['user', 'round', 'tool-output'];
    expect(sent).toEqual([
      ['For spare.', found],
      ['For spare.', [...found, 'round', 'tool-output']],
    ]);
  });

  test('one that cannot call tools answers without them if it has instructions for that, with a notice for viewers', async () => {
    const model = createScriptedModel([[noTools], say('I can look up nothing here.')]);
    const { outcome, text, activities } = await runTurn(model, [testTool('look')], {
      instructions: 'Answer from the data.',
      withoutTools: 'State no value.',
      forcedTool: 'look',
    });
    expect([outcome.status, text]).toEqual(['COMPLETED', 'I can look up nothing here.']);
    expect(ofType(activities, 'reset').map(({ reason }) => reason)).toEqual([
      'scripted cannot call tools; until then it answers from what it knows by itself',
    ]);
    expect(model.requests.map(({ tools, toolChoice }) => [tools.length, toolChoice])).toEqual([
      [1, { tool: 'look' }],
      [0, 'none'],
    ]);
    expect(model.requests[1]!.instructions).toBe('Answer from the data.\n\nState no value.');
  });

  test('a fallback that can call tools is asked before one answers without any', async () => {
    const fallback = createScriptedModel([[callTool('look')], say('From the data.')], 'spare');
    const model = createScriptedModel([[noTools]]);
    const { text } = await runTurn(model, [testTool('look')], { fallback, withoutTools: 'State no value.' });
    expect(text).toBe('From the data.');
  });

  test.each([
    ['in work that needs tools', [[noTools]], {}],
    [
      'when it says so although it was given none',
      [[noTools], [noTools]],
      { withoutTools: 'State no value.' },
    ],
  ])('one that cannot call tools fails the turn %s', async (_whose, steps, options) => {
    const { outcome } = await runTurn(createScriptedModel(steps), [testTool('look')], options);
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'MODEL_NO_TOOLS' } });
  });

  test.each([
    ['has no room for the question', null],
    ['is sent more than its window holds', { instructions: '', input: [], contextTokens: 3 }],
  ])('a fallback that %s is not asked, and the failure is that of the model', async (_why, refitted) => {
    const fallback = createScriptedModel([], 'spare');
    const model = createScriptedModel([[callTool('look')], [quota]]);
    const { outcome } = await runTurn(model, [testTool('look')], { fallback, refit: () => refitted });
    expect(outcome).toMatchObject({ model: 'scripted', error: { code: 'MODEL_QUOTA' } });
    expect(fallback.requests).toEqual([]);
  });

  test('a bug in a model is not dressed up as a failure of the model', async () => {
    const model = createScriptedModel([[new TypeError('not a function')]]);
    await expect(runTurn(model, [])).rejects.toThrow(TypeError);
  });
});
