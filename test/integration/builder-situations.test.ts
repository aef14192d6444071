import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ArtifactToolName } from '../../src/domain/artifacts/artifact-calls.ts';
import { createLogger } from '../../src/base/log.ts';
import { linkBuilderSession } from '../../src/services/builder/builder-link.ts';
import { purgeOrphans } from '../../src/services/builder/builder-orphans.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { builderClient, type BuilderEvent } from '../support/builder-client.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { until } from '@qpilot/test-support';
import { bodyOf, type Said } from '../support/wire-bodies.ts';

const says = (...parts: readonly Said[]): Reply => ({ body: bodyOf('responses', parts) });
/** The same, cut in the middle of its last part: the connection stays open and silent, or breaks. */
function begins(how: 'stall' | 'break', ...parts: readonly Said[]): Reply {
  const body = bodyOf('responses', parts);
  const last = body.lastIndexOf('data: ', body.lastIndexOf('data: ') - 1);
  return { body, cut: { at: Buffer.byteLength(body.slice(0, last + 40)), how } };
}
const calls = (name: ArtifactToolName, args: object, id: string = name): Said => ({
  call: [id, name, JSON.stringify(args)],
});
const writes = (content: string): Said => calls('update_instructions', { content });
const describes = (content: string): Said => calls('update_description', { content });

/** Input types of the mutations that ask again. */
const AGAIN = {
  retryTurn: 'RetryTurnInput',
  editMessage: 'EditMessageInput',
  disputeMessage: 'DisputeMessageInput',
  retryBuilderTurn: 'RetryTurnInput',
  editBuilderMessage: 'EditMessageInput',
} as const;

/** Each test is a row of the table of situations. */
describe('a builder session', () => {
  let model: ModelServer;
  let app: TestApp;
  let client: ReturnType<typeof builderClient>;
  let database: OpenDatabase;
  let replies: Reply[] = [];

  beforeAll(async () => {
    model = await startModelServer(() => replies.shift() ?? says({ text: 'Done.' }));
    app = await createTestApp({
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', BUILDER_MODEL: 'any-model' },
    });
    client = builderClient(app.url);
    database = openDatabase(app.environment['DATABASE_URL']!, {
      log: createLogger('silent'),
      connections: 2,
    });
  });
  afterAll(async () => {
    await database.close();
    await app.stop();
    await model.close();
  });
  beforeEach(() => {
    replies = [];
  });

  const session = async (id: string) => (await client.session(id))!;
  /** A session whose turn has written and now waits for a model that says no more. */
  const stuck = async (...parts: readonly Said[]) => {
    replies.push(begins('stall', ...parts));
    const sent = await client.send('Write', { artifacts: { instructions: 'mine' } });
    await until(async () => (await session(sent.session.id)).lastSeq > 1, { what: 'the turn to begin' });
    return { ...sent, sessionId: sent.session.id };
  };
  /** Newest first. */
  const messageIds = async (id: string): Promise<readonly string[]> => {
    const { it } = (await client.ask(
      'query ($id: ID!) { it: builderSession(id: $id) { messages { nodes { id } } } }',
      { id },
    )) as { it: { messages: { nodes: { id: string }[] } } };
    return it.messages.nodes.map((message) => message.id);
  };
  const askAgain = async (mutation: keyof typeof AGAIN, input: object) => {
    const type = AGAIN[mutation];
    const query = `mutation ($input: ${type}!) { it: ${mutation}(input: $input) { __typename
      ... on UserError { code message }
      ${mutation.includes('Builder') ? '... on SendBuilderMessagePayload { session { id revision } turn { id status } lastSeq }' : ''} } }`;
    const { it } = await client.ask(query, { input: { clientMessageId: randomUUID(), ...input } });
    return it as {
      __typename: string;
      session: { id: string; revision: number };
      turn: { id: string; status: string };
      lastSeq: number;
    };
  };
  const submit = async (builderSessionId: string) => {
    const { it } = await client.ask(
      `mutation ($input: CreateJobInput!) { it: createJob(input: $input) { __typename ... on UserError { code message }
        ... on TurnInProgressError { turn { id } } ... on CreateJobPayload { job { id } } } }`,
      { input: { description: 'A job', builderSessionId, idempotencyKey: randomUUID() } },
    );
    return it;
  };
  const linkToJob = (sessionId: string) =>
    database.db
      .transaction()
      .execute((tx) =>
        linkBuilderSession(
          tx,
          { id: 'local', name: 'local', projectId: 'demo', role: 'owner', isOperator: true },
          { sessionId: uuidOf(sessionId), jobId: randomUUID() },
        ),
      );

  test('accepts one message at a time: the second is refused with the running turn', async () => {
    const { sessionId, turn } = await stuck({ text: 'Wait' }, describes('half'));
    expect(await client.send('Me too', { sessionId })).toMatchObject({
      __typename: 'SessionBusyError',
      turn,
    });
    await client.cancel(turn.id);
    replies.push(begins('stall', { text: 'Wait' })); // else one may have ended before the other arrives
    const [one, two] = await Promise.all([client.send('A', { sessionId }), client.send('B', { sessionId })]);
    expect([one.__typename, two.__typename].toSorted()).toEqual([
      'SendBuilderMessagePayload',
      'SessionBusyError',
    ]);
    await client.cancel(one.turn.id);
    await until(async () => (await session(sessionId)).activeTurn === null);
  });

  test('answers a repeated message with the same turn, asks the model once, and is not stale for it', async () => {
    const asked = model.requests.length;
    replies.push(says(describes('Once')), says({ text: 'Ok.' }));
    const message = { clientMessageId: randomUUID(), artifacts: { instructions: 'x' }, baseRevision: 0 };
    const { session: begun } = await client.create({ clientRequestId: randomUUID() });
    const input = { ...message, sessionId: begun.id };
    const [first, again] = await Promise.all([client.send('Hi', input), client.send('Hi', input)]);
    expect(again.turn.id).toBe(first.turn.id);
    expect(again.lastSeq).toBe(first.lastSeq);
    await client.turn(first);
    expect((await client.send('Hi', input)).turn.id).toBe(first.turn.id);
    expect((await session(begun.id)).messages.nodes).toHaveLength(2);
    expect(model.requests.length - asked).toBe(2);
    expect(await client.send('Other', input)).toMatchObject({ __typename: 'ConflictError' });
  });

  test('that is stopped keeps applied changes and text, drops half a call, and can be undone', async () => {
    const gone = model.abandoned();
    const {
      sessionId,
      turn,
      lastSeq,
      session: begun,
    } = await stuck({ text: 'Writing' }, writes('theirs'), describes('never whole'));
    await until(async () => (await session(sessionId)).revision === 2, {
      what: 'the first call to be applied',
    });
    expect(await client.cancel(turn.id)).toMatchObject({ turn: { status: 'CANCELLED' } });
    expect(await client.cancel(turn.id)).toMatchObject({ turn: { status: 'CANCELLED' } });
    const after = await session(sessionId);
    expect(after).toMatchObject({
      revision: 2,
      activeTurn: null,
      artifacts: { instructions: 'theirs', description: null },
      messages: { nodes: [{ text: 'Writing' }, {}] },
    });
    await until(() => model.abandoned() > gone, { what: 'the request to be given up' });
    const events = await client.turn({ session: begun, turn, lastSeq });
    expect(terminal(events)).toHaveLength(1);
    const undone = await client.revert({ sessionId, turnId: turn.id });
    expect(undone.session.artifacts.instructions).toBe('mine');
    replies.push(says({ text: 'On we go.' }));
    const next = await client.send('Go on', { sessionId });
    expect((await client.turn(next)).at(-1)).toMatchObject({ turnStatus: 'COMPLETED' });
  });

  test('runs on when its client leaves, and shows the rest from where the client was', async () => {
    replies.push(says(writes('new')), says({ text: 'All done.' }));
    const sent = await client.send('Go');
    const all = await client.turn(sent); // as another client saw it
    const half = all[Math.floor(all.length / 2)]!;
    const rest = await client.turn({ ...sent, lastSeq: half.seq });
    expect(rest.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).filter((seq) => seq > half.seq));
    expect(await session(sent.session.id)).toMatchObject({ revision: 1, artifacts: { instructions: 'new' } });
  });

  test('is restored with its running turn when the page is loaded again', async () => {
    const { sessionId, turn } = await stuck({ text: 'Busy' }, describes('half'));
    expect(await session(sessionId)).toMatchObject({
      activeTurn: { id: turn.id },
      revision: 1,
      messages: { nodes: [{ text: 'Write' }] },
    });
    await client.cancel(turn.id);
  });

  test('cannot be written by hand, gone back in or linked while a turn writes', async () => {
    const { sessionId, turn } = await stuck(writes('theirs'), describes('half'));
    const refused = { __typename: 'TurnInProgressError', code: 'TURN_IN_PROGRESS', turn: { id: turn.id } };
    const mine = { sessionId, baseRevision: 1, artifacts: { instructions: 'x' } };
    expect(await client.update(mine)).toMatchObject(refused);
    expect(await client.revert({ sessionId, revision: 0 })).toMatchObject(refused);
    expect(await submit(sessionId)).toMatchObject(refused);
    await client.cancel(turn.id);
    expect(await client.update({ ...mine, baseRevision: 2 })).toMatchObject({ session: { revision: 3 } });
  });

  test('returns the current artifacts to a client with stale ones, and changes nothing', async () => {
    const { session: begun } = await client.create({ clientRequestId: randomUUID() });
    const sessionId = begun.id;
    await client.update({ sessionId, baseRevision: 0, artifacts: { instructions: 'tab one' } });
    const stale = {
      __typename: 'StaleArtifactsError',
      session: { revision: 1, artifacts: { instructions: 'tab one' } },
    };
    expect(
      await client.update({ sessionId, baseRevision: 0, artifacts: { instructions: 'two' } }),
    ).toMatchObject(stale);
    expect(await client.send('Hi', { sessionId, baseRevision: 0, artifacts: {} })).toMatchObject(stale);
    expect(await client.revert({ sessionId, revision: 0, baseRevision: 0 })).toMatchObject(stale);
    expect((await session(sessionId)).messages.nodes).toEqual([]);
    const cleared = await client.update({ sessionId, baseRevision: 1, artifacts: { instructions: null } });
    expect(cleared.session).toMatchObject({ revision: 2, artifacts: { instructions: null } });
    const same = await client.update({ sessionId, baseRevision: 2, artifacts: { instructions: null } });
    expect(same.session.revision).toBe(2);
  });

  test('is closed once a job was made with it, until it is reopened', async () => {
    const { session: begun } = await client.create({ clientRequestId: randomUUID() });
    const sessionId = begun.id;
    const before = await client.send('Before', { sessionId });
    await client.turn(before);
    await linkToJob(sessionId);
    const linked = { __typename: 'SessionLinkedError', code: 'SESSION_LINKED' };
    expect(await client.send('More', { sessionId })).toMatchObject(linked);
    const [, question] = await messageIds(sessionId);
    for (const [mutation, input] of [
      ['retryBuilderTurn', { turnId: before.turn.id }],
      ['editBuilderMessage', { messageId: question, content: 'Other' }],
    ] as const) {
      expect(await askAgain(mutation, input)).toMatchObject(linked);
    }
    expect(
      await client.update({ sessionId, baseRevision: 0, artifacts: { instructions: 'x' } }),
    ).toMatchObject({ __typename: 'SessionLinkedError' });
    expect(await client.reopen(sessionId)).toMatchObject({ session: { status: 'OPEN' } });
    const sent = await client.send('More', { sessionId });
    expect((await client.turn(sent)).at(-1)).toMatchObject({ turnStatus: 'COMPLETED' });
  });

  test('whose model breaks off keeps what was applied, and a retry goes on from there', async () => {
    replies.push(begins('break', { text: 'Well' }, writes('kept'), describes('lost')));
    replies.push(...Array<Reply>(5).fill({ status: 400, error: { message: 'no' } }));
    const sent = await client.send('Write');
    const events = await client.turn(sent);
    expect(events.at(-1)).toMatchObject({
      turnStatus: 'FAILED',
      error: { code: expect.stringMatching(/^MODEL_/) },
    });
    expect(await session(sent.session.id)).toMatchObject({
      revision: 1,
      artifacts: { instructions: 'kept' },
    });
    replies = [says(describes('Retried'))];
    const retried = await askAgain('retryBuilderTurn', { turnId: sent.turn.id, model: 'any-model' });
    expect(retried.session).toEqual({ id: sent.session.id, revision: 1 });
    await client.turn({ session: sent.session, turn: retried.turn, lastSeq: retried.lastSeq });
    expect(await session(sent.session.id)).toMatchObject({
      revision: 2,
      artifacts: { instructions: 'kept', description: 'Retried' },
    });
    const [answer, question] = await messageIds(sent.session.id);
    const edited = await askAgain('editBuilderMessage', { messageId: question, content: 'Write more' });
    expect((await client.turn({ ...edited, session: sent.session })).at(-1)).toMatchObject({
      turnStatus: 'COMPLETED',
    });
    expect(await askAgain('disputeMessage', { messageId: answer })).toMatchObject({
      __typename: 'InvalidInputError',
    });
    for (const [mutation, input] of [
      ['retryTurn', { turnId: sent.turn.id }],
      ['editMessage', { messageId: question, content: 'Other' }],
    ] as const) {
      const refused = await askAgain(mutation, input);
      expect(refused).toMatchObject({
        __typename: 'ConflictError',
        message: expect.stringContaining('Builder'),
      });
    }
  });

  test('whose model never stops calling tools ends at the limit of rounds with what was applied', async () => {
    replies.push(...Array.from({ length: 40 }, (_, round) => says(describes(`Round ${round}`))));
    const sent = await client.send('For ever');
    const events = await client.turn(sent);
    expect(terminal(events)).toHaveLength(1);
    const { revision } = await session(sent.session.id);
    expect(revision).toBe(events.filter(({ outcome }) => outcome === 'APPLIED').length);
    expect(revision).toBeLessThan(40);
    expect(revision).toBeGreaterThan(1);
  });

  test('of somebody else answers like one that there is not', async () => {
    const unknown = Buffer.from(`BuilderSession:${randomUUID()}`).toString('base64url');
    await expect(
      client.turn({ session: { id: unknown } as never, turn: { id: '', status: '' }, lastSeq: 0 }),
    ).rejects.toThrow(/NOT_FOUND|you have no/);
    expect(await client.send('Hi', { sessionId: unknown })).toMatchObject({ __typename: 'NotFoundError' });
    expect(await client.session(unknown)).toBeNull();
    const { session: own } = await client.create({ clientRequestId: randomUUID() });
    const asChat = Buffer.from(`CopilotSession:${uuidOf(own.id)}`).toString('base64url');
    const { it } = (await client.ask(
      'mutation ($input: SendMessageInput!) { it: sendMessage(input: $input) { __typename } }',
      { input: { sessionId: asChat, content: 'Hi', clientMessageId: randomUUID() } },
    )) as { it: object };
    expect(it).toEqual({ __typename: 'NotFoundError' });
  });

  test('that nobody came back to is removed, but none that is young, runs, or became a job', async () => {
    const old = await Promise.all([1, 2, 3].map(() => client.create({ clientRequestId: randomUUID() })));
    const [orphan, linked, touched] = old.map((each) => each.session.id);
    await linkToJob(linked!);
    const running = await stuck({ text: 'Busy' }, describes('half'));
    const aged = [orphan!, linked!, running.sessionId].map(uuidOf);
    await sql`update sessions set updated_at = now() - interval '30 hours' where id = any(${aged}::uuid[])`.execute(
      database.db,
    );
    expect(await session(orphan!)).toMatchObject({ status: 'ABANDONED' });
    expect(await client.purge({ olderThanHours: 1 })).toMatchObject({ __typename: 'InvalidInputError' });
    expect(await client.purge({ dryRun: true })).toMatchObject({ count: 1 });
    expect(await client.session(orphan!)).not.toBeNull();
    const everybody = await purgeOrphans(database.db, null, { olderThanHours: 24, dryRun: false });
    expect(everybody).toEqual([uuidOf(orphan!)]);
    expect(await client.purge({})).toMatchObject({ count: 0 });
    expect(await client.session(orphan!)).toBeNull();
    for (const id of [linked!, touched!, running.sessionId]) expect(await client.session(id)).not.toBeNull();
    await client.cancel(running.turn.id);
  });

  test('is answered by the offline builder where no model is named but that', async () => {
    const sent = await client.send('Set temperature to 0.2 and switch off web research', {
      model: 'offline-builder',
    });
    const events = await client.turn(sent);
    expect(events.at(-1)).toMatchObject({ turnStatus: 'COMPLETED' });
    const { artifacts, messages } = await session(sent.session.id);
    expect(artifacts.config).toEqual({ llm: { temperature: 0.2 }, tools: { research: [] } });
    expect(messages.nodes[0]?.text).toContain('offline builder');
  });

  test('sees the turn end as interrupted after a restart of the server, with the lock gone', async () => {
    const { sessionId, turn, lastSeq, session: begun } = await stuck(writes('theirs'), describes('half'));
    await until(async () => (await session(sessionId)).revision === 2);
    await app.restart();
    const events = await client.turn({ session: begun, turn, lastSeq });
    expect(terminal(events)).toMatchObject([{ turnStatus: 'INTERRUPTED' }]);
    expect(await session(sessionId)).toMatchObject({ activeTurn: null, revision: 2 });
    expect(
      await client.update({ sessionId, baseRevision: 2, artifacts: { description: 'Free' } }),
    ).toMatchObject({
      session: { revision: 3 },
    });
  });

  test('is stored once, with the columns of the specification as views over it', async () => {
    const sent = await client.send('Describe it as Stored.', { model: 'offline-builder' });
    await client.turn(sent);
    const id = uuidOf(sent.session.id);
    const { rows } =
      await sql`select role, content, tool_calls from builder_messages where session_id = ${id} order by created_at, role desc`.execute(
        database.db,
      );
    expect(rows).toMatchObject([
      { role: 'user', content: 'Describe it as Stored.', tool_calls: null },
      {
        role: 'assistant',
        tool_calls: [{ tool: 'update_description', args: { content: 'Stored' }, status: 'OK' }],
      },
    ]);
    const sessions =
      await sql`select id, job_id, expert_id, created_at, updated_at, summary from builder_sessions where id = ${id}`.execute(
        database.db,
      );
    expect(sessions.rows).toMatchObject([{ id, job_id: null, expert_id: null, summary: null }]);
  });
});

const terminal = (events: readonly BuilderEvent[]) =>
  events.filter(({ __typename }) => __typename === 'TurnFinishedEvent');
const uuidOf = (id: string): string => Buffer.from(id, 'base64url').toString().split(':')[1]!;
