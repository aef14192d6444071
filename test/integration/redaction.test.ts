import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createLogger } from '../../src/base/log.ts';
import { startAnsweringServer, type AnsweringServer } from '../live/answering-server.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { frames, startModelServer, type ModelServer } from '../support/model-server.ts';
import { readEverything } from '../support/stored-rows.ts';

/** One secret for each place that it is planted in, so that one that comes out says where it came from. */
const PLANTED = {
  question: 'sk-question0abcdef12345',
  title: 'glpat-title0abcdefghijkl',
  rating: 'ghp_rating0abcdefghijklmnop',
  argument: 'sk-argument0abcdef12345',
  unknownTool: 'sk-unknowntool0abcdef12',
  note: 'hunter2-note-password',
  machineNote: 'sk-machinenote0abcdef12',
  taskMessage: 'taskmessagepassword1',
  cell: 'sk-cell0abcdefghijkl123',
  live: 'sk-live0abcdefghijkl123',
  liveError: 'liveerrorpassword1',
  answer: 'sk-ant-answer0abcdefghijkl',
  chart: 'sk-chart0abcdefghijkl12',
  provider: 'sk-provider0abcdefghijk',
  providerKey: 'odd/key of the environment',
  header: 'sk-header0abcdefghijk12',
  cookie: 'cookievalue0abcdefghijk',
  variable: 'sk-variable0abcdefghijk',
} as const;

const SEND = `mutation Ask($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { turn { id } session { id } } ... on UserError { message } } }`;
const EVENTS = `subscription ($sessionId: ID!) { copilotEvents(sessionId: $sessionId, afterSeq: 0) { __typename
  ... on TokenEvent { text offset } ... on StatusEvent { text } ... on ToolCallStartedEvent { description arguments }
  ... on ToolCallFinishedEvent { preview error { message } } ... on SourceFallbackEvent { text }
  ... on ChartEvent { chart { title data layout } } ... on TableEvent { table { title rows } }
  ... on TurnFinishedEvent { message { text } error { message } } } }`;
const SESSION = `query ($id: ID!) { copilotSession(id: $id) { title messages(first: 10) { nodes { id role text
  turn { toolCalls { tool arguments preview result error { message } } } } } } }`;
const CALIBRATION = `{ chip(chipId: "demo-64") { notes(first: 100) { nodes { note } }
  taskResults(first: 5, filter: { taskName: "CheckT1", qid: "0" }) { nodes { message notes } } } }`;

const delta = (more: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: more, finish_reason }],
});
const body = (...events: readonly object[]): string => `${frames(...events)}data: [DONE]\n\n`;
const call = (index: number, name: string, args: object) =>
  delta({
    tool_calls: [
      { index, id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
    ],
  });

/** The model's first response calls tools, its second one says a secret piece by piece, and a third one is refused. */
const REPLIES = [
  {
    body: body(
      call(0, 'get_calibration_notes', {
        chip_id: 'demo-64',
        kind: null,
        qid: null,
        execution_id: null,
        task_id: null,
        last_n: 100,
      }),
      call(1, 'get_latest_task_result', { chip_id: 'demo-64', task_name: 'CheckT1', qid: '0' }),
      call(2, 'query_dataset', {
        dataset: 'cells',
        columns: null,
        filters: null,
        group_by: null,
        aggregate: null,
        order_by: null,
        descending: false,
        limit: null,
      }),
      call(3, 'get_live_parameters', { chip_id: 'demo-64', qids: ['0'], param_names: ['t1'] }),
      call(4, 'get_qubit_params', { chip_id: 'demo-64', qid: PLANTED.argument }),
      call(5, 'send_mail', { to: `password=${PLANTED.unknownTool}` }),
      delta({}, 'tool_calls'),
    ),
  },
  {
    body: body(
      delta({ content: '{"blocks":[{"type":"text","content":"The key is sk-' }),
      ...Array.from(PLANTED.answer.slice(3), (character) => delta({ content: character })),
      delta({
        content: `, and that is all."},{"type":"chart","chart":${JSON.stringify({
          data: [{ type: 'bar', x: ['a'], y: [1], name: PLANTED.chart }],
          layout: { title: PLANTED.chart },
        })}}],"assessment":"good"}`,
      }),
      delta({}, 'stop'),
    ),
  },
  {
    status: 400,
    error: { message: `bad request with ${PLANTED.provider}, key ${PLANTED.providerKey}`, type: 'invalid' },
  },
];

const logged: string[] = [];
let model: ModelServer;
let live: AnsweringServer;
let collector: AnsweringServer;
let app: TestApp;
const traces: string[] = [];

beforeAll(async () => {
  [model, live, collector] = await Promise.all([
    startModelServer(REPLIES),
    startAnsweringServer(),
    startAnsweringServer(),
  ]);
  live.answerJson({ chip: PLANTED.live, at: '2026-05-20T00:00:00Z', values: [] });
  collector.answer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => void traces.push(chunk));
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  app = await createTestApp({
    demo: true,
    writesCalibration: true,
    log: createLogger('trace', { write: (line) => void logged.push(line) }),
    env: {
      LOG_MODEL_OUTPUT: '1',
      OPENAI_API_KEY: PLANTED.providerKey,
      OPENAI_BASE_URL: model.baseUrl,
      COPILOT_MODEL: 'gpt-4.1',
      LIVE_SOURCE_URL: `${live.url}/{chip}?password=${PLANTED.liveError}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: '1',
    },
  });
  await plantInMongo();
});
afterAll(async () => {
  await app.stop();
  await Promise.all([model.close(), live.close(), collector.close()]);
});

async function plantInMongo(): Promise<void> {
  const client = await MongoClient.connect(app.environment['MONGODB_URI']!);
  const db = client.db(app.environment['MONGODB_DB']);
  const chip = { project_id: 'demo', chip_id: 'demo-64' };
  await db.collection('chip_note').insertOne({
    ...chip,
    note: { content: `login: password=${PLANTED.note}`, updated_by: 'ada', updated_at: new Date() },
  });
  await db.collection('calibration_note').insertOne({
    ...chip,
    execution_id: 'e',
    task_id: 'master',
    note: { rig: { api: [PLANTED.machineNote] } },
    timestamp: new Date(),
  });
  await db
    .collection('task_result_history')
    .updateMany(
      { ...chip, name: 'CheckT1' },
      { $set: { message: `mongodb://rig:${PLANTED.taskMessage}@db/x` } },
    );
  await client.close();
}

async function upload(): Promise<string> {
  const query = `mutation ($input: CreateUploadInput!) { createUpload(input: $input) {
    ... on CreateUploadPayload { upload { id } } ... on UserError { message } } }`;
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { input: { file: null } } }));
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  form.set('0', new Blob([`qid,remark\n0,${PLANTED.cell}\n`], { type: 'text/csv' }), 'cells.csv');
  const headers = { accept: 'application/json', 'graphql-require-preflight': '1' };
  const response = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body: form });
  const { data } = (await response.json()) as { data: { createUpload: { upload: { id: string } } } };
  return data.createUpload.upload.id;
}

test('a secret comes out nowhere, wherever it was planted', async () => {
  const out: unknown[] = [];
  const say = async (query: string, variables: object, headers: Record<string, string> = {}) => {
    const answer = await post(app.url, query, { variables, headers });
    out.push(answer);
    return answer.data;
  };
  const send = async (content: string, more: object = {}): Promise<string> => {
    const input = { content, clientMessageId: randomUUID(), ...more };
    const data = await say(
      SEND,
      { input },
      { cookie: `sid=${PLANTED.cookie}`, authorization: `Bearer ${PLANTED.header}` },
    );
    const { session } = (data as { sendMessage: { session: { id: string } } }).sendMessage;
    let turns = 'sessionId' in more ? 2 : 1;
    for await (const { data: event } of sse(app.url, EVENTS, { sessionId: session.id })) {
      out.push(event);
      if (JSON.stringify(event).includes('TurnFinishedEvent') && --turns === 0) break;
    }
    return session.id;
  };

  const uploadId = await upload();
  const sessionId = await send(`What is T1 now? My key is ${PLANTED.question}.`, { uploadIds: [uploadId] });
  const read = (await say(SESSION, { id: sessionId })) as {
    copilotSession: {
      messages: { nodes: { id: string; role: string; text: string; turn: { toolCalls: object[] } }[] };
    };
  };
  const { nodes } = read.copilotSession.messages;
  const answer = nodes.find(({ role }) => role === 'ASSISTANT');
  // Everything came so far that a secret could have come with it.
  expect(answer?.text).toBe('The key is [redacted], and that is all.');
  expect(answer?.turn.toolCalls).toHaveLength(7); // six of the model, one by the server for "now"
  expect(nodes.find(({ role }) => role === 'USER')?.text).toBe('What is T1 now? My key is [redacted].');
  const sent = JSON.stringify(model.requests.at(-1));
  for (const words of ['login: password=[redacted]', 'mongodb://rig:[redacted]@db/x', 'remark']) {
    expect(sent).toContain(words);
  }

  live.answer((_request, response) => void response.writeHead(500).end(`secret: ${PLANTED.live}`));
  await send('And now?', { sessionId });
  await say('mutation ($input: RenameSessionInput!) { renameSession(input: $input) { __typename } }', {
    input: { sessionId, title: PLANTED.title },
  });
  await say('mutation ($input: RateMessageInput!) { rateMessage(input: $input) { __typename } }', {
    input: { messageId: answer?.id, rating: 1, comment: PLANTED.rating, correctedAnswer: PLANTED.rating },
  });
  await say(SESSION, { id: sessionId });
  await say(CALIBRATION, {});
  await say('{ viewer { id } }', {}, { 'x-project-id': PLANTED.header });
  await say(SEND, { input: { content: 5, model: PLANTED.variable } });
  await say(SEND, { input: { content: 'x', clientMessageId: 'x', model: PLANTED.variable } });
  const stored = await readEverything(app.environment['DATABASE_URL']!);
  await app.stop(); // sends the last traces

  const places = {
    'answers and events': JSON.stringify(out),
    'stored rows': stored,
    'what a provider was sent': JSON.stringify(model.requests),
    'the log': logged.join(''),
    traces: traces.join(''),
  };
  for (const text of Object.values(places)) expect(text.length).toBeGreaterThan(500);
  // What a model put out goes back to it as it came: its provider knows it, and may have signed it.
  const ofModel = [PLANTED.argument, PLANTED.unknownTool] as readonly string[];
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(PLANTED)
      .filter(([, secret]) => text.includes(secret))
      .filter(([, secret]) => !(place === 'what a provider was sent' && ofModel.includes(secret)))
      .map(([planted]) => `${planted} in ${place}`),
  );
  expect(leaks).toEqual([]);
});
