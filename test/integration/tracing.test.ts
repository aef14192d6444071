import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { completed, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';
import { connect } from '../support/websocket-client.ts';

const SEND = `mutation Ask($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { turn { id } session { id } } } }`;
const SESSION = `query ($id: ID!) { copilotSession(id: $id) { messages(first: 10) { nodes { role } } } }`;

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };
type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
};

/** An OTLP collector that keeps what it was sent. */
let collector: Server;
let received: ReceivedSpan[] = [];
let app: TestApp | null = null;

beforeEach(async () => {
  received = [];
  collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
      };
      received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  try {
    await app?.stop();
  } finally {
    app = null;
    await new Promise((resolve) => collector.close(resolve));
  }
});

const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

/** Asks over HTTP and waits for the answer to be stored. */
async function ask(to: TestApp, content: string, headers: Record<string, string> = {}): Promise<void> {
  const variables = { input: { content, clientMessageId: randomUUID() } };
  const { data } = await post(to.url, SEND, { variables, headers });
  const { session } = (data as { sendMessage: { session: { id: string } } }).sendMessage;
  await until(async () => {
    const read = await post(to.url, SESSION, { variables: { id: session.id } });
    return JSON.stringify(read.data).includes('ASSISTANT');
  });
}

/** The names of the spans above a span, outermost first, itself last. */
function pathTo(span: ReceivedSpan): readonly string[] {
  const parent = received.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathTo(parent) : []), span.name];
}

const valueOf = (span: ReceivedSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

test('one question is one trace, from the request to the queries of its tools', async () => {
  const running = await createTestApp({ demo: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() } });
  app = running;
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await ask(running, 'Which five qubits have the shortest T1?', {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  });
  await running.stop(); // sends what is left
  app = null;

  const ofQuestion = received.filter((span) => span.traceId === traceId);
  const paths = ofQuestion.map((span) => pathTo(span).join(' > '));
  const turn = 'POST /graphql > graphql mutation Ask > sendMessage > invoke_agent copilot';
  expect(paths).toEqual(
    expect.arrayContaining([
      'POST /graphql',
      turn,
      `${turn} > chat offline-analyst`,
      `${turn} > execute_tool rank_qubits`,
      expect.stringMatching(new RegExp(`^${turn} > execute_tool rank_qubits > (find|aggregate) `)),
      expect.stringMatching(/ > sendMessage > WITH turns$/),
      expect.stringMatching(/ > invoke_agent copilot > WITH sessions$/),
    ]),
  );
  const chat = ofQuestion.find(({ name }) => name === 'chat offline-analyst');
  expect(valueOf(chat, 'gen_ai.operation.name')).toBe('chat');
  expect(valueOf(chat, 'gen_ai.request.model')).toBe('offline-analyst');
  expect(valueOf(chat, 'gen_ai.response.finish_reasons')).toEqual({ values: [{ stringValue: 'calls' }] });
  expect(valueOf(chat, 'gen_ai.usage.input_tokens')).toBe(0); // it is no language model
  const query = ofQuestion.find(
    (span) => pathTo(span).includes('execute_tool rank_qubits') && /^(find|aggregate) /.test(span.name),
  );
  expect(valueOf(query, 'db.system.name')).toBe('mongodb');
  // Nothing of what was said, and no trace but those of requests: what the server does by itself has none.
  expect(JSON.stringify(received)).not.toContain('shortest');
  expect(received.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /graphql']),
  );
  expect(new Set(received.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name)).size).toBe(1);
});

test('a turn belongs to the trace of its own request, over a WebSocket and from the queue too', async () => {
  const gate = Promise.withResolvers<void>();
  const running = await createTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() },
    answerTurn: async ({ emit }) => {
      await gate.promise;
      emit(text('Done.'));
      return completed;
    },
  });
  app = running;
  const traceIds = ['1'.repeat(32), '2'.repeat(32)];
  const parents = traceIds.map((id) => `00-${id}-b7ad6b7169203331-01`);
  const socket = await connect(running.url);
  const send = async (id: string, input: object, traceparent: string): Promise<string> => {
    const variables = { input: { content: 'Hi', clientMessageId: id, ...input } };
    socket.send({ type: 'subscribe', id, payload: { query: SEND, variables, extensions: { traceparent } } });
    const { payload } = await socket.next();
    await socket.next(); // complete
    return (payload as { data: { sendMessage: { session: { id: string } } } }).data.sendMessage.session.id;
  };
  const sessionId = await send('a', {}, parents[0]!);
  await send('b', { sessionId, whenBusy: 'QUEUE' }, parents[1]!);
  gate.resolve();
  await until(async () => {
    const { data } = await post(running.url, SESSION, { variables: { id: sessionId } });
    return JSON.stringify(data).match(/ASSISTANT/gu)?.length === 2;
  });
  socket.socket.close();
  await running.stop();
  app = null;
  const turns = received.filter(({ name }) => name === 'invoke_agent copilot');
  expect(turns.map(({ traceId }) => traceId).toSorted()).toEqual(traceIds);
  expect(turns.map((turn) => pathTo(turn).join(' > '))).toEqual(
    Array(2).fill('WebSocket operation > graphql mutation Ask > sendMessage > invoke_agent copilot'),
  );
});

test('words stand in a trace where a setting says so, without secrets', async () => {
  const running = await createTestApp({
    demo: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: '1',
    },
  });
  app = running;
  await ask(running, 'Which five qubits have the shortest T1? My key is sk-abcdefgh12345678.');
  await running.stop();
  app = null;
  expect(JSON.stringify(received)).toContain('shortest T1? My key is [redacted]');
  expect(JSON.stringify(received)).not.toContain('sk-abcdefgh');
});

test('a collector that is away costs nothing but the spans', async () => {
  app = await createTestApp({ demo: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } });
  await ask(app, 'How many qubits has the chip?');
});
