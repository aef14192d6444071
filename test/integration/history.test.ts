/** Long conversations from end to end: what a provider is sent of them, over HTTP, Postgres and a restart. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { replay, type Replayed } from '../support/replay-command.ts';
import { readEverything } from '../support/stored-rows.ts';
import { frames, startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';

const SENT = `__typename ... on SendMessagePayload { session { id } turn { id } message { id } lastSeq }
  ... on UserError { problem: message }`;
const SEND = `mutation ($input: SendMessageInput!) { sent: sendMessage(input: $input) { ${SENT} } }`;
const EDIT = `mutation ($input: EditMessageInput!) { sent: editMessage(input: $input) { ${SENT} } }`;
const DELETE = `mutation ($input: DeleteCopilotSessionInput!) { deleteCopilotSession(input: $input) { __typename } }`;
const SUMMARY = 'query ($id: ID!) { node(id: $id) { ... on HistorySummary { text } } }';
const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int!) {
  copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) { __typename
    ... on StatusEvent { phase summary { id text messageCount model throughTurn { id } } }
    ... on ChartEvent { chart { title } } ... on ToolCallFinishedEvent { callId outcome: toolStatus preview }
    ... on TurnFinishedEvent { status usage { totalTokens } error { message } } } }`;

type Sent = { session: { id: string }; turn: { id: string }; message: { id: string }; lastSeq: number };
type Event = Record<string, unknown> & {
  readonly __typename: string;
  readonly summary?: Record<string, unknown> | null;
};

let folder: string;
let provider: ModelServer;
let app: TestApp;

/** Messages of a request as a provider that speaks chat completions gets them. */
const messagesOf = (request: Record<string, unknown>) =>
  request['messages'] as { role: string; content: string | null }[];
const systemOf = (request: Record<string, unknown>): string => messagesOf(request)[0]!.content!;
const isSummary = (request: Record<string, unknown>) =>
  systemOf(request).startsWith('You shorten a conversation');

/** As many tokens as our estimate of prompt and tools, so that history is counted at its own size. */
const usage = { choices: [], usage: { prompt_tokens: 8_000, completion_tokens: 10, total_tokens: 8_010 } };
const textReply = (content: string): Reply => ({
  body: frames(
    { choices: [{ index: 0, delta: { content } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    usage,
  ),
});
const callReply = (name: string, args: object): Reply => {
  const call = { index: 0, id: 'call_1', function: { name, arguments: JSON.stringify(args) } };
  return {
    body: frames(
      { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      usage,
    ),
  };
};
const chartArgs = {
  df_name: 'chip_summary',
  logical_name: 'qubits',
  chart_type: 'bar',
  title: 'T1 again',
  x_field: 'qid',
  x_label: 'Qubit',
  y_label: 'T1',
  series: [{ name: 'T1', y_field: 't1' }],
  note: '',
};

function reply(index: number): Reply {
  const request = provider.requests[index]!;
  const messages = messagesOf(request);
  const question = messages
    .findLast(({ role }) => role === 'user')!
    .content!.split('The message:\n')
    .at(-1)!;
  const hasResult = messages.at(-1)?.role === 'tool';
  if (isSummary(request)) return textReply(`Summary of request ${index}.`);
  if (question.startsWith('Summarise the chip') && !hasResult) return callReply('get_chip_summary', {});
  if (question.startsWith('Now plot it') && !hasResult) return callReply('make_chart', chartArgs);
  return textReply(`Answer to: ${question.slice(0, 11)}`);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-history-'));
  const shipped = await readFile(new URL('../../config/qpilot.yaml', import.meta.url), 'utf8');
  const settings = join(folder, 'qpilot.yaml');
  await writeFile(settings, shipped.replace(/historyTokens: \d+/u, 'historyTokens: 400'));
  provider = await startModelServer(reply);
  app = await createTestApp({
    demo: true,
    env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: provider.baseUrl, QPILOT_CONFIG: settings },
  });
});
afterEach(async () => {
  await app.stop();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one turn and gives its events and what the provider was asked. */
async function say(mutation: string, input: object) {
  const asked = provider.requests.length;
  const variables = { input: { clientMessageId: crypto.randomUUID(), ...input } };
  const { data, errors } = await post(app.url, mutation, { variables });
  expect(errors).toEqual([]);
  const sent = (data as { sent: Sent }).sent;
  const events: Event[] = [];
  const where = { sessionId: sent.session.id, afterSeq: sent.lastSeq };
  for await (const next of sse(app.url, EVENTS, where)) {
    expect(next.errors).toEqual([]);
    events.push(next.data!['copilotEvents'] as Event);
    if (events.at(-1)!.__typename === 'TurnFinishedEvent') break;
  }
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', error: null });
  return { ...sent, events, requests: provider.requests.slice(asked) };
}

const numbered = (index: number) => `Question ${String(index).padStart(2, '0')}: ${'how is T1? '.repeat(30)}`;
const numbersIn = (text: string) =>
  [...text.matchAll(/Question (\d\d):/gu)].map(([, number]) => Number(number));

describe('a conversation that outgrows its room', () => {
  test('check 9: goes on with summaries: each message is summarised or sent, never both, also after a restart and in a branch', async () => {
    let sessionId: string | null = null;
    let firstMessage = '';
    const folded: number[] = [];
    const summaries: string[] = [];
    for (let index = 1; index <= 10; index += 1) {
      if (index === 8) await app.restart();
      const turn = await say(SEND, { sessionId, content: numbered(index) });
      sessionId = turn.session.id;
      firstMessage ||= turn.message.id;
      for (const request of turn.requests.filter(isSummary)) {
        folded.push(...numbersIn(JSON.stringify(request)));
        const made = turn.events.find(({ summary }) => summary)!.summary!;
        expect(made).toMatchObject({ model: 'gpt-4.1', messageCount: 2 * folded.length });
        summaries.push(made['id'] as string);
        expect(turn.events.at(-1)).toMatchObject({ usage: { totalTokens: 2 * 8_010 } });
      }
      const [request] = turn.requests.filter((each) => !isSummary(each));
      const sent = messagesOf(request!)
        .slice(1)
        .map(({ content }) => content!)
        .join('\n');
      expect([...folded, ...new Set(numbersIn(sent))]).toEqual(
        Array.from({ length: index }, (_, before) => before + 1),
      );
      expect(systemOf(request!).includes('Summary of request')).toBe(folded.length > 0);
    }
    expect(summaries.length).toBeGreaterThan(1);

    const edited = await say(EDIT, { messageId: firstMessage, content: numbered(99) });
    const [request] = edited.requests;
    expect(systemOf(request!)).not.toContain('Summary of request');
    expect(numbersIn(JSON.stringify(messagesOf(request!)))).toEqual([99]);

    const read = () => post(app.url, SUMMARY, { variables: { id: summaries[0] } });
    expect((await read()).data).toMatchObject({
      node: { text: expect.stringContaining('Summary of request') },
    });
    expect((await post(app.url, DELETE, { variables: { input: { sessionId } } })).errors).toEqual([]);
    expect((await read()).data).toEqual({ node: null });
  });
});

describe('a conversation that was summarised', () => {
  test('A2: has the prompt first and once in every request, and its turns can be answered again', async () => {
    const { session } = await say(SEND, { content: numbered(1) });
    for (const index of [2, 3]) await say(SEND, { sessionId: session.id, content: numbered(index) });
    const turn = await say(SEND, { sessionId: session.id, content: 'Summarise the chip.' });
    expect(turn.requests.map(isSummary)).toEqual([true, false, false]);
    for (const request of provider.requests) {
      const roles = messagesOf(request).map(({ role }) => role);
      expect([roles.indexOf('system'), roles.lastIndexOf('system')]).toEqual([0, 0]);
    }
    for (const request of turn.requests.slice(1)) expect(systemOf(request)).toContain('Summary of request');
    const stored = await readEverything(app.environment['DATABASE_URL']!);
    expect(/purpose\W+SUMMARY/u.test(stored)).toBe(true);

    // Both replays give the model the summary that was written then, and compare the answer alone.
    const asked = provider.requests.length;
    for (const how of [[], ['--rebuild']]) {
      const { stdout, stderr } = await replay(app, turn.turn.id, ...how, '--json');
      expect(stderr).toBe('');
      const { recorded, replayed, comparison } = JSON.parse(stdout) as Replayed;
      expect(recorded).toMatchObject({ modelCalls: 2, usage: { inputTokens: 2 * 8_000 } });
      expect(replayed).toMatchObject({ modelCalls: 2, text: recorded.text, error: null });
      expect(comparison).toMatchObject({ sameText: true, callsOnlyReplayed: [], callsOnlyRecorded: [] });
    }
    for (const request of provider.requests.slice(asked)) {
      expect(isSummary(request)).toBe(false);
      expect(systemOf(request)).toContain('Summary of request');
    }
  });
});

describe('results that were kept', () => {
  test('are named to the model in later turns, which draws them without fetching again, also after a restart', async () => {
    const first = await say(SEND, { content: 'Summarise the chip.' });
    expect(JSON.stringify(first.requests[0])).not.toContain('Results kept');
    await app.restart();
    const plotted = await say(SEND, { sessionId: first.session.id, content: 'Now plot it.' });
    expect(messagesOf(plotted.requests[0]!).at(-1)!.content).toMatch(
      /- data\["chip_summary"\]: \d+ kB, kept \d{4}-\d\d-\d\d \d\d:\d\d UTC, newest value measured \d{4}-/u,
    );
    expect(plotted.events).toContainEqual({ __typename: 'ChartEvent', chart: { title: 'T1 again' } });
  });
});

describe('a provider that repeats its call ids', () => {
  test('gets each id once in a request, while every call of the session is recorded under its own', async () => {
    const first = await say(SEND, { content: 'Summarise the chip.' });
    const second = await say(SEND, { sessionId: first.session.id, content: 'Summarise the chip.' });
    const turns = [first, second];
    for (const { requests } of turns) {
      const [outputs] = requests.map(messagesOf).filter((messages) => messages.at(-1)!.role === 'tool');
      const messages = outputs as readonly {
        readonly tool_call_id?: string;
        readonly tool_calls?: readonly { readonly id: string }[];
      }[];
      const answered = messages.flatMap(({ tool_call_id: id }) => id ?? []);
      expect(answered).toEqual(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
      // As it gave the first one; what is cached stays as it is.
      expect([answered[0], new Set(answered).size]).toEqual(['call_1', answered.length]);
    }
    const ids = turns.flatMap(({ events }) => events.flatMap(({ callId }) => callId ?? []));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });
});
