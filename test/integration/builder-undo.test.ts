import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArtifactToolName } from '../../src/domain/artifacts/artifact-calls.ts';
import { until } from '@qpilot/test-support';
import { builderClient, type Answer, type SessionView } from '../support/builder-client.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { forgetMinute } from '../support/forget-minute.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { bodyOf, type Said } from '../support/wire-bodies.ts';

const says = (...parts: readonly Said[]): Reply => ({ body: bodyOf('responses', parts) });
const calls = (name: ArtifactToolName, args: object, id: string): Said => ({
  call: [id, name, JSON.stringify(args)],
});
const append = (content: string, id: string) => calls('insert_instructions', { content, line: null }, id);
const change = (old_text: string, new_text: string, id: string) =>
  calls('edit_instructions', { old_text, new_text }, id);
const describeAs = (content: string, id: string) => calls('update_description', { content }, id);
const temperature = (value: number, id: string) =>
  calls(
    'update_config',
    { llm: { model: null, temperature: value, reasoning_level: null }, tools: null, clear: null },
    id,
  );

describe('undoing a turn of the builder', () => {
  let model: ModelServer;
  let app: TestApp;
  let client: ReturnType<typeof builderClient>;
  let replies: Reply[] = [];
  beforeAll(async () => {
    model = await startModelServer(() => replies.shift() ?? says({ text: 'Done.' }));
    app = await createTestApp({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses' } });
    client = builderClient(app.url);
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
  });
  beforeEach(async () => {
    replies = [];
    await forgetMinute(app.environment['DATABASE_URL']!);
  });

  /** Sends a message, answered by these calls, and waits for the end of its turn. */
  const tell = async (said: readonly Said[], more: object = {}) => {
    replies.push(says(...said));
    const sent = await client.send('Do it', more);
    if (sent.__typename !== 'SendBuilderMessagePayload') throw new Error(JSON.stringify(sent));
    await client.turn(sent);
    return { turnId: sent.turn.id, session: (await client.session(sent.session.id))! };
  };
  const statesOf = ({ edits }: SessionView) =>
    Object.fromEntries(edits.map(({ callId, state }) => [callId.split('@')[0], state]));
  const read = async (sessionId: string) => (await client.session(sessionId))!;
  const idsOf = ({ overlaps }: Answer) => [
    ...overlaps!.instructions.map(({ id }) => id),
    ...overlaps!.config.map(({ id }) => id),
    ...(overlaps!.description ? [overlaps!.description.id] : []),
  ];

  /** Turn 1 writes, the user types, turn 2 writes elsewhere. */
  const twoTurns = async () => {
    const first = await tell(
      [append('By turn 1', 'one'), describeAs('First', 'line'), temperature(0.2, 'warm')],
      {
        artifacts: { instructions: 'Start' },
      },
    );
    const sessionId = first.session.id;
    const { revision } = first.session;
    const typed = await client.update({
      sessionId,
      baseRevision: revision,
      artifacts: { instructions: 'Start\nBy turn 1\nMy own line' },
    });
    expect(typed.__typename).toBe('UpdateArtifactsPayload');
    const second = await tell([append('By turn 2', 'two')], { sessionId });
    return { sessionId, first: first.turnId, second: second.turnId, session: second.session };
  };

  test('takes back what the turn changed, and keeps what the user and later turns wrote', async () => {
    const { sessionId, first, session } = await twoTurns();
    expect(statesOf(session)).toEqual({ one: 'APPLIED', line: 'APPLIED', warm: 'APPLIED', two: 'APPLIED' });
    const undone = await client.revert({ sessionId, turnId: first, baseRevision: session.revision });
    expect(undone.session).toMatchObject({
      revision: session.revision + 1,
      artifacts: { instructions: 'Start\nMy own line\nBy turn 2', config: null, description: null },
    });
    expect(undone.session.revisions.nodes[0]).toMatchObject({ author: 'REVERT', undoneTurn: { id: first } });
    expect(statesOf(undone.session)).toEqual({
      one: 'UNDONE',
      line: 'UNDONE',
      warm: 'UNDONE',
      two: 'APPLIED',
    });
  });

  test('once: a second time, and the later of two at once, are refused in words', async () => {
    const { sessionId, first, second, session } = await twoTurns();
    const both = await Promise.all([1, 2].map(() => client.revert({ sessionId, turnId: first })));
    expect(both.map(({ __typename }) => __typename).toSorted()).toEqual([
      'ConflictError',
      'RevertArtifactPayload',
    ]);
    expect(await client.revert({ sessionId, turnId: first })).toMatchObject({
      __typename: 'ConflictError',
      message: expect.stringContaining('undone before'),
    });
    // The other tab still knows the revision of before.
    const stale = await client.revert({ sessionId, turnId: second, baseRevision: session.revision });
    expect(stale).toMatchObject({
      __typename: 'StaleArtifactsError',
      session: { revision: session.revision + 1 },
    });
    const fresh = await client.revert({ sessionId, turnId: second, baseRevision: session.revision + 1 });
    expect(fresh.session.artifacts.instructions).toBe('Start\nMy own line');
  });

  test('a turn that came back with an earlier revision can be undone again', async () => {
    const { sessionId, first, session } = await twoTurns();
    await client.revert({ sessionId, turnId: first });
    const restored = await client.revert({ sessionId, revision: session.revision });
    expect(restored.session.revisions.nodes[0]).toMatchObject({ restoredRevision: session.revision });
    expect(statesOf(restored.session)).toMatchObject({ one: 'APPLIED', two: 'APPLIED' });
    const again = await client.revert({ sessionId, turnId: first });
    expect(again.session.artifacts.instructions).toBe('Start\nMy own line\nBy turn 2');
    const empty = await client.revert({ sessionId, revision: 0 });
    expect(statesOf(empty.session)).toMatchObject({ one: 'UNDONE', two: 'UNDONE' });
    expect(await client.revert({ sessionId, turnId: first })).toMatchObject({ __typename: 'ConflictError' });
  });

  test('where something later lies in the same place, it is named, and goes only if that is said', async () => {
    const { sessionId, first, session } = await twoTurns();
    const mine = await client.update({
      sessionId,
      baseRevision: session.revision,
      artifacts: {
        instructions: 'Start\nBy turn 1, and by me\nMy own line\nBy turn 2',
        config: { llm: { temperature: 0.9 } },
        description: 'My description',
      },
    });
    expect(statesOf(mine.session)).toMatchObject({ one: 'REPLACED', line: 'REPLACED', warm: 'REPLACED' });
    const { artifacts, revision } = mine.session;
    const asked = await client.revert({ sessionId, turnId: first });
    expect(asked).toMatchObject({
      __typename: 'UndoOverlapError',
      code: 'UNDO_OVERLAP',
      overlaps: {
        config: [{ path: ['llm', 'temperature'], before: 0.9, after: null }],
        description: { before: 'My description', after: null },
      },
    });
    for (const name of ['My description', 'By turn 1, and by me', 'llm.temperature', '0.9']) {
      expect(asked.message).toContain(name);
    }
    expect(await read(sessionId)).toMatchObject({ artifacts, revision });

    const [text, setting, line] = idsOf(asked);
    // Named in part: still asked about the rest.
    const part = await client.revert({ sessionId, turnId: first, discard: [text], keep: [setting] });
    expect(idsOf(part)).toEqual([line]);
    expect(await client.revert({ sessionId, turnId: first, discard: [text], keep: [text] })).toMatchObject({
      __typename: 'InvalidInputError',
    });
    const done = await client.revert({ sessionId, turnId: first, discard: [text], keep: [setting, line] });
    expect(done.session.artifacts).toEqual({
      instructions: 'Start\nMy own line\nBy turn 2',
      config: { llm: { temperature: 0.9 } },
      description: 'My description',
    });
  });

  test('what is changed between the question and the answer is asked about again', async () => {
    const { sessionId, first, session } = await twoTurns();
    const type = (text: string, baseRevision: number) =>
      client.update({
        sessionId,
        baseRevision,
        artifacts: { instructions: `Start\n${text}\nMy own line\nBy turn 2` },
      });
    await type('By turn 1, edited', session.revision);
    const asked = await client.revert({ sessionId, turnId: first });
    await type('By turn 1, edited again', session.revision + 1);
    const again = await client.revert({ sessionId, turnId: first, discard: idsOf(asked) });
    expect(again).toMatchObject({ __typename: 'UndoOverlapError' });
    expect(again.message).toContain('edited again');
  });

  test('a reviewed turn is undone as well, and its edits say how they were decided about', async () => {
    const { session, turnId } = await tell(
      [append('Kept', 'kept'), change('a\n', 'A\n', 'dropped'), describeAs('Proposed', 'line')],
      { artifacts: { instructions: 'a\nb\nc\nd\ne' }, review: true },
    );
    const sessionId = session.id;
    expect(statesOf(session)).toEqual({ kept: 'PROPOSED', dropped: 'PROPOSED', line: 'PROPOSED' });
    expect(await client.revert({ sessionId, turnId })).toMatchObject({
      __typename: 'InvalidInputError',
      message: expect.stringContaining('accept or reject'),
    });
    const [top, end] = session.proposal!.diff.instructions;
    const some = await client.resolve({ sessionId, accept: [end!.id], reject: [top!.id] });
    expect(statesOf(some.session)).toEqual({ kept: 'ACCEPTED', dropped: 'REJECTED', line: 'PROPOSED' });
    const { description } = some.session.proposal!.diff;
    const all = await client.resolve({ sessionId, accept: [description!.id], reject: [] });
    expect(statesOf(all.session)).toEqual({ kept: 'ACCEPTED', dropped: 'REJECTED', line: 'ACCEPTED' });
    await client.update({
      sessionId,
      baseRevision: all.session.revision,
      artifacts: { instructions: `Mine\n${all.session.artifacts.instructions}` },
    });
    const undone = await client.revert({ sessionId, turnId });
    expect(undone.session.artifacts).toEqual({
      instructions: 'Mine\na\nb\nc\nd\ne',
      config: null,
      description: null,
    });
    expect(statesOf(undone.session)).toEqual({ kept: 'UNDONE', dropped: 'REJECTED', line: 'UNDONE' });
  });

  test('an edit of which only a part was accepted, or is left, says so', async () => {
    const { session } = await tell([change('a\nb\nc', 'A\nb\nC', 'both')], {
      artifacts: { instructions: 'a\nb\nc' },
      review: true,
    });
    const sessionId = session.id;
    const [one, other] = session.proposal!.diff.instructions;
    const decided = await client.resolve({ sessionId, accept: [one!.id], reject: [other!.id] });
    expect([decided.session.artifacts.instructions, statesOf(decided.session)]).toEqual([
      'A\nb\nc',
      { both: 'PARTLY' },
    ]);
    const second = await tell([append('x\ny', 'plain')], { sessionId, review: false });
    const { revision } = second.session;
    const left = await client.update({
      sessionId,
      baseRevision: revision,
      artifacts: { instructions: 'A\nb\nc\nx' },
    });
    expect(statesOf(left.session)).toEqual({ both: 'PARTLY', plain: 'PARTLY' });
  });

  test('a rejected turn has nothing to undo; neither has one that only spoke, nor one of another session', async () => {
    const { session, turnId } = await tell([describeAs('Proposed', 'line')], { review: true });
    const sessionId = session.id;
    const rejected = await client.resolve({
      sessionId,
      accept: [],
      reject: [session.proposal!.diff.description!.id],
    });
    expect(statesOf(rejected.session)).toEqual({ line: 'REJECTED' });
    const other = await tell([describeAs('Elsewhere', 'line')]);
    const spoken = await tell([{ text: 'Only words.' }], { sessionId });
    for (const id of [turnId, other.turnId, spoken.turnId]) {
      expect(await client.revert({ sessionId, turnId: id })).toMatchObject({ __typename: 'NotFoundError' });
    }
    expect(await read(other.session.id)).toMatchObject({ artifacts: { description: 'Elsewhere' } });
  });

  test('a running turn is waited for', async () => {
    const { sessionId, first } = await twoTurns();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    replies.push({
      async *pieces() {
        await held;
        yield bodyOf('responses', [{ text: 'Slow.' }]);
      },
    });
    const sent = await client.send('Think', { sessionId });
    expect(await client.revert({ sessionId, turnId: first })).toMatchObject({
      __typename: 'TurnInProgressError',
      turn: { id: sent.turn.id },
    });
    release();
    await until(async () => (await read(sessionId)).activeTurn === null);
    expect(await client.revert({ sessionId, turnId: first })).toMatchObject({
      __typename: 'RevertArtifactPayload',
    });
  });
});
