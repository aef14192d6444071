/** How often a turn asks Postgres and MongoDB: whoever adds a statement or a command sees it here. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Collection, Db } from 'mongodb';
import pg from 'pg';
import { until } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { bodyOf } from '../support/wire-bodies.ts';

/**
 * Of a turn with one model call, without its batches of events. Lower it with every statement that is saved. One of them
 * ends the empty transaction behind the one that started the turn.
 */
const STATEMENTS_OF_A_TURN = 14;
/** Of the same turn, which calls no tool: its project and the chips of it. */
const COMMANDS_OF_A_TURN = 2;
/** Statements of the process, whatever its turns: queue of jobs, hints, and one renewal of all leases every 0.8 s. */
const OF_THE_PROCESS =
  /qpilot_queue|qpilot_listeners|^listen |^update "turns" set "lease_expires_at"|"cancel_requested_at" from "turns" where "owner"|last_seq from sessions where id = any/;

let model: ModelServer;
let app: TestApp;
const asked: string[] = [];
const commands: string[] = [];
type Query = (...given: unknown[]) => unknown;
/** The methods by which the program asks MongoDB. */
const ofDriver = [
  [Collection.prototype, 'find'],
  [Collection.prototype, 'aggregate'],
  [Db.prototype, 'command'],
  [Db.prototype, 'listCollections'],
] as const;
const restorers: (() => void)[] = [];

/** Calls `notice` with the first argument of each call of a method. */
function watch(prototype: object, name: string, notice: (first: unknown) => void): void {
  const original = Reflect.get(prototype, name) as Query;
  restorers.push(() => Reflect.set(prototype, name, original));
  Reflect.set(prototype, name, function (this: object, ...given: unknown[]) {
    notice(given[0]);
    return original.apply(this, given);
  });
}

beforeAll(async () => {
  const answer = { body: bodyOf('responses', [{ text: 'one two three' }]) };
  model = await startModelServer([answer, answer, answer, answer]);
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', COPILOT_MODEL: 'any-model' };
  // Before any connection is opened: the pool keeps what it finds.
  watch(pg.Client.prototype, 'query', (first) => {
    const text = typeof first === 'string' ? first : (first as { readonly text?: string }).text;
    asked.push((text ?? '').replaceAll(/\s+/g, ' ').trim());
  });
  for (const [prototype, name] of ofDriver)
    watch(prototype, name, (first) => commands.push(`${name} ${JSON.stringify(first)}`));
  app = await createTestApp({
    env,
    runnerTimes: { drainMs: 200, sweepMs: 600_000 },
    alertTimes: { pauseMs: 600_000 },
  });
  const lastOfTheSweep = () => asked.some((text) => text.startsWith('delete from "auth"."invitations"'));
  await until(lastOfTheSweep, {
    what: 'the end of the sweep at the start, whose statements are not those of a turn',
  });
});
afterAll(async () => {
  for (const restore of restorers) restore();
  await app?.stop();
  await model?.close();
});

/** Asks, and waits until the turn has ended and the line was looked at behind it. Returns the session. */
async function ask(content: string, sessionId: string | null): Promise<string> {
  [asked.length, commands.length] = [0, 0];
  const answer = await post(
    app.url,
    `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { ... on SendMessagePayload { session { id } } ... on UserError { message } } }`,
    { variables: { input: { content, clientMessageId: randomUUID(), sessionId } } },
  );
  const { sendMessage } = (answer.data ?? {}) as { sendMessage?: { session?: { id: string } } };
  if (!sendMessage?.session) throw new Error(`The message was not taken: ${JSON.stringify(answer)}`);
  const isOver = (): boolean => {
    const end = asked.findIndex((text) => text.includes('ended as ('));
    return end >= 0 && asked.slice(end).some((text) => text.includes('from line where nth'));
  };
  await until(isOver, { what: 'the end of the turn' });
  return sendMessage.session.id;
}

/** Statements of the turn that was asked last. */
function counted() {
  const own = asked.filter((text) => !OF_THE_PROCESS.test(text));
  const batches = own.filter((text) => text.startsWith('with given as'));
  const others = own.filter((text) => !text.startsWith('with given as'));
  return { batches, others };
}

test('a turn of three words: its own statements, its batches, and no announcement to nobody', async () => {
  const sessionId = await ask('first', null);
  await ask('second', sessionId);
  const { batches, others } = counted();
  expect(others.length <= STATEMENTS_OF_A_TURN ? [] : others).toEqual([]);
  expect(batches.length).toBeLessThanOrEqual(4); // a commit for what is due together: status, words, usage
  expect(
    others.filter((text) => text.includes('pg_notify') && text.includes('unnest($1::text[]) as id')),
  ).toEqual([]);
  expect(commands.length <= COMMANDS_OF_A_TURN ? [] : commands).toEqual([]);
  expect(commands).not.toEqual([]);
});

test('a turn whose end a webhook is told of asks no more often, and its message is stored', async () => {
  const input = { name: 'x', kind: 'WEBHOOK', url: 'https://hooks.example/x', events: ['TURN_ENDED'] };
  const query = `mutation ($input: SaveAlertDestinationInput!) { saveAlertDestination(input: $input) { __typename } }`;
  await post(app.url, query, { variables: { input } });
  const sessionId = await ask('first', null);
  await ask('second', sessionId);
  const { others } = counted();
  expect(others.length <= STATEMENTS_OF_A_TURN ? [] : others).toEqual([]);
  const { data } = await post(app.url, '{ alertDestinations { deliveries { state } } }', { variables: {} });
  expect(data).toEqual({ alertDestinations: [{ deliveries: [{ state: 'WAITING' }, { state: 'WAITING' }] }] });
});
