/** Series S of docs/agent-rules.md: schemas that a strict model can be held to. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { promptText } from '../../../src/agent/prompt/prompt-section.ts';
import { chatPrompt } from '../../../src/agent/prompt/prompt.ts';
import { readPromptTexts } from '../../../src/agent/prompt/prompt-texts.ts';
import { prepareCall } from '../../../src/agent/loop/prepare-call.ts';
import { createToolRegistry } from '../../../src/agent/tool-registry.ts';
import type { Json, JsonObject } from '../../../src/domain/visuals.ts';
import { testTool } from '../../support/agent-run.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase } from '../../support/demo-database.ts';
import { promptContext } from '../../support/prompt-context.ts';
import { allTools, everyTool, openToolBench, type ToolBench } from '../../support/tool-bench.ts';
import { leastArguments } from './least-arguments.ts';

describe('S1: the schema of each tool is strict at every depth', () => {
  test.each(everyTool.schemas.map(({ name, parameters }) => [name, parameters] as const))(
    'S1: %s requires all properties and takes no others',
    (_name, parameters) => {
      for (const node of nodesOf(parameters)) {
        expect(node).not.toHaveProperty('default');
        expect(node).not.toHaveProperty('$ref');
        if (node['type'] !== 'object') continue;
        expect(node['additionalProperties']).toBe(false);
        expect(node['required']).toEqual(Object.keys(node['properties'] as JsonObject));
      }
    },
  );

  test('S1: what stands inside lists is looked at too', () => {
    const { parameters } = everyTool.schemas.find(({ name }) => name === 'query_dataset')!;
    const objects = [...nodesOf(parameters)].filter(({ type }) => type === 'object');
    expect(objects.map(({ required }) => required)).toEqual(
      expect.arrayContaining([
        ['column', 'op', 'value'],
        ['column', 'figure'],
      ]),
    );
  });
});

/** Every schema within a schema; names of properties are no keywords. */
function* nodesOf(schema: Json): Generator<JsonObject> {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const node = schema as JsonObject;
  yield node;
  const { properties = null, items = null, anyOf = null } = node;
  for (const property of Object.values((properties ?? {}) as JsonObject)) yield* nodesOf(property);
  for (const option of (anyOf ?? []) as readonly Json[]) yield* nodesOf(option);
  yield* nodesOf(items);
}

const prepared = (name: string, args: object | string, registry = everyTool) =>
  prepareCall(
    { callId: 'c', name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    registry,
    (error) => {
      throw error;
    },
  );

const propertiesOf = (name: string) =>
  everyTool.schemas.find((schema) => schema.name === name)!.parameters['properties'] as Record<
    string,
    JsonObject
  >;
/**
 * Every argument that is text or null, with its tool; what is about uploads and live sources needs more than a chip.
 */
const OPTIONAL_TEXTS = allTools.names
  .filter((name) => name !== 'query_dataset')
  .flatMap((name) =>
    Object.entries(propertiesOf(name))
      .filter(([, { type }]) => Array.isArray(type) && type.includes('string') && type.includes('null'))
      .map(([argument]) => [argument, name] as const),
  );

let bench: ToolBench;
let closeDemo: () => Promise<void>;
beforeAll(async () => {
  const demo = await openDemoDatabase();
  closeDemo = () => demo.close();
  bench = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW });
});
afterAll(() => closeDemo());

describe('S2: what is optional has a way to say that it is not given', () => {
  test('S2: an argument that may be null and is left out counts as null', () => {
    const registry = createToolRegistry([testTool('look')], () => []);
    for (const text of ['', '{}', '{"id":null}']) {
      expect(prepared('look', text, registry)).toMatchObject({ runnable: true, checked: { id: null } });
    }
  });

  test.each(OPTIONAL_TEXTS)('S2: an empty text for %s of %s is the same as null', async (argument, name) => {
    const args = leastArguments(name);
    const unsaid = await bench.call(name, { ...args, [argument]: null });
    expect(await bench.call(name, { ...args, [argument]: '' })).toEqual(unsaid);
  });
});

describe('S3: the tool that draws charts', () => {
  const series = (count: number) => Array.from({ length: count }, () => ({ name: '', y_field: 'T1' }));
  const chart = {
    df_name: 'dataset_T1_sweep',
    logical_name: '',
    chart_type: 'line',
    x_field: 'at',
    x_label: '',
    y_label: '',
    series: series(1),
    title: '',
    note: '',
  };
  const { note: _note, ...withoutNote } = chart;

  test.each<[string, object]>([
    ['one series', chart],
    ['ten series', { ...chart, series: series(10) }],
    ...['bar', 'column', 'stacked_column', 'line', 'scatter'].map((chart_type): [string, object] => [
      chart_type,
      { ...chart, chart_type },
    ]),
  ])('S3: takes %s', (_name, args) => {
    expect(prepared('make_chart', args)).toMatchObject({ runnable: true });
  });

  test.each([
    ['no series', { ...chart, series: [] }, /series: /],
    ['eleven series', { ...chart, series: series(11) }, /series: /],
    ['a type that it does not know', { ...chart, chart_type: 'pie' }, /chart_type: .*"stacked_column"/],
    ['another key', { ...chart, colour: 'red' }, /Unrecognized key: "colour"/],
    [
      'another key in a series',
      { ...chart, series: [{ ...series(1)[0], colour: 'red' }] },
      /series\.0: Unrecognized key/,
    ],
    ['no note', withoutNote, /note: /],
  ])('S3: refuses %s, and says what it takes', (_name, args, message) => {
    const refused = prepared('make_chart', args);
    expect(refused).toMatchObject({ runnable: false, error: { message: expect.stringMatching(message) } });
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('expected arguments like') } });
  });
});

test('S4: the prompt says to send every argument, and how to say that one is not given', async () => {
  const prompt = promptText(chatPrompt(await readPromptTexts(), promptContext()));
  expect(prompt).toMatch(/send every argument of a tool; null or an empty text means not given/);
});
