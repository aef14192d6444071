/** What a turn does where room is short: in its budget, in the model's window, in one response. */
import { describe, expect, test } from '@jest/globals';
import { ModelError, type ModelUsage } from '../../src/agent/model.ts';
import { ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';

const step = (id: string, usage: ModelUsage) => [
  callTool('look', { id }, `call-${id}`),
  { type: 'finished', reason: 'calls', usage, items: [] } as const,
];
const finished = (reason: 'stop') => ({ type: 'finished', reason, usage: null, items: [] }) as const;
const cached = (inputTokens: number) => ({ inputTokens, outputTokens: 20, cachedTokens: inputTokens - 100 });
/** A tenth for what is cached. */
const chargeOf = (_model: string, { inputTokens, cachedTokens, outputTokens }: ModelUsage) =>
  inputTokens - 0.9 * cachedTokens + outputTokens;

describe('A budget', () => {
  const steps = () => [
    ...Array.from({ length: 8 }, (_, at) => step(String(at), cached(1_000 + 50 * at))),
    say('Done.'),
  ];

  test('counts cached input at its share: rounds that are cheap fit', async () => {
    const model = createScriptedModel(steps());
    const { outcome, text, activities } = await runTurn(model, [testTool('look')], {
      chargeOf,
      limits: { tokens: 4_000 },
    });
    expect({ text, rounds: outcome.rounds }).toEqual({ text: 'Done.', rounds: 9 });
    expect(outcome.usage!.totalTokens).toBeGreaterThan(8_000);
    expect(outcome.usage!.chargedTokens).toBeLessThan(4_000);
    const left = ofType(activities, 'usage').at(-1)!.budgetLeftTokens;
    expect(left).toBe(4_000 - outcome.usage!.chargedTokens!);
  });

  test('counts every token whole where nothing says otherwise', async () => {
    const model = createScriptedModel([...steps().slice(0, 3), say('From what there is.')]);
    const { outcome, text } = await runTurn(model, [testTool('look')], { limits: { tokens: 5_500 } });
    expect({ text, rounds: outcome.rounds }).toEqual({ text: 'From what there is.', rounds: 4 });
    expect(model.requests.at(-1)!.toolChoice).toBe('none');
  });

  test('that is used up gives the results that there are, and says why', async () => {
    const model = createScriptedModel([step('7', { inputTokens: 900, outputTokens: 50, cachedTokens: 0 })]);
    const tool = testTool('look', () => Promise.resolve(resultOf('T1 of Q07 is 52.3 μs.')));
    const { outcome, text } = await runTurn(model, [tool], { givesResults: true, limits: { tokens: 1_000 } });
    expect(outcome).toMatchObject({ status: 'COMPLETED', error: null });
    expect(text).toMatch(
      /^T1 of Q07 is 52\.3 μs\.\n\n\*There is no answer to this: the next model call would/,
    );
  });

  test('without any results stays an error', async () => {
    const { outcome } = await runTurn(createScriptedModel([]), [], {
      givesResults: true,
      limits: { tokens: 0 },
    });
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'BUDGET_EXCEEDED' } });
  });
});

test('A model that stays silent after its calls leaves their results', async () => {
  const model = createScriptedModel([[callTool('look')], [finished('stop')], [finished('stop')]]);
  const tool = testTool('look', () => Promise.resolve(resultOf('T1 of Q07 is 52.3 μs.')));
  const { outcome, text } = await runTurn(model, [tool], { givesResults: true });
  expect(outcome.status).toBe('COMPLETED');
  expect(text).toMatch(/^T1 of Q07 is 52\.3 μs\.\n\n\*There is no answer to this: the model gave no answer/);
});

describe('A window', () => {
  const long = (id: string | null) => resultOf(`Values of ${id}.`, { data: { rows: 'x'.repeat(4_000) } });
  const tool = testTool('look', ({ id }) => Promise.resolve(long(id)));
  const tooLarge = new ModelError('CONTEXT_TOO_LARGE', 'it was sent too much', { retryable: false });

  test('that a request does not fit is asked again with summaries in place of older results', async () => {
    const model = createScriptedModel([
      [callTool('look', { id: '1' }, 'a')],
      [callTool('look', { id: '2' }, 'b')],
      [tooLarge],
      say('Both are fine.'),
    ]);
    const { outcome, text } = await runTurn(model, [tool]);
    expect({ text, status: outcome.status }).toEqual({ text: 'Both are fine.', status: 'COMPLETED' });
    const outputs = model.requests[3]!.input.flatMap((each) => (each.type === 'tool-output' ? [each] : []));
    expect(outputs[0]!.output.length).toBeLessThan(400);
    expect(outputs[0]!.output).toContain('Values of 1.');
    expect(outputs[0]!.output).toContain('Make the same call again');
    expect(outputs[1]!.output.length).toBeGreaterThan(4_000);
  });

  test('that stays too small is an error, not a loop', async () => {
    const model = createScriptedModel([
      [callTool('look', { id: '1' }, 'a')],
      [tooLarge],
      [tooLarge],
      [tooLarge],
    ]);
    const { outcome } = await runTurn(model, [tool]);
    expect(outcome.error).toMatchObject({ code: 'MODEL_CONTEXT_TOO_LARGE' });
    expect(model.requests).toHaveLength(3);
  });

  test('leaves out earlier turns where the results are not what is too long', async () => {
    const model = createScriptedModel([[tooLarge], say('It is fine.')]);
    const history = [
      { type: 'user', text: 'Before?' },
      { type: 'assistant', text: 'Before.' },
    ] as const;
    const question = { type: 'user', text: 'How is the chip?' } as const;
    const refit = (_model: unknown, contextTokens?: number) => ({
      instructions: 'Answer from the data.',
      input: [question],
      contextTokens: contextTokens ?? 0,
    });
    const { text } = await runTurn(model, [], { input: [...history, question], refit });
    expect(text).toBe('It is fine.');
    expect(model.requests.map(({ input }) => input.length)).toEqual([3, 1]);
  });

  test('that gets room without earlier turns still says that there are no tools', async () => {
    const noTools = new ModelError('NO_TOOLS', 'it cannot call tools', { retryable: false });
    const model = createScriptedModel([[noTools], [tooLarge], say('I can look up nothing.')]);
    const question = { type: 'user', text: 'How is the chip?' } as const;
    const refit = () => ({ instructions: 'Answer.', input: [question], contextTokens: 1_000 });
    const input = [
      { type: 'user', text: 'Before?' },
      { type: 'assistant', text: 'Before.' },
      question,
    ] as const;
    const options = { input, refit, instructions: 'Answer.', withoutTools: 'You have no tools.' };
    const { activities } = await runTurn(model, [tool], options);
    expect(model.requests.map(({ instructions }) => instructions)).toEqual([
      'Answer.',
      'Answer.\n\nYou have no tools.',
      'Answer.\n\nYou have no tools.',
    ]);
    expect(model.requests[2]!.input).toHaveLength(1);
    expect(ofType(activities, 'reset').at(-1)!.reason).toBe(
      'it was sent too much; it is asked again with less of what came before',
    );
  });

  test('that fills up gets room in one step, and tools go on', async () => {
    const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 10, cachedTokens: 0 });
    const model = createScriptedModel([
      step('1', usage(1_000)),
      step('2', usage(2_500)),
      step('3', usage(8_500)),
      say('Done.'),
    ]);
    const { text } = await runTurn(model, [tool], { limits: { contextTokens: 10_000 } });
    expect(text).toBe('Done.');
    const sizes = model.requests.map(({ input }) => JSON.stringify(input).length);
    expect(sizes[3]!).toBeLessThan(sizes[2]!);
    expect(model.requests[3]!.toolChoice).toBe('auto');
  });
});

describe('A response that is cut within a call', () => {
  const cut = [
    callTool('look', '{"id": "a long te', 'c1'),
    { type: 'finished', reason: 'length', usage: null, items: [] },
  ] as const;

  test('is asked for once more, with twice the room, and the cut call is not run', async () => {
    const model = createScriptedModel([[...cut], [callTool('look', { id: '1' }, 'c2')], say('Done.')]);
    const { text, activities } = await runTurn(model, [testTool('look')], { limits: { outputTokens: 500 } });
    expect(text).toBe('Done.');
    expect(model.requests.map(({ outputTokens }) => outputTokens)).toEqual([undefined, 1_000, undefined]);
    expect(ofType(activities, 'tool-started').map(({ call }) => call.callId)).toEqual(['c2']);
    expect(ofType(activities, 'reset')[0]!.reason).toMatch(/its limit of 500 output tokens within a call/);
  });

  test('that is cut again is reported to the model, not asked for over and over', async () => {
    const model = createScriptedModel([[...cut], [...cut], say('In short, then.')]);
    const { text, activities } = await runTurn(model, [testTool('look')]);
    expect(text).toBe('In short, then.');
    expect(ofType(activities, 'tool-finished').map(({ call }) => call.status)).toEqual(['ERROR']);
  });
});
