/** What a process shows of itself to who runs it: probes, metrics, and that the board and the page know the same metrics. */
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { Registry } from 'prom-client';
import { createGauges, registry } from '../../src/base/metrics.ts';
import { readConfig } from '../../src/config/config.ts';
import { heldTurns } from '../support/chat.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { startModelServer } from '../support/model-server.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { connect } from '../support/websocket-client.ts';
import { bodyOf } from '../support/wire-bodies.ts';

const TOKEN = 'a-token-of-some-length';
const SEND = `mutation ($content: String!, $chipId: String) {
  sendMessage(input: { content: $content, clientMessageId: "1", chipId: $chipId }) {
    ... on SendMessagePayload { session { id } turn { id } } } }`;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const probed = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, body: (await answer.json()) as unknown };
};
const operationsOf = (app: TestApp): string => app.app.operationsUrl!;
const scrape = async (app: TestApp, authorization = `Bearer ${TOKEN}`) =>
  fetch(`${operationsOf(app)}/metrics`, { headers: { authorization } });

describe('probes', () => {
  test('a server whose store is away is alive, not ready, and says only which', async () => {
    const ready = {
      mongo: async () => undefined,
      postgres: () => Promise.reject(new Error('connect ECONNREFUSED postgres://secret@db:5432')),
    };
    const server = await startTestServer({}, { health: { required: {}, optional: {}, ready } });
    cleanUps.push(() => server.close());
    expect(await probed(`${server.url}/livez`)).toEqual({ status: 200, body: { status: 'alive' } });
    expect(await probed(`${server.url}/readyz`)).toEqual({
      status: 503,
      body: { status: 'not ready', notReady: ['postgres'] },
    });
  });

  test('a server that drains is alive and not ready, on its own port while it still serves, and on the other to the end', async () => {
    const held = heldTurns();
    const env = { METRICS_PORT: '0', DRAIN_NOTICE_SECONDS: '1' };
    const app = await createTestApp({ answerTurn: held.answerTurn, runnerTimes: { drainMs: 20_000 }, env });
    cleanUps.push(() => app.stop());
    const { data } = await post(app.url, SEND, { variables: { content: 'Hi' } });
    const { turn } = (data as { sendMessage: { turn: { id: string } } }).sendMessage;
    const running = await held.of({ id: Buffer.from(turn.id, 'base64url').toString().replace('Turn:', '') });
    const operations = operationsOf(app);
    expect(await probed(`${app.url}/readyz`)).toEqual({
      status: 200,
      body: { status: 'ready', notReady: [] },
    });
    const stopping = app.stop();
    const draining = { status: 503, body: { status: 'not ready', notReady: ['draining'] } };
    expect(await probed(`${app.url}/readyz`)).toEqual(draining);
    expect((await post(app.url, '{ __typename }')).data).toEqual({ __typename: 'Query' });
    await until(() =>
      fetch(`${app.url}/livez`).then(
        () => false,
        () => true,
      ),
    );
    expect((await probed(`${operations}/livez`)).status).toBe(200);
    expect(await probed(`${operations}/readyz`)).toEqual(draining);
    running.say('To the end.');
    running.finish();
    await stopping;
    await expect(fetch(`${operations}/livez`)).rejects.toThrow();
  });
});

describe('metrics', () => {
  test('count what a turn did, to who has the token, and repeat no words', async () => {
    const words = 'words that nobody may count';
    const model = await startModelServer([
      { body: bodyOf('responses', [{ call: ['c1', 'get_chip_summary', '{"chip_id":"demo-64"}'] }]) },
      { body: bodyOf('responses', [{ call: ['c2', 'made_up_tool', '{}'] }]) },
      { body: bodyOf('responses', [{ text: 'words of the model' }]) },
    ]);
    cleanUps.push(() => model.close());
    const env = {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API: 'responses',
      COPILOT_MODEL: 'any-model',
      METRICS_PORT: '0',
      METRICS_TOKEN: TOKEN,
    };
    const app = await createTestApp({ demo: true, env });
    cleanUps.push(() => app.stop());
    expect((await scrape(app, 'Bearer wrong')).status).toBe(401);
    expect((await probed(`${operationsOf(app)}/readyz`)).status).toBe(200);
    const linesNow = async () => (await (await scrape(app)).text()).split('\n');
    const earlier = await linesNow();
    const countIn = (of: readonly string[], name: string) =>
      Number(
        of
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    /** Since the turn was sent: earlier turns of this process are counted, too. */
    const counted = async (name: string) => countIn(await linesNow(), name) - countIn(earlier, name);
    const TURNS = 'qpilot_turns_total{kind="COPILOT",status="COMPLETED",model="any-model"}';
    await post(app.url, SEND, { variables: { content: words, chipId: 'demo-64' } });
    await until(async () => (await counted(TURNS)) === 1, { what: 'the end of the turn' });
    expect([
      await counted('qpilot_model_calls_total{model="any-model",error="none"}'),
      await counted('qpilot_model_first_word_seconds_count{model="any-model"}'),
      // On a machine that is busy elsewhere the tool may run out of its time.
      (await counted('qpilot_tool_calls_total{tool="get_chip_summary",status="OK"}')) +
        (await counted('qpilot_tool_calls_total{tool="get_chip_summary",status="TIMEOUT"}')),
      await counted('qpilot_tool_calls_total{tool="other",status="ERROR"}'),
    ]).toEqual([3, 1, 1, 1]);
    expect(await counted('qpilot_http_request_seconds_count{route="/graphql",status="200"}')).toBeGreaterThan(
      0,
    );
    const lines = await linesNow();
    expect(lines).toEqual(
      expect.arrayContaining([
        'qpilot_store_up{store="postgres"} 1',
        'qpilot_store_up{store="mongo"} 1',
        'qpilot_turns_waiting 0',
        'qpilot_jobs{status="CREATED"} 0',
        'qpilot_sockets 0',
      ]),
    );
    const valueOf = (start: string): number =>
      Number(
        lines
          .find((line) => line.startsWith(start))
          ?.split(' ')
          .at(-1),
      );
    expect(valueOf('qpilot_tokens_total{model="any-model",type="output"}')).toBeGreaterThan(0);
    expect(valueOf('qpilot_mongodb_command_seconds_count{command="find",outcome="ok"}')).toBeGreaterThan(0);
    expect(valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    const text = lines.join('\n');
    for (const secret of [words, 'words of the model', 'made_up_tool', 'demo-64', TOKEN])
      expect(text).not.toContain(secret);
  });

  test('of two servers in one process do not mix: each shows its own sockets', async () => {
    const env = { METRICS_PORT: '0', METRICS_TOKEN: TOKEN };
    const apps = await Promise.all([createTestApp({ env }), createTestApp({ env })]);
    for (const app of apps) cleanUps.push(() => app.stop());
    const raw = await connect(apps[0].url);
    const lines = await Promise.all(apps.map(async (app) => (await (await scrape(app)).text()).split('\n')));
    expect(lines.map((each) => each.filter((line) => line.startsWith('qpilot_sockets ')))).toEqual([
      ['qpilot_sockets 1'],
      ['qpilot_sockets 0'],
    ]);
    raw.socket.close();
    await raw.closed;
  });

  test('are not shown to a network without a token, and a wrong token is not repeated', () => {
    const open = { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' };
    expect(() => readConfig(open)).toThrow(/METRICS_HOST=0.0.0.0 would show .* set METRICS_TOKEN/);
    expect(readConfig({ ...open, METRICS_TOKEN: TOKEN }).metrics).toEqual({
      host: '0.0.0.0',
      port: 9464,
      token: TOKEN,
    });
    const short = () => readConfig({ ...open, METRICS_TOKEN: 'hunter2' });
    expect(short).toThrow(/METRICS_TOKEN: must have 16 characters/);
    expect(short).not.toThrow(/hunter2/);
  });

  test('the board asks only for metrics and labels that exist, and board and page know every one of ours', async () => {
    const gauges = createGauges().registry;
    const known = new Map(
      (await Registry.merge([registry, gauges]).getMetricsAsJSON()).flatMap(({ name, type }) =>
        type.toString() === 'histogram'
          ? ['_bucket', '_sum', '_count'].map((end) => [name + end, name] as const)
          : [[name, name] as const],
      ),
    );
    const board = await readFile('docs/operations/grafana.json', 'utf8');
    const queries = [...board.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => JSON.parse(`"${text}"`) as string,
    );
    expect(queries.length).toBeGreaterThan(20);
    const asked = queries.flatMap((query) => query.match(/\b(?:qpilot|nodejs|process)_\w+/g) ?? []);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
    expect(queries.filter((query) => !/\b(?:qpilot|nodejs|process)_\w+/.test(query))).toEqual([]);
    const ours = [...new Set(known.values())].filter((name) => name.startsWith('qpilot_'));
    const onBoard = new Set(asked.map((name) => known.get(name)));
    expect(ours.filter((name) => !onBoard.has(name))).toEqual([]);
    const page = await readFile('docs/operations/monitoring.md', 'utf8');
    expect(ours.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const labelsOf = (name: string): readonly string[] =>
      [registry, gauges].flatMap(
        (each) =>
          (
            each.getSingleMetric(known.get(name) ?? name) as unknown as
              { readonly labelNames: string[] } | undefined
          )?.labelNames ?? [],
      );
    for (const query of queries) {
      const [name = ''] = /\b(?:qpilot|nodejs|process)_\w+/.exec(query) ?? [];
      const asks = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '));
      expect(['instance', 'le', ...labelsOf(name)]).toEqual(expect.arrayContaining(asks));
    }
  });
});
