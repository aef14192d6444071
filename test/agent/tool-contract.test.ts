/** What holds for the answers of all tools alike: they have four parts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { frames, startModelServer, type ModelServer } from '../support/model-server.ts';
import { argumentsOf } from '../support/tool-bench.ts';

/** Small and large results, with and without an age, of four sources. */
const CALLS = [
  ['get_chip_summary', {}],
  ['search_task_results', { last_n: 100 }],
  ['find_outliers', { metric_name: 'average_readout_fidelity' }],
  ['get_calibration_notes', {}],
  ['list_entities', { kind: 'metric' }],
  ['get_lab_context', {}],
] as const;

const callFrames = CALLS.map(([name, given], index) => ({
  type: 'response.output_item.done',
  output_index: index,
  item: {
    type: 'function_call',
    id: `item-${index}`,
    call_id: `call-${index}`,
    name,
    arguments: JSON.stringify(argumentsOf(name, given)),
    status: 'completed',
  },
}));
const completed = { type: 'response.completed', response: { status: 'completed', output: [], usage: null } };
const answer = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Done.' };

type Result = {
  readonly formattedSummary: string;
  readonly freshness: object | null;
  readonly source: string;
};
type Recorded = {
  readonly tool: string;
  readonly status: string;
  readonly result: Result;
};

/** A short text has the first lines and the last one, and says how many are between. */
function fullLines(short: string, whole: string): boolean {
  const left = /\n\((\d+) more lines?\)\n/u.exec(short);
  if (left === null) return short === whole;
  const lines = whole.split('\n');
  lines.splice(lines.length - 1 - Number(left[1]), Number(left[1]), left[0].trim());
  return lines.join('\n') === short;
}

describe('a model receives of each call', () => {
  let app: TestApp;
  let model: ModelServer;
  let recorded: readonly Recorded[];
  let received: ReadonlyMap<string, Readonly<Record<string, unknown>>>;

  beforeAll(async () => {
    model = await startModelServer([
      { body: frames(...callFrames, completed) },
      { body: frames(answer, completed) },
    ]);
    const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses' };
    app = await createTestApp({ demo: true, env });
    recorded = await callsOfTurn(app.url, 'How is the chip?');
    const input = model.requests[1]!['input'] as readonly Record<string, string>[];
    received = new Map(
      input
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id, output }) => [call_id!, JSON.parse(output!) as Record<string, unknown>]),
    );
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
  });

  test('an answer, and each went well', () => {
    expect([...received.keys()]).toEqual(callFrames.map(({ item }) => item.call_id));
    expect(recorded.map(({ tool, status }) => [tool, status])).toEqual(CALLS.map(([name]) => [name, 'OK']));
  });

  test.each(CALLS.map(([name], index) => [name, index] as const))(
    'summary and age of %s as they were made, beside data and source',
    (_name, index) => {
      const { result } = recorded[index]!;
      const read = [...received.values()][index]!;
      expect(Object.keys(read).filter((key) => key !== '_note')).toEqual([
        'data',
        'formattedSummary',
        'freshness',
        'source',
      ]);
      expect(fullLines(read['formattedSummary'] as string, result.formattedSummary)).toBe(true);
      expect(read['freshness']).toEqual(result.freshness);
      expect(read['source']).toBe(result.source);
    },
  );

  test('the same summary and age where the data had to be cut', () => {
    const read = received.get('call-1')!;
    expect(read['_note']).toMatch(
      /^Cut to fit: data\.results: \d+ of 100 shown\. Narrow it by task_name, qid,/,
    );
    expect(read['formattedSummary']).toMatch(/^Task results on demo-64: the newest 100 runs/);
    expect(JSON.stringify(read).length).toBeLessThanOrEqual(1_500);
  });
});

/** Asks, waits for the end, and gives the calls of the turn as they are kept. */
async function callsOfTurn(url: string, content: string): Promise<readonly Recorded[]> {
  const sent = await post(
    url,
    `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
      ... on SendMessagePayload { session { id } } } }`,
    { variables: { input: { content, chipId: 'demo-64', clientMessageId: 'contract' } } },
  );
  const { session } = (sent.data as { sendMessage: { session: { id: string } } }).sendMessage;
  const events = sse(
    url,
    `subscription ($sessionId: ID!) { copilotEvents(sessionId: $sessionId) {
      ... on TurnFinishedEvent { turn { toolCalls { tool status result } } } } }`,
    { sessionId: session.id },
  );
  for await (const { data } of events) {
    const { turn } = data!['copilotEvents'] as { turn?: { toolCalls: Recorded[] } };
    if (turn !== undefined) return turn.toolCalls;
  }
  throw new Error('the turn did not end');
}
