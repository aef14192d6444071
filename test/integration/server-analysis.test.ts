/**
 * An analysis from the model's code to what a client reads: the sandbox, the charts and tables, and what is kept of
 * them.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { argumentsOf } from '../support/tool-bench.ts';
import { bodyOf } from '../support/wire-bodies.ts';

/** An honest figure and table of the values that were fetched, a hostile figure, and one that is none. */
const CODE = `
rows = [(q["qid"], q["t1"]) for q in data["chip_summary"]["qubits"] if q.get("t1") is not None]
honest = {"data": [{"type": "bar", "x": [r[0] for r in rows], "y": [r[1] for r in rows] + [float("nan")]}],
          "layout": {"title": "T1 by qubit"}}
hostile = {"data": [{"type": "bar", "x": ["<script>alert(1)</script>"], "y": [float("inf")],
                     "marker": {"color": "url(https://evil.invalid)"}, "href": "javascript:alert(1)"}],
           "layout": {"title": "<img src=x onerror=alert(1)>T1", "images": [{"source": "https://evil.invalid"}],
                      "annotations": [{"text": "<a href='https://evil.invalid'>x</a>", "clicktoshow": "onoff"}],
                      "mapbox2": {"style": "https://evil.invalid"}, "_context": {"plotlyServerURL": "https://evil.invalid"}},
           "config": {"plotlyServerURL": "https://evil.invalid"}, "frames": [{"data": []}]}
result = {"output": f"{len(rows)} qubits", "chart": [honest, hostile, {"layout": {}}],
          "tables": {"t1_by_qubit": [{"qid": r[0], "t1": r[1]} for r in rows]}}
`;

const TURN = `subscription ($id: ID!) { copilotEvents(sessionId: $id) { __typename
  ... on ChartEvent { chart { id title callId } } ... on TableEvent { table { id title callId } }
  ... on TurnFinishedEvent { turn { toolCalls { callId status preview result } }
    message { blocks { __typename
      ... on ChartBlock { chart { title kind data layout } }
      ... on TableBlock { table { title rowCount columns { key } rows } } } } } } }`;
const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { session { id } } } }`;

type Finished = {
  readonly turn: { readonly toolCalls: readonly { callId: string; status: string; result: ToolResult }[] };
  readonly message: { readonly blocks: readonly Block[] };
};
type ToolResult = { readonly formattedSummary: string; readonly source: string };
type Block = {
  readonly chart?: { title: string; kind: string; data: readonly Record<string, unknown>[]; layout: unknown };
  readonly table?: { title: string; rowCount: number; columns: readonly { key: string }[]; rows: unknown };
};

let app: TestApp;
let model: ModelServer;
let events: readonly Record<string, unknown>[];
let finished: Finished;

beforeAll(async () => {
  const call = (id: string, name: string, given: object) =>
    bodyOf('responses', [{ call: [id, name, JSON.stringify(argumentsOf(name, given))] }]);
  model = await startModelServer([
    { body: call('fetched', 'get_chip_summary', {}) },
    { body: call('analysed', 'execute_python_analysis', { code: CODE }) },
    { body: call('again', 'execute_python_analysis', { code: 'print(len(data["t1_by_qubit"]))' }) },
    { body: bodyOf('responses', [{ text: 'Done.' }]) },
  ]);
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses' };
  app = await createTestApp({ demo: true, env });
  await app.app.warmUp();
  const input = { content: 'Show T1 by qubit.', chipId: 'demo-64', clientMessageId: 'analysis' };
  const sent = await post(app.url, SEND, { variables: { input } });
  const { session } = (sent.data as { sendMessage: { session: { id: string } } }).sendMessage;
  const heard: Record<string, unknown>[] = [];
  for await (const { data } of sse(app.url, TURN, { id: session.id })) {
    heard.push(data!['copilotEvents'] as Record<string, unknown>);
    if (heard.at(-1)?.['__typename'] === 'TurnFinishedEvent') break;
  }
  events = heard;
  finished = heard.at(-1) as unknown as Finished;
});
afterAll(async () => {
  await app.stop();
  await model.close();
});

const resultOf = (callId: string): ToolResult =>
  finished.turn.toolCalls.find((call) => call.callId.startsWith(`${callId}@`))!.result;

test('runs over what was fetched, keeps its tables for the next one, and says what it could not show', () => {
  expect(finished.turn.toolCalls).toMatchObject([
    { callId: expect.stringMatching(/^fetched@/), status: 'OK' },
    {
      callId: expect.stringMatching(/^analysed@/),
      status: 'OK',
      preview: '64 qubits',
      result: { source: 'SANDBOX' },
    },
    { callId: expect.stringMatching(/^again@/), status: 'OK', preview: '64' },
  ]);
  const lines = resultOf('analysed').formattedSummary.split('\n');
  expect(lines).toEqual([
    '64 qubits',
    'Shown to the user: T1 by qubit, T1, t1_by_qubit.',
    'Kept for later analysis: t1_by_qubit.',
    expect.stringMatching(/^Chart 3 is left out: it is a dict without "data"/),
    expect.stringMatching(
      /^T1: shown without layout\.images, layout\.mapbox2, tags, addresses, href, _context;/,
    ),
  ]);
});

test('the model reads the same words', () => {
  const outputs = model.requests[2]!['input'] as readonly Record<string, string>[];
  const read = outputs.find(
    ({ type, call_id }) => type === 'function_call_output' && call_id === 'analysed',
  )!;
  expect(JSON.parse(read['output']!)).toMatchObject({
    formattedSummary: resultOf('analysed').formattedSummary,
  });
});

test('its charts and table are told as they are made, and stand in the message with the values', () => {
  const told = events.flatMap(
    ({ chart, table }) => (chart ?? table ?? []) as { title: string; callId: string },
  );
  expect(told.filter(({ callId }) => callId.startsWith('analysed@')).map(({ title }) => title)).toEqual([
    'T1 by qubit',
    'T1',
    't1_by_qubit',
  ]);
  const [chart] = shown('T1 by qubit');
  expect(chart).toMatchObject({ chart: { kind: 'BAR', layout: { title: { text: 'T1 by qubit' } } } });
  const [{ x, y }] = chart!.chart!.data as [{ x: unknown[]; y: unknown[] }];
  expect([x.length, y.length, y.at(-1)]).toEqual([64, 65, null]);
  const [table] = shown('t1_by_qubit');
  expect(table!.table).toMatchObject({ rowCount: 64, columns: [{ key: 'qid' }, { key: 't1' }] });
  expect((table!.table!.rows as { t1: number }[]).map(({ t1 }) => t1)).toEqual(y.slice(0, -1));
});

test('nothing that a page would run or load reaches a client', () => {
  expect(shown('T1')).toMatchObject([
    { chart: { data: [{ x: ['&lt;script>alert(1)&lt;/script>'], y: [null] }] } },
  ]);
  expect(JSON.stringify(finished.message)).not.toMatch(
    /<script|<img|<a |onerror=[^>]*<|evil\.invalid"|url\(|javascript:|mapbox|_context|plotlyServerURL|frames/,
  );
});

const shown = (title: string): readonly Block[] =>
  finished.message.blocks.filter(({ chart, table }) => (chart ?? table)?.title === title);
