import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  startControlServer,
  type ControlServer,
} from '../../src/import/demo/control-server/control-server.ts';
import { createLiveLimiter, LIVE_CALL_LIMITS } from '../../src/sources/live/limiter.ts';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { post, sse } from '../support/graphql-client.ts';
import { startAnsweringServer, type AnsweringServer } from './answering-server.ts';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { session { id } } } }`;
const EVENTS = `subscription ($sessionId: ID!) { copilotEvents(sessionId: $sessionId) { __typename
  ... on SourceFallbackEvent { from to reason text }
  ... on ToolCallStartedEvent { tool round arguments }
  ... on ToolCallFinishedEvent { dataSource preview freshness { source } }
  ... on TurnFinishedEvent { status message { text freshness { source isStale } } } } }`;

let now: Date;
let app: TestApp;
let control: ControlServer;
let source: AnsweringServer;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  now = DEMO_NOW;
  control = await startControlServer({ port: 0, seed: 1, now: () => now });
  source = await startAnsweringServer();
  const env = { DATABASE_URL: database.url, LIVE_SOURCE_URL: `${source.url}/chips/{chip}` };
  app = await createTestApp({ demo: true, env, now: () => now });
});
beforeEach(() => {
  now = DEMO_NOW;
  source.answer(({ url = '' }, response) => {
    void fetch(`${control.url}${url}`).then(async (answer) => response.end(await answer.text()));
  });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([control.close(), source.close(), database.drop()]);
});

type Event = {
  readonly __typename: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly message?: {
    readonly text: string;
    readonly freshness: readonly { readonly source: string; readonly isStale: boolean }[];
  };
};

/** Asks the offline analyst and follows its answer to the end. */
async function ask(content: string) {
  const before = source.requests.length;
  const { data } = await post(app.url, SEND, {
    variables: { input: { content, chipId: 'demo-64', clientMessageId: randomUUID() } },
  });
  const { session } = (data as { sendMessage: { session: { id: string } } }).sendMessage;
  const events: Event[] = [];
  for await (const answer of sse(app.url, EVENTS, { sessionId: session.id })) {
    events.push(answer.data!['copilotEvents'] as Event);
    if (events.at(-1)!.__typename === 'TurnFinishedEvent') break;
  }
  return { events, message: events.at(-1)!.message!, requests: source.requests.length - before };
}

/** As other servers on the same database would. */
async function useUpCalls(): Promise<void> {
  const log = createLogger('silent');
  const other = openDatabase(database.url, { log });
  const limiter = createLiveLimiter({ db: other.db, log });
  for (let calls = 0; calls < LIVE_CALL_LIMITS.perChip; calls += 1) {
    await limiter.take({ projectId: 'demo', chipId: 'demo-64' });
  }
  await other.close();
}

const fallbacks = (events: readonly Event[]) =>
  events.filter(({ __typename }) => __typename === 'SourceFallbackEvent');
const tenDaysLater = () => {
  now = new Date(DEMO_NOW.getTime() + 10 * 24 * 3_600_000);
};

describe('a turn with a live source', () => {
  test('shows live values when the user says now, in order: started, asked, finished, drawn, said', async () => {
    const { events, message, requests } = await ask('What is T1 of Q7 right now?');
    const kinds = new Set(events.map(({ __typename }) => __typename));
    expect([...kinds].filter((kind) => kind !== 'StatusEvent' && kind !== 'UsageEvent')).toEqual([
      'TurnStartedEvent',
      'ToolCallStartedEvent',
      'SourceFallbackEvent',
      'ToolCallFinishedEvent',
      'TableEvent',
      'TokenEvent',
      'TurnFinishedEvent',
    ]);
    expect(fallbacks(events)).toEqual([
      expect.objectContaining({ from: 'SNAPSHOT', to: 'LIVE', reason: 'USER_REQUESTED' }),
    ]);
    expect(requests).toBe(1);
    expect(message.text).toMatch(/^Q07 on demo-64: T1: \d+\.\d+ μs \(.*2026-05-19 23:2\d UTC\)\./);
    expect(message.text).toMatch(/- Live T1: Q07 \d+\.\d ± \d\.\d μs \(2026-05-20 00:5\d UTC\)\./);
    expect(message.text).not.toContain('Live T2');
    expect(message.freshness).toEqual([
      { source: 'LIVE', isStale: false },
      { source: 'SNAPSHOT', isStale: false },
    ]);
  });

  test('asks when the user says now before any model does, for what the question names', async () => {
    const { events, requests } = await ask('What is T1 of Q7 and Q9 right now?');
    const [first] = events.filter(({ __typename }) => __typename === 'ToolCallStartedEvent');
    expect(first).toMatchObject({
      tool: 'get_live_parameters',
      round: 0,
      arguments: { chip_id: 'demo-64', qids: ['7', '9'], param_names: ['t1'] },
    });
    expect(requests).toBe(1);
    const couplings = await ask('What is the ZX90 fidelity of Q1 at the moment?');
    const [call] = couplings.events.filter(({ __typename }) => __typename === 'ToolCallStartedEvent');
    expect(call).toMatchObject({ arguments: { param_names: ['zx90_gate_fidelity'] } });
    const asked = call?.arguments?.['qids'] as readonly string[];
    expect(asked.length).toBeGreaterThan(0);
    for (const qid of asked) expect(qid.split('-')).toContain('1');
  });

  test('asks also where the model looks nothing up', async () => {
    const { events, message, requests } = await ask('And the fridge, right now?');
    const tools = events.flatMap(({ tool }) => tool ?? []);
    expect(new Set(tools)).toEqual(new Set(['get_live_parameters']));
    expect(requests).toBe(1);
    expect(message.text).toMatch(/^The control system says: .*fridge at \d/);
    expect(message.text).toMatch(/- Live T1 of 64: median/);
    expect(message.freshness).toEqual([{ source: 'LIVE', isStale: false }]);
  });

  test('asks once for several calls over stale rows, and says what is stored and what is live', async () => {
    tenDaysLater();
    const { events, message, requests } = await ask(
      'Which five qubits have the shortest T1? Show a T1 heatmap.',
    );
    expect(requests).toBe(1);
    expect(fallbacks(events)).toEqual([
      expect.objectContaining({ from: 'SNAPSHOT', to: 'LIVE', reason: 'STALE' }),
    ]);
    expect(message.text).toMatch(/The 5 lowest T1 of 64 qubits on demo-64: Q45/);
    expect(message.text).toMatch(/Live T1 of 64: median .*measured 2026-05-30 00:5/);
    expect(message.text).toMatch(/The stored results were measured from .* older than the limit of 2 days/);
    expect(message.freshness).toEqual([
      { source: 'SNAPSHOT', isStale: true },
      { source: 'LIVE', isStale: false },
    ]);
  });

  test('asks nothing while stored values are young and nobody says now', async () => {
    const { events, requests } = await ask('What is T1 of Q7?');
    expect([requests, fallbacks(events)]).toEqual([0, []]);
  });

  test('lets stored values stand when the source is down, and never calls them live', async () => {
    tenDaysLater();
    source.answerJson({}, 503);
    const { events, message, requests } = await ask('What is T1 of Q7? And its T2?');
    expect(requests).toBe(1);
    expect(fallbacks(events)).toEqual([
      {
        __typename: 'SourceFallbackEvent',
        from: 'LIVE',
        to: 'SNAPSHOT',
        reason: 'UNREACHABLE',
        text: 'The live source of demo-64 was not used: it answers HTTP 503. Stored values are used instead.',
      },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ dataSource: 'SNAPSHOT', freshness: { source: 'SNAPSHOT' } }),
    );
    expect(message.text).toMatch(/^The live source of demo-64 was not used: .* is stored, not live;/);
    expect(message.text).toMatch(/Q07 on demo-64: T1: \d+\.\d+ μs/);
    expect(message.text).not.toContain('Live T1');
    expect(message.freshness).toEqual([{ source: 'SNAPSHOT', isStale: true }]);
    expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  });

  test('beyond the limit repeats what was just read, and without that tells stored values for what they are', async () => {
    await ask('What is T1 of Q7 right now?');
    await useUpCalls();
    const repeated = await ask('What is T1 of Q7 right now?');
    expect(repeated.requests).toBe(0);
    expect(repeated.message.text).toMatch(
      /Live T1: Q07 .*The live source was not asked again: the limit of 15 live calls a minute/s,
    );
    await app.restart();
    const { events, message, requests } = await ask('What is T1 of Q7 right now?');
    expect(requests).toBe(0);
    expect(fallbacks(events)).toEqual([
      expect.objectContaining({ from: 'LIVE', to: 'SNAPSHOT', reason: 'RATE_LIMITED' }),
    ]);
    expect(message.text).toContain('What follows is stored, not live');
    expect(message.freshness).toEqual([{ source: 'SNAPSHOT', isStale: false }]);
  });

  test('is not asked by reads of GraphQL, however old the values', async () => {
    tenDaysLater();
    const before = source.requests.length;
    const { data } = await post(
      app.url,
      '{ chip(chipId: "demo-64") { summary { freshness { isStale source } } } }',
    );
    expect(data).toEqual({ chip: { summary: { freshness: { isStale: true, source: 'SNAPSHOT' } } } });
    expect(source.requests.length - before).toBe(0);
  });
});
