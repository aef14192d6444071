/** Doubts about numbers, from the mutation or the user's words to the answer, on the whole program. */
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
import { forgetMinute } from '../support/forget-minute.ts';
import { post, sse } from '../support/graphql-client.ts';
import { accessTo, OLLAMA_MODEL } from '../support/model-access.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { argumentsOf } from '../support/tool-bench.ts';
import { bodyOf, WIRES, type Said } from '../support/wire-bodies.ts';
import { startAnsweringServer, type AnsweringServer } from './answering-server.ts';

const SENT = `__typename ... on SendMessagePayload { session { id } turn { id disputed { id } } lastSeq }
  ... on UserError { code message }`;
const SEND = `mutation ($input: SendMessageInput!) { sent: sendMessage(input: $input) { ${SENT} } }`;
const DISPUTE = `mutation ($input: DisputeMessageInput!) { sent: disputeMessage(input: $input) { ${SENT} } }`;
const RETRY = `mutation ($input: RetryTurnInput!) { sent: retryTurn(input: $input) { ${SENT} } }`;
const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int) { copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
  __typename ... on StatusEvent { phase } ... on SourceFallbackEvent { from to reason }
  ... on ToolCallStartedEvent { tool arguments round }
  ... on TableEvent { table { title rows columns { key } } }
  ... on TurnFinishedEvent { status message { id text freshness { source } blocks { __typename } } } } }`;

let now: Date;
let app: TestApp;
let control: ControlServer;
let source: AnsweringServer;
let database: TestDatabase;

beforeAll(async () => {
  now = DEMO_NOW;
  control = await startControlServer({ port: 0, seed: 1, now: () => now });
  source = await startAnsweringServer();
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, LIVE_SOURCE_URL: `${source.url}/chips/{chip}` };
  app = await createTestApp({ demo: true, env, now: () => now });
});
beforeEach(async () => {
  now = DEMO_NOW;
  await forgetMinute(database.url);
  source.answer(({ url = '' }, response) => {
    void fetch(`${control.url}${url}`).then(async (answer) => response.end(await answer.text()));
  });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([control.close(), source.close(), database.drop()]);
});

type Row = Readonly<Record<string, unknown>>;
type Event = {
  readonly __typename: string;
  readonly phase?: string;
  readonly tool?: string;
  readonly round?: number;
  readonly arguments?: { readonly qids: readonly string[]; readonly param_names: readonly string[] };
  readonly table?: { readonly title: string; readonly rows: readonly Row[] };
  readonly message?: {
    readonly id: string;
    readonly text: string;
    readonly freshness: readonly { readonly source: string }[];
    readonly blocks: readonly { readonly __typename: string }[];
  };
};
type Sent = {
  readonly session: { readonly id: string };
  readonly turn: { readonly id: string };
  readonly lastSeq: number;
};

/** Starts a turn and follows it to its end. */
async function run(mutation: string, input: object, url = app.url) {
  const before = source.requests.length;
  const { data, errors } = await post(url, mutation, {
    variables: { input: { clientMessageId: randomUUID(), ...input } },
  });
  expect(errors).toEqual([]);
  const { session, turn, lastSeq } = (data as { sent: Sent }).sent;
  const events: Event[] = [];
  for await (const answer of sse(url, EVENTS, { sessionId: session.id, afterSeq: lastSeq })) {
    events.push(answer.data!['copilotEvents'] as Event);
    if (events.at(-1)!.__typename === 'TurnFinishedEvent') break;
  }
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  const started = events.filter(({ __typename }) => __typename === 'ToolCallStartedEvent');
  return {
    session,
    turn,
    events,
    calls: started,
    verifications: started.filter(({ tool }) => tool === 'verify_against_live'),
    tables: events.flatMap(({ table }) => table ?? []),
    fallbacks: events.filter(({ __typename }) => __typename === 'SourceFallbackEvent'),
    message: events.at(-1)!.message!,
    requests: source.requests.length - before,
  };
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

const ask = (content: string, more: object = { chipId: 'demo-64' }) => run(SEND, { content, ...more });

/** A doubt in words, or by the button of an answer, and what is said of it. */
const DOUBTS = {
  en: {
    question: (qids: readonly string[]) => `What is T1 of ${qids.map((qid) => `Q${qid}`).join(', ')}?`,
    words: 'This is wrong.',
    thanks: /^Thank you for pointing this out\./,
    origins: 'Where they came from:\n\n- T1 of Q0',
    outcome: (count: number) =>
      count === 1
        ? /The stored value agrees with the live one/
        : RegExp(`Of ${count} stored values \\d+ agree`),
    unavailable: 'The live source was not used: none is configured',
    explained: 'Both values stand beside each other.',
  },
  ja: {
    question: (qids: readonly string[]) => `${qids.map((qid) => `Q${qid}`).join('、')}のT1は？`,
    words: 'この数値は間違っています。',
    thanks: /^ご指摘ありがとうございます。/,
    origins: '値の出典:\n\n- Q0',
    outcome: (count: number) =>
      count === 1 ? /保存されている値はライブ値と/ : RegExp(`保存されている値${count}個のうち、`),
    unavailable: 'ライブソースは使えませんでした',
    explained: '両方の値を並べました。',
  },
};

describe.each(WIRES)('a disputed answer of a language model over %s', (kind) => {
  describe.each(['with', 'without'] as const)('%s a live source', (presence) => {
    let server: ModelServer;
    let own: TestApp;
    let ownDatabase: TestDatabase;
    /** The model's next responses. */
    let script: (readonly Said[])[];

    beforeAll(async () => {
      server = await startModelServer(
        () => ({ body: bodyOf(kind, script.shift() ?? [{ text: 'Nobody expected this request.' }]) }),
        OLLAMA_MODEL,
      );
      ownDatabase = await createTestDatabase();
      const live = presence === 'with' ? { LIVE_SOURCE_URL: `${source.url}/chips/{chip}` } : {};
      const env = { DATABASE_URL: ownDatabase.url, ...accessTo(kind, server), ...live };
      own = await createTestApp({ demo: true, env, now: () => now });
    });
    beforeEach(() => forgetMinute(ownDatabase.url));
    afterAll(async () => {
      await own.stop();
      await Promise.all([server.close(), ownDatabase.drop()]);
    });

    test.each([
      [1, 'en'],
      [1, 'ja'],
      [2, 'en'],
      [2, 'ja'],
      [10, 'en'],
      [10, 'ja'],
    ] as const)(
      'about %i values (%s) is told and explained, in words and by button',
      async (count, language) => {
        const doubt = DOUBTS[language];
        const qids = Array.from({ length: count }, (_, qid) => String(qid));
        const args = JSON.stringify(argumentsOf('compare_qubits', { qids, param_names: ['t1'] }));
        const before = server.requests.length;
        script = [
          [{ call: ['call_1', 'compare_qubits', args] }],
          [{ text: 'T1 is in the table.' }],
          [{ text: doubt.explained }],
          [{ text: doubt.explained }],
        ];
        const first = await run(SEND, { content: doubt.question(qids), chipId: 'demo-64' }, own.url);
        const byButton = { messageId: first.message.id, note: doubt.words };
        const inWords = { sessionId: first.session.id, content: doubt.words };
        const disputes = [await run(DISPUTE, byButton, own.url), await run(SEND, inWords, own.url)];
        expect(server.requests.length - before).toBe(4);
        for (const [index, { message, tables, verifications }] of disputes.entries()) {
          expect(verifications).toHaveLength(1);
          expect(tables.flatMap(({ rows }) => rows)).toHaveLength(count);
          expect(message.text).toMatch(doubt.thanks);
          expect(message.text).toContain(doubt.origins);
          if (presence === 'with') expect(message.text).toMatch(doubt.outcome(count));
          else expect(message.text).toContain(doubt.unavailable);
          expect(message.text).toMatch(RegExp(`\n\n${doubt.explained}$`));
          const sent = JSON.stringify(server.requests[before + 2 + index]);
          expect(sent).toContain('verify_against_live');
          expect(sent).toContain(JSON.stringify(message.text.split('\n\n')[0]).slice(1, -1));
        }
      },
    );
  });
});

describe('a disputed answer', () => {
  test('is acknowledged, its source told, its values compared with live ones in a table, then explained', async () => {
    const first = await ask('What is T1 of Q7?');
    const { message, events, verifications, tables, fallbacks, requests } = await run(DISPUTE, {
      messageId: first.message.id,
    });
    expect(verifications).toMatchObject([
      { round: 0, arguments: { chip_id: 'demo-64', qids: ['7'], param_names: ['t1'] } },
    ]);
    expect(requests).toBe(1);
    expect(fallbacks).toEqual([
      { __typename: 'SourceFallbackEvent', from: 'SNAPSHOT', to: 'LIVE', reason: 'DISPUTED' },
    ]);
    expect(events.some(({ phase }) => phase === 'VERIFYING')).toBe(true);
    expect(tables).toHaveLength(1);
    expect(tables[0]!.rows).toEqual([
      expect.objectContaining({
        label: 'Q07',
        parameter: 'T1',
        unit: 'μs',
        stored: expect.any(Number),
        storedError: expect.any(Number),
        storedAt: expect.stringMatching(/^2026-05-19T23:/),
        live: expect.any(Number),
        liveAt: expect.stringMatching(/^2026-05-20T00:/),
        difference: expect.any(Number),
        sigma: expect.any(Number),
        verdict: expect.stringMatching(/^(MATCH|DRIFT)$/),
      }),
    ]);
    expect(message.text).toMatch(/^Thank you for pointing this out\. .* what the control system says now\./);
    expect(message.text).toMatch(
      /- T1 of Q07: task CheckT1, result \S+, execution \S+, measured 2026-05-19 23:\d\d UTC\./,
    );
    expect(message.text).toMatch(
      /The stored value agrees with the live one within three standard deviations\./,
    );
    expect(message.text).toMatch(/- Q07 T1: stored \d+\.\d+ ± .* \(2026-05-19 23:\d\d UTC\), live \d+/);
    expect(message.blocks.map(({ __typename }) => __typename)).toEqual([
      'TextBlock',
      'TableBlock',
      'TextBlock',
    ]);
    expect(message.freshness).toEqual([{ source: 'LIVE' }]);
  });

  test.each([
    ['その数値はおかしいです。', 'What is T1 of Q7?'],
    [null, 'Q7のT1は？'],
  ])('in Japanese (%j about “%s”) is answered in Japanese', async (note, question) => {
    const first = await ask(question);
    const { message } = await run(DISPUTE, { messageId: first.message.id, note });
    const values =
      /ご指摘ありがとうございます。.*値の出典:\n\n- Q07のT1: タスク CheckT1、結果 \S+、実行 \S+、測定 /su;
    expect(message.text).toMatch(values);
    expect(message.text).toContain('保存されている値はライブ値と標準偏差の3倍以内で一致しています。');
    const english = message.text.match(/\b(?!UTC\b)[A-Za-z]{3,}(?=[ .,])/gu) ?? [];
    expect(english).toEqual([]);
  });

  test('is compared for exactly its qubits and parameters', async () => {
    const ranked = await ask('Which three qubits have the shortest T1?');
    const { verifications, tables } = await run(DISPUTE, { messageId: ranked.message.id });
    expect(verifications).toHaveLength(1);
    const { qids, param_names: names } = verifications[0]!.arguments!;
    const labels = [...ranked.message.text.matchAll(/Q0*(\d+) \d/g)].map(([, qid]) => qid!);
    expect(qids.toSorted()).toEqual(labels.toSorted());
    expect(names).toEqual(['t1']);
    expect(tables[0]!.rows).toHaveLength(3);
  });

  test('is compared for what the note names of it', async () => {
    const { message } = await ask('Compare Q3 and Q5 and Q9.');
    const note = 'The readout fidelity of Q5 looks wrong';
    const { verifications } = await run(DISPUTE, { messageId: message.id, note });
    expect(verifications.map((call) => call.arguments)).toMatchObject([
      { qids: ['5'], param_names: ['average_readout_fidelity'] },
    ]);
  });

  test('about a whole chip is compared in part, and says of how many', async () => {
    const { message } = await ask('How healthy is the chip?');
    const disputed = await run(DISPUTE, { messageId: message.id });
    const [, compared, all] = /(\d+) of (\d+) values are compared/.exec(disputed.message.text) ?? [];
    expect(Number(compared)).toBeLessThanOrEqual(100);
    expect(Number(all)).toBeGreaterThan(100);
    const rows = disputed.tables.reduce((sum, { rows: own }) => sum + own.length, 0);
    expect(rows).toBe(Number(compared));
    expect(disputed.verifications.length).toBeLessThanOrEqual(4);
  });

  test('without any value says so, and is no comparison', async () => {
    const { message } = await ask('What can you do?');
    const disputed = await run(DISPUTE, { messageId: message.id });
    expect(disputed.verifications).toEqual([]);
    expect(disputed.message.text).toMatch(/^Thank you .* holds no measured values that could be compared\./);
  });

  test('with the source down says why, shows what is stored, and how to settle it', async () => {
    const first = await ask('What is T1 of Q7?');
    source.answerJson({}, 503);
    const { message, tables, fallbacks } = await run(DISPUTE, { messageId: first.message.id });
    expect(fallbacks).toEqual([
      { __typename: 'SourceFallbackEvent', from: 'LIVE', to: 'SNAPSHOT', reason: 'UNREACHABLE' },
    ]);
    expect(tables[0]!.rows).toMatchObject([{ label: 'Q07', live: null, verdict: 'LIVE_UNAVAILABLE' }]);
    expect(tables[0]!.rows[0]!['stored']).toEqual(expect.any(Number));
    expect(message.text).toMatch(/- T1 of Q07: task CheckT1, .* measured 2026-05-19/);
    expect(message.text).toContain('The live source was not used: it answers HTTP 503.');
    expect(message.text).toContain(
      'Run CheckT1 again on Q07 to settle it. Until then both values remain, each with its own time.',
    );
    expect(message.freshness).toEqual([{ source: 'SNAPSHOT' }]);
  });

  test('again beyond the limit repeats the live values that were read, with their time', async () => {
    const { message } = await ask('What is T1 of Q7?');
    await run(DISPUTE, { messageId: message.id });
    await useUpCalls();
    const repeated = await run(DISPUTE, { messageId: message.id });
    expect(repeated.requests).toBe(0);
    expect(repeated.tables[0]!.rows[0]!['liveAt']).toMatch(/^2026-05-20T00:/);
    expect(repeated.message.text).toMatch(/The live source was not asked again: the limit of 15 live calls/);
  });
});

describe('a doubt in words', () => {
  test.each([
    ['These numbers look wrong.', /^Thank you for pointing this out\./],
    ['数値がおかしいです。', /^ご指摘ありがとうございます。その回答の値を/],
  ])('%s means the newest answer with values, behind others too', async (doubt, thanks) => {
    const { session } = await ask('What is T1 of Q7?');
    const more = { sessionId: session.id };
    await ask('hello there', more);
    const { message, verifications, turn } = await ask(doubt, more);
    expect(verifications.map((call) => call.arguments)).toMatchObject([{ qids: ['7'], param_names: ['t1'] }]);
    expect(message.text).toMatch(thanks);
    expect(turn).toMatchObject({ disputed: null });
  });

  test('about something that was verified just now verifies the same again', async () => {
    const { session } = await ask('What is T1 of Q7?');
    await ask("That can't be right.", { sessionId: session.id });
    const again = await ask('Still, this is wrong. Are you sure?', { sessionId: session.id });
    expect(again.verifications.map((call) => call.arguments)).toMatchObject([
      { qids: ['7'], param_names: ['t1'] },
    ]);
  });

  test('without earlier numbers is a question like any other', async () => {
    const { events, calls } = await ask('These numbers look wrong.');
    expect(calls).toEqual([]);
    expect(events.some(({ phase }) => phase === 'VERIFYING')).toBe(false);
  });
});

describe('a retry of a disputed answer', () => {
  test('verifies again', async () => {
    const first = await ask('What is T1 of Q7?');
    const disputed = await run(DISPUTE, { messageId: first.message.id });
    const retry = await run(RETRY, { turnId: disputed.turn.id });
    expect(retry.turn).toMatchObject({ disputed: { id: first.message.id } });
    expect(retry.verifications).toHaveLength(1);
  });
});

describe('without a live source', () => {
  test('a dispute is answered with what is stored and where it is from', async () => {
    const alone = await createTestApp({ demo: true });
    try {
      const first = await run(SEND, { content: 'What is T1 of Q7?', chipId: 'demo-64' }, alone.url);
      const { message, tables } = await run(DISPUTE, { messageId: first.message.id }, alone.url);
      expect(message.text).toMatch(/- T1 of Q07: task CheckT1/);
      expect(message.text).toMatch(/The live source was not used: none is configured/);
      expect(tables[0]!.rows).toMatchObject([{ label: 'Q07', live: null, verdict: 'LIVE_UNAVAILABLE' }]);
    } finally {
      await alone.stop();
    }
  });
});
