import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callTool, createScriptedModel, say, type ScriptedStep } from '../../support/scripted-model.ts';
import type { ToolResult } from '../../../src/agent/tool.ts';
import type { FinishReason, ModelEvent } from '../../../src/agent/model.ts';
import { ModelError } from '../../../src/agent/model.ts';
import type { ChartSpec } from '../../../src/domain/visuals.ts';
import { ofType, resultOf, runTurn, testTool } from '../../support/agent-run.ts';

const TABLE = '| Qubit | T1 |\n|---|---|\n| Q0 | 80 |';
const barChart: ChartSpec = { type: 'chart', kind: 'BAR', title: 'T1', data: [{ type: 'bar' }], layout: {} };
const drawn: Partial<ToolResult> = { visuals: [barChart] };

const figure = { data: [{ type: 'scatter', x: [1, 2], y: [3, 4] }], layout: { title: { text: 'Decay' } } };
const text = (content: string) => ({ type: 'text', content, chart: null });
const chart = (spec: unknown) => ({ type: 'chart', content: null, chart: spec });
const blocks = (...given: readonly object[]): string => JSON.stringify({ blocks: given, assessment: null });

const finish = (reason: FinishReason): ModelEvent => ({ type: 'finished', reason, usage: null, items: [] });

/** Runs a turn that looks something up, with or without a chart of it, and then says `words`. */
function answerAfterLookup(words: string, more: Partial<ToolResult> = drawn) {
  const model = createScriptedModel([[callTool('look', { id: '1' })], say(words)]);
  return runTurn(model, [testTool('look', () => Promise.resolve(resultOf('T1 of Q0 is 80 µs.', more)))]);
}

const answerAtOnce = (...steps: readonly ScriptedStep[]) => runTurn(createScriptedModel(steps), []);

describe('tables of the model', () => {
  test('go when the turn shows its results itself, and are counted', async () => {
    const { text: answer, outcome } = await answerAfterLookup(`Q0 is best.\n\n${TABLE}\n\nSee the chart.`);
    expect(answer).toBe('Q0 is best.\n\nSee the chart.');
    expect(outcome.strippedTables).toBe(1);
  });

  test('stay when the turn shows nothing', async () => {
    const { text: answer, outcome } = await answerAfterLookup(`Q0 is best.\n\n${TABLE}`, { visuals: [] });
    expect(answer).toBe(`Q0 is best.\n\n${TABLE}`);
    expect(outcome.strippedTables).toBe(0);
  });

  test('stay when they came before there was anything to show', async () => {
    const model = createScriptedModel([
      [...say(TABLE), callTool('look', { id: '1' })],
      say(`Now:\n\n${TABLE}`),
    ]);
    const { text: answer, outcome } = await runTurn(model, [
      testTool('look', () => Promise.resolve(resultOf('T1', drawn))),
    ]);
    expect(answer).toBe(`${TABLE}\n\nNow:`);
    expect(outcome.strippedTables).toBe(1);
  });

  test('stay next to a chart that the model chose itself', async () => {
    const chosen = { ...barChart, layout: { meta: { madeBy: 'model' } } };
    const { text: answer } = await answerAfterLookup(TABLE, { visuals: [chosen] });
    expect(answer).toBe(TABLE);
  });

  test('that were the whole answer are replaced by the summaries of the tools', async () => {
    const { text: answer, outcome } = await answerAfterLookup(TABLE);
    expect(answer).toBe('T1 of Q0 is 80 µs.');
    expect(outcome).toMatchObject({ status: 'COMPLETED', strippedTables: 1 });
  });

  test('go from blocks too, and the model is sent its own words again', async () => {
    const words = blocks(text(`One.\n\n${TABLE}`), text(`${TABLE}\n\nTwo.`));
    const model = createScriptedModel([
      [callTool('look', { id: '1' })],
      [...say(words), callTool('look', { id: '2' })],
      say('Done.'),
    ]);
    const { text: answer, outcome } = await runTurn(model, [
      testTool('look', () => Promise.resolve(resultOf('T1', drawn))),
    ]);
    expect(answer).toBe('One.\n\nTwo.\n\nDone.');
    expect(outcome.strippedTables).toBe(2);
    expect(model.requests[2]?.input).toContainEqual(expect.objectContaining({ type: 'round', text: words }));
  });
});

describe('charts of the model', () => {
  test('stand where they stood in its words, marked as its own', async () => {
    const { activities, text: answer } = await answerAtOnce(
      say(blocks(text('One.'), chart(figure), text('Two.'))),
    );
    const order = activities.flatMap((activity) =>
      activity.type === 'text' ? activity.text.split('') : activity.type === 'chart' ? ['▣'] : [],
    );
    expect(order.join('')).toBe('One.▣\n\nTwo.');
    expect(answer).toBe('One.\n\nTwo.');
    const [shown] = ofType(activities, 'chart');
    expect(shown?.chart).toMatchObject({ kind: 'LINE', title: 'Decay', data: figure.data });
    expect(JSON.stringify(shown?.chart.layout)).toMatch(/Made by the model.*"madeBy":"model"/);
  });

  test('are left out next to charts of results', async () => {
    const { activities, text: answer } = await answerAfterLookup(blocks(chart(figure), text('Two.')));
    expect(ofType(activities, 'chart')).toEqual([]);
    expect(answer).toBe('Two.');
  });

  test.each([
    ['is no figure', { x: 1 }],
    ['is a text', 'a chart'],
    ['has traces of no kind we draw', { data: [{ type: 'scatter3d' }] }],
    ['has too many traces', { data: Array.from({ length: 13 }, () => ({ type: 'bar' })) }],
    ['is too large', { data: [{ type: 'bar', y: Array.from({ length: 60_000 }, () => 1) }] }],
    ['is nested too deep', JSON.parse(`{"data":[{"type":"bar","x":${'['.repeat(30)}${']'.repeat(30)}}]}`)],
  ])('that one that %s is dropped, and the answer goes on', async (_name, spec: unknown) => {
    const {
      activities,
      text: answer,
      dropped,
      outcome,
    } = await answerAtOnce([{ type: 'text', text: blocks(text('One.'), chart(spec), text('Two.')) }]);
    expect(ofType(activities, 'chart')).toEqual([]);
    expect(answer).toBe('One.\n\nTwo.');
    expect(dropped).toHaveLength(1);
    expect(outcome.status).toBe('COMPLETED');
  });

  test('are no more than the turn may show', async () => {
    const charts = Array.from({ length: 12 }, (_, index) =>
      chart({ data: [{ type: 'bar', y: [index] }], layout: {} }),
    );
    const { activities } = await answerAtOnce([{ type: 'text', text: blocks(...charts) }]);
    expect(ofType(activities, 'chart')).toHaveLength(8);
  });

  test('go with the words of a step that broke, and may come again', async () => {
    const words = blocks(text('One.'), chart(figure), text('Two.'));
    const broken = new ModelError('BROKEN_STREAM', 'broke off', { retryable: true });
    const { activities, text: answer } = await answerAtOnce(
      [...say(words.slice(0, -25)), broken],
      say(words),
    );
    expect(ofType(activities, 'reset')).toEqual([
      { type: 'reset', keepUntilOffset: 0, dropCharts: 1, reason: 'broke off' },
    ]);
    expect(ofType(activities, 'chart')).toHaveLength(2);
    expect(answer).toBe('One.\n\nTwo.');
  });
});

describe('assessments', () => {
  test.each([
    ['blocks', JSON.stringify({ blocks: [text('Good.')], assessment: 'good' }), 'GOOD'],
    ['the older schema', '{"summary":"Bad.","assessment":"bad"}', 'BAD'],
    ['a last line', 'Hm.\n\n[assessment: warning]', 'WARNING'],
    ['nowhere', 'Just so.', null],
  ])('are read from %s', async (_where, words, assessment) => {
    const { outcome, text: answer } = await answerAtOnce(say(words));
    expect(outcome.assessment).toBe(assessment);
    expect(answer).not.toMatch(/assessment/);
  });

  test('of an earlier step do not count', async () => {
    const model = createScriptedModel([
      [...say('First.\n[assessment: bad]'), callTool('look', { id: '1' })],
      say('After all, fine.'),
    ]);
    const { outcome } = await runTurn(model, [testTool('look')]);
    expect(outcome.assessment).toBeNull();
  });
});

describe.each([
  ['Markdown', (words: string) => words],
  ['blocks', (words: string) => blocks(text(words)).slice(0, -'","chart":null}],"assessment":null}'.length)],
])('an answer in %s that falls short', (_format, write) => {
  test.each([
    ['length', '*The answer was cut off'],
    ['filtered', '*The rest of the answer was held back'],
    ['refused', '*The model declined to answer this.*'],
  ] as const)('for %s keeps what came, and says so', async (reason, remark) => {
    const { text: answer, outcome } = await answerAtOnce([...say(write('T1 of Q0 is')), finish(reason)]);
    expect(answer).toMatch(/^T1 of Q0 is\n\n\*/);
    expect(answer).toContain(remark);
    expect(outcome.status).toBe('COMPLETED');
  });

  test.each([
    ['length', 'ANSWER_CUT_OFF'],
    ['filtered', 'CONTENT_FILTERED'],
    // Asked for once more.
    ['stop', 'EMPTY_ANSWER'],
  ] as const)('for %s without a word fails as %s', async (reason, code) => {
    const blank = [...say(write('')), finish(reason)];
    const { text: answer, outcome } = await answerAtOnce(...(reason === 'stop' ? [blank, blank] : [blank]));
    expect(answer).toBe('');
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code }, assessment: null });
  });
});

describe('an answer in blocks', () => {
  test('of a chart alone is an answer', async () => {
    const { outcome } = await answerAtOnce(say(blocks(chart(figure))));
    expect(outcome.status).toBe('COMPLETED');
  });

  test('that ends in a refusal shows the refusal as it is, marked', async () => {
    const { text: answer } = await answerAtOnce([
      ...say('{"blocks": ['),
      { type: 'refusal', text: 'I will' },
      { type: 'refusal', text: ' not | do that.' },
      finish('refused'),
    ]);
    expect(answer).toBe('I will not | do that.\n\n*The model declined to answer this.*');
  });

  test('that is no JSON from some point on says that the rest is lost', async () => {
    const { text: answer, dropped } = await answerAtOnce(say('{"blocks":[{"content":"Q0 is "good""}]}'));
    expect(answer).toBe('Q0 is \n\n*The rest of the answer could not be read.*');
    expect(dropped).toHaveLength(1);
  });
});

test('an answer ends without empty lines, and has one between its parts', async () => {
  const { text: answer } = await answerAtOnce(say(`${blocks(text('\n\nOne.\n'), text('Two.\n\n\n'))}\n`));
  expect(answer).toBe('One.\n\nTwo.');
});

test('words that are held back stand before the call that follows them', async () => {
  const model = createScriptedModel([
    [{ type: 'text', text: 'Let me | look' }, callTool('look', { id: '1' })],
    [{ type: 'text', text: 'Here' }, callTool('look', { id: '2' })],
    say('Done.'),
  ]);
  const { activities } = await runTurn(model, [
    testTool('look', () => Promise.resolve(resultOf('T1', drawn))),
  ]);
  const order = activities.flatMap(({ type }) => (type === 'text' || type === 'tool-started' ? [type] : []));
  expect(order.slice(0, 4)).toEqual(['text', 'tool-started', 'text', 'tool-started']);
});

test('the model receives the summary and the freshness of every result as the tool gave them', async () => {
  const freshness = fc.option(
    fc.record({
      source: fc.constantFrom('SNAPSHOT' as const, 'LIVE' as const),
      newestAt: fc.option(fc.date({ noInvalidDate: true })),
      oldestAt: fc.option(fc.date({ noInvalidDate: true })),
      staleAfterSeconds: fc.option(fc.nat()),
    }),
  );
  const rows = fc.array(fc.record({ t1: fc.double() }), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 400 }),
      freshness,
      rows,
      async (summary, given, data) => {
        const model = createScriptedModel([[callTool('look', { id: '1' })], say('Done.')]);
        const result = resultOf(summary, { freshness: given, data: { rows: data } });
        await runTurn(model, [testTool('look', () => Promise.resolve(result))], {
          limits: { resultCharacters: 4_000 },
        });
        const output = model.requests[1]?.input.find(({ type }) => type === 'tool-output');
        const received = JSON.parse(output?.type === 'tool-output' ? output.output : '') as Record<
          string,
          unknown
        >;
        expect(received['formattedSummary']).toBe(summary);
        expect(received['freshness']).toEqual(JSON.parse(JSON.stringify(given)));
      },
    ),
    { numRuns: 50 },
  );
});
