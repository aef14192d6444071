import { describe, expect, test } from '@jest/globals';
import type { ModelEvent } from '../../src/agent/model.ts';
import { callTool, createScriptedModel, say, type ScriptedStep } from '../support/scripted-model.ts';
import { ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';

const callAgain = (id: number): ScriptedStep => [callTool('look', { id: String(id) })];
const finished = (reason: Extract<ModelEvent, { type: 'finished' }>['reason']): ModelEvent => ({
  type: 'finished',
  reason,
  usage: null,
  items: [],
});

describe('A7: every limit has a normal ending', () => {
  test('A7: rounds: after the tenth the model must answer from what there is', async () => {
    const model = createScriptedModel([
      ...Array.from({ length: 10 }, (_, id) => callAgain(id)),
      say('My best guess.'),
    ]);
    const { outcome, text, activities } = await runTurn(model, [testTool('look')]);
    expect(text).toBe('My best guess.');
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 11 });
    expect(ofType(activities, 'tool-finished')).toHaveLength(10);
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([...Array(10).fill('auto'), 'none']);
    expect(model.requests[10]!.input.at(-1)).toEqual({
      type: 'user',
      text: expect.stringContaining('the limit of 10 rounds of tool calls is reached'),
    });
  });

  test('A7: calls a round: the ninth is skipped with a word, the eight run, all nine are answered', async () => {
    const calls = Array.from({ length: 9 }, (_, id) => callTool('look', { id: `${id}` }, `c${id}`));
    const model = createScriptedModel([calls, say('Seen.')]);
    const { activities } = await runTurn(model, [testTool('look')]);
    const endings = ofType(activities, 'tool-finished').map(({ call }) => call);
    expect(endings.filter(({ status }) => status === 'OK')).toHaveLength(8);
    expect(endings.find(({ status }) => status === 'SKIPPED')?.callId).toBe('c8');
    const outputs = model.requests[1]!.input.filter((entry) => entry.type === 'tool-output');
    expect(outputs.map(({ callId }) => callId)).toEqual(calls.map((_, id) => `c${id}`));
    expect(outputs[8]!.output).toContain('at most 8 calls run in one round');
  });

  test('A7: identical calls: the fourth is not run and ends tool use, whatever the order of its keys', async () => {
    let runs = 0;
    const tool = testTool('look', async () => {
      runs += 1;
      return resultOf('seen');
    });
    const same = [callTool('look', '{"id":"a"}')];
    const model = createScriptedModel([
      same,
      same,
      same,
      [callTool('look', '{ "id" : "a" }')],
      say('Enough.'),
    ]);
    const { outcome, text } = await runTurn(model, [tool]);
    expect(runs).toBe(3);
    expect(text).toBe('Enough.');
    expect(outcome.status).toBe('COMPLETED');
    expect(model.requests.at(-1)!.toolChoice).toBe('none');
  });

  test('A7: calls of one tool: the fourth is answered with the hint, and the turn goes on with tools', async () => {
    const model = createScriptedModel([
      ...[0, 1, 2, 3].map(callAgain),
      [callTool('other')],
      say('With the other tool.'),
    ]);
    const { activities } = await runTurn(model, [testTool('look'), testTool('other')], {
      limits: { toolCalls: { look: { calls: 3, hint: 'Use other instead.' } } },
    });
    expect(ofType(activities, 'tool-finished').map(({ call }) => call.status)).toEqual([
      'OK',
      'OK',
      'OK',
      'SKIPPED',
      'OK',
    ]);
    expect(model.requests[4]!.input.at(-1)).toMatchObject({
      output: expect.stringContaining('Use other instead.'),
    });
    expect(model.requests[5]!.toolChoice).toBe('auto');
  });

  test('A7: turn time: running tools are stopped and the model answers from the rest', async () => {
    const tool = testTool('look', ({ id }) =>
      id === 'slow' ? new Promise(() => undefined) : Promise.resolve(resultOf('quick one')),
    );
    const model = createScriptedModel([
      [callTool('look', { id: 'slow' }, 'a'), callTool('look', { id: 'quick' }, 'b')],
      say('Only the quick one came.'),
    ]);
    const { outcome, text, activities } = await runTurn(model, [tool], { limits: { turnTimeoutMs: 30 } });
    expect(ofType(activities, 'tool-finished').map(({ call }) => [call.callId, call.status])).toEqual([
      ['b', 'OK'],
      ['a', 'TIMEOUT'],
    ]);
    expect(text).toBe('Only the quick one came.');
    expect(outcome.status).toBe('COMPLETED');
    expect(model.requests[1]!.toolChoice).toBe('none');
  });

  test('A7: turn time: a last answer that does not end is cut off and says so', async () => {
    const model = createScriptedModel([[...say('So far so good'), () => new Promise(() => undefined)]]);
    const { outcome, text } = await runTurn(model, [], { limits: { turnTimeoutMs: 10, lastAnswerMs: 20 } });
    expect(text).toBe('So far so good\n\n*The answer was cut off: the time for this turn ran out.*');
    expect(outcome.status).toBe('COMPLETED');
  });

  test('A7: turn time: without a word the turn fails and says why', async () => {
    const model = createScriptedModel([[() => new Promise(() => undefined)]]);
    const { outcome } = await runTurn(model, [], { limits: { turnTimeoutMs: 10, lastAnswerMs: 10 } });
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'TURN_TIMEOUT', retryable: true } });
  });

  test('L3: tokens: when another round would not leave room, the model answers without tools', async () => {
    const usage = { inputTokens: 400, outputTokens: 50, cachedTokens: 0 };
    const model = createScriptedModel([
      [callTool('look'), { type: 'finished', reason: 'calls', usage, items: [] }],
      say('From what there is.'),
    ]);
    const { outcome, text } = await runTurn(model, [testTool('look')], { limits: { tokens: 1100 } });
    expect(model.requests[1]!.toolChoice).toBe('none');
    expect(text).toBe('From what there is.');
    expect(outcome.status).toBe('COMPLETED');
  });

  test('L3: tokens: a budget that the next call would overdraw ends the turn with the figures, without the call', async () => {
    const usage = { inputTokens: 900, outputTokens: 50, cachedTokens: 0 };
    const model = createScriptedModel([
      [...say('Looking.'), callTool('look'), { type: 'finished', reason: 'calls', usage, items: [] }],
    ]);
    const { outcome, text } = await runTurn(model, [testTool('look')], { limits: { tokens: 1000 } });
    expect(outcome).toMatchObject({
      status: 'FAILED',
      error: { code: 'BUDGET_EXCEEDED' },
      usage: { totalTokens: 950 },
    });
    expect(outcome.error!.message).toMatch(/need about \d+ tokens: this turn used 950 of its 1000 tokens/);
    expect(text).toBe('Looking.');
    expect(model.requests).toHaveLength(1);
  });

  test('context: a window that is nearly full ends tool use, and a full one is an error with the sizes', async () => {
    const step = (inputTokens: number) => [
      callTool('look'),
      {
        type: 'finished',
        reason: 'calls',
        usage: { inputTokens, outputTokens: 50, cachedTokens: 0 },
        items: [],
      } as const,
    ];
    const nearly = createScriptedModel([step(850), say('From what there is.')]);
    const limits = { contextTokens: 1_000 };
    const { outcome, text } = await runTurn(nearly, [testTool('look')], { limits });
    expect([outcome.status, text, nearly.requests[1]!.toolChoice]).toEqual([
      'COMPLETED',
      'From what there is.',
      'none',
    ]);
    expect(JSON.stringify(nearly.requests[1]!.input.at(-1))).toContain('your context window is nearly full');

    const full = createScriptedModel([step(990)]);
    const ended = await runTurn(full, [testTool('look')], { limits });
    expect(ended.outcome).toMatchObject({ status: 'FAILED', error: { code: 'CONTEXT_TOO_LARGE' } });
    expect(ended.outcome.error!.message).toMatch(
      /about 1\d{3} tokens, and the context window of the model has 1000/,
    );
  });

  test('L3: tokens: a call that the provider did not count is estimated, and flagged for the rest of the turn', async () => {
    const model = createScriptedModel([
      [callTool('look', { id: '1' })],
      [callTool('look', { id: '2' }), finished('calls')],
      say('Seen.'),
    ]);
    const { outcome, activities } = await runTurn(model, [testTool('look')]);
    expect(ofType(activities, 'usage').map(({ usage }) => usage.estimated)).toEqual([undefined, true, true]);
    expect(outcome.usage).toMatchObject({ estimated: true });
    // The calls that were counted have 15 tokens each.
    expect(outcome.usage!.totalTokens).toBeGreaterThan(30);
  });

  test('context: pictures are counted before they are sent, as their model counts them', async () => {
    const model = { ...createScriptedModel([say('Seen.')]), imageTokens: () => 900 };
    const images = [{ mediaType: 'image/png', width: 640, height: 480, data: '' }] as const;
    const input = [{ type: 'user', text: 'What is this?', images }] as const;
    const small = await runTurn(model, [], { input, limits: { contextTokens: 900 } });
    expect(small.outcome.error).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
    expect((await runTurn(model, [], { input, limits: { contextTokens: 1_000 } })).text).toBe('Seen.');
  });

  test('L3: tokens: an empty budget asks no model at all', async () => {
    const model = createScriptedModel([]);
    const { outcome } = await runTurn(model, [], { limits: { tokens: 0 } });
    expect(outcome).toMatchObject({
      status: 'FAILED',
      error: { code: 'BUDGET_EXCEEDED' },
      rounds: 0,
      usage: null,
    });
  });
});

describe('Rule 7: an answer that falls short says so', () => {
  test.each([
    ['refused', /declined/],
    ['length', /cut off/],
    ['filtered', /content filter/],
  ] as const)('%s with text completes with that text and a remark', async (reason, remark) => {
    const { outcome, text } = await runTurn(createScriptedModel([[...say('Partly.'), finished(reason)]]), []);
    expect(outcome).toMatchObject({ status: 'COMPLETED', error: null });
    expect(text).toMatch(/^Partly\.\n\n\*.*\*$/);
    expect(text).toMatch(remark);
  });

  test.each([
    ['length', 'ANSWER_CUT_OFF'],
    ['filtered', 'CONTENT_FILTERED'],
    ['stop', 'EMPTY_ANSWER'],
  ] as const)('%s without text fails as %s', async (reason, code) => {
    const { outcome, text } = await runTurn(
      createScriptedModel([[finished(reason)], [finished(reason)]]),
      [],
    );
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code, retryable: true } });
    expect(text).toBe('');
  });

  test('a refusal without text is explained by the server', async () => {
    const { outcome, text } = await runTurn(createScriptedModel([[finished('refused')]]), []);
    expect(outcome.status).toBe('COMPLETED');
    expect(text).toBe('*The model declined to answer this.*');
  });

  test('an empty answer after tools is asked for once more, without tools', async () => {
    const model = createScriptedModel([[callTool('look')], [finished('stop')], say('Here it is.')]);
    const { outcome, text } = await runTurn(model, [testTool('look')]);
    expect(text).toBe('Here it is.');
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 3 });
    expect(model.requests[2]!.toolChoice).toBe('none');
  });

  test('a filtered answer stops the calls that it had begun', async () => {
    const tool = testTool('look', () => new Promise(() => undefined));
    const model = createScriptedModel([[...say('Hm.'), callTool('look'), finished('filtered')]]);
    const { outcome, activities } = await runTurn(model, [tool]);
    expect(ofType(activities, 'tool-finished').map(({ call }) => call.status)).toEqual(['CANCELLED']);
    expect(outcome.status).toBe('COMPLETED');
  });
});
