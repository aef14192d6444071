/** Who reads and follows what somebody shares, who comments on it, and that nobody but its owner changes it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import { createLogger } from '../../src/base/log.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { messageImageUrl } from '../../src/domain/conversation/message-image.ts';
import type { Message } from '../../src/domain/conversation/session.ts';
import { jobFileUrl } from '../../src/domain/jobs/job-file.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { insertMessageImages } from '../../src/stores/pg/message-images.ts';
import { filesFolder } from '../../src/workspace/workspace.ts';
import { completed, text, toolEnd, toolStart } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { callsOf, type Fields } from '../support/calls.ts';
import { sse, type GraphqlAnswer } from '../support/graphql-client.ts';
import { png } from '../support/pictures.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

let app: TestApp;
let database: OpenDatabase;

/** Turns whose question says `wait`, and phases of jobs, run until they are cancelled. */
const answerTurn: AnswerTurn = async ({ session, question, emit, signal }) => {
  if (session.kind === 'JOB' || question.text === 'wait')
    await new Promise((_, reject) => signal.addEventListener('abort', reject));
  emit(toolStart('a'));
  emit(toolEnd('a'));
  emit(text(`re: ${question.text}`));
  return completed;
};

beforeAll(async () => {
  app = await createTestApp({ answerTurn, projects: ['other'], door: headerDoor, recheckMs: 50 });
  database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  await addMembers(app, [
    ['olga', 'demo', 'owner'],
    ['adam', 'demo', 'admin'],
    ['anna', 'demo', 'editor'],
    ['edda', 'demo', 'editor'],
    ['vera', 'demo', 'viewer'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(async () => {
  await database.close();
  await app.stop();
});

const { as, only, change } = callsOf(() => app.url);

type Asked = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly answerId: string;
  readonly questionId: string;
};

/** Anna asks something, and it is answered; or waits. */
async function ask(content: string, sessionId: string | null = null): Promise<Asked> {
  const sent = (await change(
    'anna',
    'sendMessage',
    { content, sessionId, clientMessageId: uuid() },
    '... on SendMessagePayload { session { id } turn { id question { id } } }',
  )) as { session: { id: string }; turn: { id: string; question: { id: string } } };
  const asked = { sessionId: sent.session.id, turnId: sent.turn.id, questionId: sent.turn.question.id };
  if (content === 'wait') return { ...asked, answerId: '' };
  const query = `subscription ($id: ID!) { copilotEvents(sessionId: $id) { __typename ... on SequencedEvent { turnId }
    ... on TurnFinishedEvent { message { id } } } }`;
  for await (const { data, errors } of sse(
    app.url,
    query,
    { id: asked.sessionId },
    signedIn('anna', 'demo'),
  )) {
    expect(errors).toEqual([]);
    const event = data?.['copilotEvents'] as { __typename: string; turnId: string; message: { id: string } };
    if (event.__typename === 'TurnFinishedEvent' && event.turnId === asked.turnId)
      return { ...asked, answerId: event.message.id };
  }
  throw new Error('the stream ended');
}

const share = (sessionId: string, visibility: string, user = 'anna') =>
  change(
    user,
    'shareSession',
    { sessionId, visibility },
    '... on ShareSessionPayload { session { shareLink } }',
  );

const linkOf = async (sessionId: string): Promise<string> => {
  const shared = (await share(sessionId, 'LINK')) as { session: { shareLink: string } };
  return shared.session.shareLink;
};
const open = (user: string, link: string) =>
  change(
    user,
    'openShared',
    { key: link.slice(link.lastIndexOf('/') + 1) },
    '... on OpenSharedPayload { session { id } job { id } }',
  );

const READ = `query ($id: ID!) { node(id: $id) { id } }`;
const reads = async (user: string, id: string) => (await only(user, READ, { id }))?.['id'] === id;

/** Everything of a conversation that has an id. */
async function idsIn({ sessionId }: Asked): Promise<string[]> {
  const found = await only(
    'anna',
    `query ($id: ID!) { copilotSession(id: $id) { id turns { nodes { id question { id } message { id blocks {
      ... on ChartBlock { chart { id } } ... on TableBlock { table { id } } } } toolCalls { id } } } } }`,
    { id: sessionId },
  );
  return [...JSON.stringify(found).matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
}

const key = (id: string): string => Buffer.from(id, 'base64').toString().split(':')[1] ?? '';
const status = async (user: string, path: string) =>
  (await fetch(app.url + path, { headers: signedIn(user, null) })).status;

describe('a conversation', () => {
  test('is read by all members once it is shared with the project, with all that is in it, and by nobody else', async () => {
    const asked = await ask('Quantum volume of the chip');
    const ids = await idsIn(asked);
    expect(ids.length).toBeGreaterThanOrEqual(5);
    await database.db
      .transaction()
      .execute((tx) =>
        insertMessageImages(
          tx,
          { id: 'anna', name: 'anna', projectId: 'demo', role: 'editor', isOperator: false },
          { id: key(asked.questionId), sessionId: key(asked.sessionId) } as Message,
          [{ mediaType: 'image/png', width: 8, height: 8, body: png(8, 8), digest: 'x' }],
        ),
      );
    const { rows } = await database.pool.query<{ id: string }>('select id from message_images');
    const picture = messageImageUrl({ projectId: 'demo', id: rows[0]?.id ?? '' });
    const list = async (user: string, search: string | null = null) => {
      const found = await only(
        user,
        'query ($search: String) { sharedSessions(search: $search) { nodes { id sharedBy { name } shareLink visibility } } }',
        { search },
      );
      return found?.['nodes'];
    };
    const readers = async () => {
      const who = ['vera', 'edda', 'adam', 'otto'];
      const all = await Promise.all(
        who.map(async (user) => (await Promise.all(ids.map((id) => reads(user, id)))).filter(Boolean).length),
      );
      return Object.fromEntries(who.map((user, at) => [user, all[at]]));
    };

    expect(await readers()).toEqual({ vera: 0, edda: 0, adam: 0, otto: 0 });
    expect([await list('vera'), await status('vera', picture)]).toEqual([[], 404]);

    expect(await share(asked.sessionId, 'PROJECT')).toMatchObject({ __typename: 'ShareSessionPayload' });
    expect(await readers()).toEqual({ vera: ids.length, edda: ids.length, adam: ids.length, otto: 0 });
    const shared = {
      id: asked.sessionId,
      sharedBy: { name: 'anna' },
      shareLink: null,
      visibility: 'PROJECT',
    };
    expect([await list('vera'), await list('vera', 'VOLUME'), await list('vera', 'other')]).toEqual([
      [shared],
      [shared],
      [],
    ]);
    // It is not theirs: their own list has it not, nor hers twice.
    expect(await only('vera', '{ copilotSessions { nodes { id } } }')).toEqual({ nodes: [] });
    expect([await list('anna'), await list('otto')]).toEqual([[], []]);
    expect([await status('vera', picture), await status('otto', picture)]).toEqual([200, 404]);
    expect((await as('stan', READ, { id: asked.sessionId })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);

    await share(asked.sessionId, 'PRIVATE');
    expect(await readers()).toEqual({ vera: 0, edda: 0, adam: 0, otto: 0 });
    expect([await list('vera'), await status('vera', picture)]).toEqual([[], 404]);
  });

  test('is changed by its owner alone', async () => {
    const asked = await ask('hello');
    await share(asked.sessionId, 'PROJECT');
    const waiting = await ask('wait', asked.sessionId);
    const clientMessageId = 'x';
    const { sessionId, turnId, answerId, questionId } = asked;
    const tries: [string, object][] = [
      ['sendMessage', { sessionId, content: 'mine', clientMessageId }],
      ['cancelTurn', { turnId: waiting.turnId }],
      ['retryTurn', { turnId, clientMessageId }],
      ['editMessage', { messageId: questionId, content: 'else', clientMessageId }],
      ['disputeMessage', { messageId: answerId, clientMessageId }],
      ['rateMessage', { messageId: answerId, rating: 1 }],
      ['renameCopilotSession', { sessionId, title: 'mine' }],
      ['deleteCopilotSession', { sessionId }],
      ['shareSession', { sessionId, visibility: 'PRIVATE' }],
    ];
    for (const user of ['vera', 'adam', 'olga']) {
      for (const [mutation, input] of tries)
        expect([mutation, await change(user, mutation, input)]).toMatchObject([
          mutation,
          { __typename: 'NotFoundError' },
        ]);
    }
    expect(await reads('vera', answerId)).toBe(true);
    expect(await change('anna', 'cancelTurn', { turnId: waiting.turnId })).toMatchObject({
      __typename: 'CancelTurnPayload',
    });
  });

  test('that was opened by a link has to be opened again by a member who left the project and came back', async () => {
    const { sessionId } = await ask('by link');
    const link = await linkOf(sessionId);
    await change('olga', 'setMember', { userId: 'back', role: 'VIEWER' });
    await open('back', link);
    expect(await reads('back', sessionId)).toBe(true);
    await change('olga', 'removeMember', { userId: 'back' });
    await change('olga', 'setMember', { userId: 'back', role: 'VIEWER' });
    expect(await reads('back', sessionId)).toBe(false);
    await open('back', link);
    expect(await reads('back', sessionId)).toBe(true);
  });

  test('is in the audit once somebody else opens it by its id, once an hour, and not for its owner', async () => {
    const { sessionId } = await ask('seen');
    await share(sessionId, 'PROJECT');
    for (const user of ['vera', 'vera', 'anna', 'otto']) await as(user, READ, { id: sessionId });
    await as('vera', 'query ($id: ID!) { copilotSession(id: $id) { id } }', { id: sessionId });
    const { rows } = await database.pool.query(
      `select person_id, kind, project_id, ids from audit_log where ids ->> 'session' = $1 and kind = 'VIEW'`,
      [key(sessionId)],
    );
    expect(rows).toEqual([
      { person_id: 'vera', kind: 'VIEW', project_id: 'demo', ids: { session: key(sessionId) } },
    ]);
  });

  test('that is shared by link is read by members who opened it, until it is shared anew', async () => {
    const { sessionId } = await ask('by link');
    const link = await linkOf(sessionId);
    // 128 bits in base64url.
    expect(link).toMatch(/^\/projects\/demo\/shared\/[\w-]{22}$/);
    expect(await reads('vera', sessionId)).toBe(false);
    const ended = { __typename: 'NotFoundError', message: expect.stringContaining('this link is not valid') };
    expect(await open('otto', link)).toMatchObject(ended);
    const last = link.at(-1) ?? '';
    expect(await open('vera', link.slice(0, -1) + (last === 'A' ? 'Q' : 'A'))).toMatchObject(ended);
    expect(await open('vera', link)).toMatchObject({ session: { id: sessionId }, job: null });
    expect([await reads('vera', sessionId), await reads('edda', sessionId)]).toEqual([true, false]);
    // The link is its owner's to hand on, and does not change while it is valid.
    const seen = await only(
      'vera',
      'query ($id: ID!) { copilotSession(id: $id) { shareLink sharedBy { userId } } }',
      {
        id: sessionId,
      },
    );
    expect(seen).toEqual({ shareLink: null, sharedBy: { userId: 'anna' } });
    expect(await linkOf(sessionId)).toBe(link);

    await share(sessionId, 'PRIVATE');
    expect([await reads('vera', sessionId), await open('vera', link)]).toMatchObject([false, ended]);
    const next = await linkOf(sessionId);
    expect([next === link, await reads('vera', sessionId), await open('edda', link)]).toMatchObject([
      false,
      false,
      ended,
    ]);
  });

  test('is followed live by a reader, whose stream ends once it is private', async () => {
    const { sessionId } = await ask('live');
    await share(sessionId, 'PROJECT');
    const query =
      'subscription ($id: ID!) { copilotEvents(sessionId: $id) { __typename ... on TokenEvent { text } } }';
    const stream = sse(app.url, query, { id: sessionId }, signedIn('vera', 'demo'));
    const until = async (wanted: string) => {
      for (;;) {
        const { value, done } = await stream.next();
        if (done) return 'ended';
        if (value.errors.length > 0) return value.errors[0]?.extensions['code'];
        if (JSON.stringify(value.data).includes(wanted)) return wanted;
      }
    };
    expect(await until('re: live')).toBe('re: live');
    await ask('more', sessionId);
    expect(await until('re: more')).toBe('re: more');
    await share(sessionId, 'PRIVATE');
    expect(await until('nothing')).toBe('NOT_FOUND');
    const again = sse(app.url, query, { id: sessionId }, signedIn('vera', 'demo'));
    expect((await again.next()).value).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  test('is closed to a former member', async () => {
    const { sessionId } = await ask('former');
    await share(sessionId, 'PROJECT');
    await change('olga', 'setMember', { userId: 'fred', role: 'VIEWER' });
    expect(await reads('fred', sessionId)).toBe(true);
    await change('olga', 'removeMember', { userId: 'fred' });
    expect((await as('fred', READ, { id: sessionId })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});

describe('comments', () => {
  const add = (user: string, subjectId: string, said: string, mentions: string[] = []) =>
    change(
      user,
      'addComment',
      { subjectId, text: said, mentions },
      '... on AddCommentPayload { comment { id } }',
    );
  const idOf = (outcome: Fields | null) => (outcome as { comment: { id: string } }).comment.id;
  const list = async (user: string, id: string) => {
    const found = await only(
      user,
      `query ($id: ID!) { node(id: $id) { ... on Message { comments { ...All } } ... on Job { comments { ...All } } } }
       fragment All on Comment { text author { name } mentions { userId } mayDelete }`,
      { id },
    );
    return (found as { comments: Fields[] } | null)?.comments;
  };

  test('are made by who may read the answer, name members, and are deleted by their author and by admins', async () => {
    const { sessionId, answerId, questionId } = await ask('say something');
    expect(await add('vera', answerId, 'x')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await add('anna', answerId, 'look, @edda', ['edda'])).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('share it first'),
    });
    await share(sessionId, 'PROJECT');
    const byVera = idOf(await add('vera', answerId, ' Is this right, @edda? ', ['edda', 'edda']));
    const byAnna = idOf(await add('anna', answerId, 'Yes.'));
    expect(await list('vera', answerId)).toEqual([
      {
        text: 'Is this right, @edda?',
        author: { name: 'vera' },
        mentions: [{ userId: 'edda' }],
        mayDelete: true,
      },
      { text: 'Yes.', author: { name: 'anna' }, mentions: [], mayDelete: false },
    ]);
    for (const [subject, said, mentions] of [
      [answerId, '  ', []],
      [answerId, 'x'.repeat(2_001), []],
      [answerId, 'x', ['otto']],
      [questionId, 'x', []],
      [sessionId, 'x', []],
    ] as const)
      expect(await add('vera', subject, said, [...mentions])).toMatchObject({ code: 'INVALID_INPUT' });

    const mentions = async () =>
      (await only('edda', '{ viewer { mentions { id session { id } message { id } } } }'))?.['mentions'];
    expect(await mentions()).toEqual([{ id: byVera, session: { id: sessionId }, message: { id: answerId } }]);
    await share(sessionId, 'PRIVATE');
    expect([await mentions(), await reads('vera', byVera), await reads('anna', byVera)]).toEqual([
      [],
      false,
      true,
    ]);
    await share(sessionId, 'PROJECT');

    const remove = (user: string, commentId: string) => change(user, 'deleteComment', { commentId });
    expect(await remove('edda', byVera)).toMatchObject({ code: 'FORBIDDEN' });
    // Not even its owner deletes what others say there.
    expect(await remove('anna', byVera)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await remove('vera', byVera)).toMatchObject({ __typename: 'DeleteCommentPayload' });
    expect(await remove('adam', byAnna)).toMatchObject({ __typename: 'DeleteCommentPayload' });
    expect(await list('anna', answerId)).toEqual([]);
  });

  test('come to open windows as they change, until what they are on is private', async () => {
    const { sessionId, answerId } = await ask('watch');
    await share(sessionId, 'PROJECT');
    const query = 'subscription ($id: ID!) { commentsUpdated(id: $id) { comments { text } } }';
    const stream = sse(app.url, query, { id: sessionId }, signedIn('vera', 'demo'));
    const next = async () => (await stream.next()).value as GraphqlAnswer;
    const update = (...texts: string[]) => ({
      commentsUpdated: { comments: texts.map((said) => ({ text: said })) },
    });
    expect((await next()).data).toEqual(update());
    const first = idOf(await add('edda', answerId, 'one'));
    expect((await next()).data).toEqual(update('one'));
    await change('edda', 'deleteComment', { commentId: first });
    expect((await next()).data).toEqual(update());
    await share(sessionId, 'PRIVATE');
    expect((await next()).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  test('are limited in a minute, and go with the conversation', async () => {
    const { sessionId, answerId } = await ask('limits');
    await share(sessionId, 'PROJECT');
    const outcomes: Fields[] = [];
    for (let at = 0; at < 21; at += 1) outcomes.push((await add('olga', answerId, `${at}`)) ?? {});
    expect(outcomes.slice(0, 20).map(({ __typename }) => __typename)).toEqual(
      Array(20).fill('AddCommentPayload'),
    );
    expect(outcomes[20]).toMatchObject({ code: 'RATE_LIMITED' });
    const left = async () => {
      const { rows } = await database.pool.query<{ count: string }>(
        'select count(*) from comments where session_id = $1',
        [key(sessionId)],
      );
      return rows[0]?.count;
    };
    expect(await left()).toBe('20');
    await change('anna', 'deleteCopilotSession', { sessionId });
    expect(await left()).toBe('0');
  });
});

describe('a job', () => {
  const create = async (user = 'anna') => {
    const made = (await change(
      user,
      'createJob',
      { description: 'x', instructions: 'x', idempotencyKey: uuid() },
      '... on CreateJobPayload { job { id } }',
    )) as { job: { id: string } };
    const query = 'subscription ($id: ID!) { jobEvents(jobId: $id) { __typename } }';
    for await (const { data } of sse(app.url, query, { id: made.job.id }, signedIn(user, 'demo')))
      if (JSON.stringify(data).includes('TurnStartedEvent')) return made.job.id;
    throw new Error('the stream ended');
  };
  const statusOf = async (user: string, id: string) =>
    (await only(user, 'query ($id: ID!) { job(id: $id) { status } }', { id }))?.['status'] ?? null;

  test('is shared with its files and events, and changed by its owner alone', async () => {
    const jobId = await create();
    const folder = filesFolder(join(app.environment['DATA_DIR'] ?? '', 'jobs'), key(jobId));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'report.md'), 'x');
    const file = jobFileUrl({ projectId: 'demo', jobId: key(jobId), path: 'report.md' });
    expect([await statusOf('vera', jobId), await status('vera', file)]).toEqual([null, 404]);
    await change('anna', 'shareJob', { jobId, visibility: 'PROJECT' });
    expect([await statusOf('vera', jobId), await status('vera', file)]).toEqual(['PROCESSING', 200]);
    expect(
      await only('vera', '{ sharedJobs { nodes { id sharedBy { name } files { path } turn { status } } } }'),
    ).toEqual({
      nodes: [
        {
          id: jobId,
          sharedBy: { name: 'anna' },
          files: [{ path: 'report.md' }],
          turn: { status: 'RUNNING' },
        },
      ],
    });
    expect(await only('vera', '{ jobs { nodes { id } } }')).toEqual({ nodes: [] });
    for (const mutation of ['cancelJob', 'deleteJob', 'retryJob'])
      expect([mutation, await change('edda', mutation, { jobId })]).toMatchObject([
        mutation,
        { code: 'NOT_FOUND' },
      ]);
    expect(await change('edda', 'shareJob', { jobId, visibility: 'PRIVATE' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await change('edda', 'handOverJob', { jobId, userId: 'edda' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await change('edda', 'addComment', { subjectId: jobId, text: 'Well done.' })).toMatchObject({
      __typename: 'AddCommentPayload',
    });
    await change('anna', 'cancelJob', { jobId });
  });

  test('that is handed over goes on, and is the other editor’s', async () => {
    const jobId = await create();
    for (const userId of ['vera', 'otto', 'nobody'])
      expect(await change('anna', 'handOverJob', { jobId, userId })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await change('anna', 'handOverJob', { jobId, userId: 'edda' })).toMatchObject({
      __typename: 'HandOverJobPayload',
    });
    expect([await statusOf('anna', jobId), await statusOf('edda', jobId)]).toEqual([null, 'PROCESSING']);
    expect(await change('anna', 'cancelJob', { jobId })).toMatchObject({ code: 'NOT_FOUND' });
    const turn = await only(
      'edda',
      'query ($id: ID!) { job(id: $id) { turn { id status question { text } } } }',
      {
        id: jobId,
      },
    );
    expect(turn).toMatchObject({ turn: { status: 'RUNNING', question: { text: expect.any(String) } } });
    expect(await change('edda', 'cancelJob', { jobId })).toMatchObject({ __typename: 'CancelJobPayload' });
    expect(await statusOf('edda', jobId)).toBe('CANCELLED');
  });

  test('and the answers of a removed member are stopped, and what was made stays', async () => {
    await change('olga', 'setMember', { userId: 'gone', role: 'EDITOR' });
    const jobId = await create('gone');
    const sent = (await change(
      'gone',
      'sendMessage',
      { content: 'wait', clientMessageId: uuid() },
      '... on SendMessagePayload { turn { id } }',
    )) as { turn: { id: string } };
    expect(await change('adam', 'removeMember', { userId: 'gone' })).toMatchObject({
      __typename: 'RemoveMemberPayload',
    });
    const { rows } = await database.pool.query<{ job: string; turn: string; why: string | null }>(
      `select jobs.status as job, turns.status as turn, turns.cancel_reason as why from jobs, turns
       where jobs.id = $1 and turns.id = $2`,
      [key(jobId), key(sent.turn.id)],
    );
    expect(rows).toEqual([
      { job: 'CANCELLED', turn: 'CANCELLED', why: 'The member was removed from the project.' },
    ]);
  });
});
