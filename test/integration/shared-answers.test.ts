/** One answer that its owner shares alone: who reads it, that it ends, and that nothing else of the conversation leaves with it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isObjectType, isUnionType, type GraphQLOutputType } from 'graphql';
import { v4 as uuid } from 'uuid';
import { schema } from '../../schema/index.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { createLogger } from '../../src/base/log.ts';
import { messageImageUrl } from '../../src/domain/conversation/message-image.ts';
import type { Message } from '../../src/domain/conversation/session.ts';
import { visualUri } from '../../src/protocols/mcp/uris.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { insertMessageImages } from '../../src/stores/pg/message-images.ts';
import { completed, text, toolEnd, toolStart } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { callsOf, type Fields } from '../support/calls.ts';
import { post, sse, type GraphqlAnswer } from '../support/graphql-client.ts';
import { mcp } from '../support/mcp-client.ts';
import { png } from '../support/pictures.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

let app: TestApp;
let database: OpenDatabase;

/** A turn that is asked `x` says `words of x`, draws `chart of x`, and holds much else `of x` that only its owner may see. */
const answerTurn: AnswerTurn = async ({ question: { text: of }, emit }) => {
  emit({ type: 'thinking', kind: 'THOUGHT', text: `thought of ${of}` });
  const [started, ended] = [toolStart(`call-${of}`), toolEnd(`call-${of}`)];
  if (started.type !== 'tool-started' || ended.type !== 'tool-finished') throw new Error('no calls');
  emit({
    ...started,
    call: { ...started.call, description: `description of ${of}`, arguments: { code: `argument of ${of}` } },
  });
  const result = {
    data: {
      chip_id: 'demo-64',
      qid: '12',
      parameters: [
        {
          name: 't1',
          title: 'T1',
          value: of === 'earlier' ? 11.25 : 59.5,
          unit: 'μs',
          task_id: `task-${of}`,
          calibrated_at: '2026-05-18T23:22:29.695Z',
        },
      ],
      note: `result of ${of}`,
    },
    formattedSummary: '',
    freshness: null,
    source: 'SNAPSHOT',
  };
  const visuals = ended.call.visuals.map((visual) => ({ ...visual, title: `${visual.type} of ${of}` }));
  emit({ ...ended, call: { ...ended.call, resultJson: JSON.stringify(result), visuals } });
  emit(text(`The words of ${of}: T1 of Q12 is 59.5 μs, and was 11.25 μs.`));
  return completed;
};

beforeAll(async () => {
  app = await createTestApp({ answerTurn, projects: ['other'], door: headerDoor, recheckMs: 50 });
  database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  await addMembers(app, [
    ['olga', 'demo', 'owner'],
    ['anna', 'demo', 'editor'],
    ['vera', 'demo', 'viewer'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(async () => {
  await database.close();
  await app.stop();
});

const { only, change } = callsOf(() => app.url);

/** Anna asks, and it is answered. */
async function ask(content: string, sessionId: string | null = null) {
  const sent = (await change(
    'anna',
    'sendMessage',
    { content, sessionId, clientMessageId: uuid() },
    '... on SendMessagePayload { session { id } turn { id question { id } } }',
  )) as { session: { id: string }; turn: { id: string; question: { id: string } } };
  const id = sent.session.id;
  const query = `subscription ($id: ID!) { copilotEvents(sessionId: $id) { __typename ... on SequencedEvent { turnId }
    ... on TurnFinishedEvent { message { id } } } }`;
  for await (const { data } of sse(app.url, query, { id }, signedIn('anna', 'demo'))) {
    const event = data?.['copilotEvents'] as { __typename: string; turnId: string; message: { id: string } };
    if (event.__typename === 'TurnFinishedEvent' && event.turnId === sent.turn.id)
      return { sessionId: id, turnId: sent.turn.id, questionId: sent.turn.question.id, id: event.message.id };
  }
  throw new Error('the stream ended');
}

/** A conversation of three questions; the answer in the middle is the one that is shared. */
async function talk() {
  const first = await ask('earlier');
  const middle = await ask('middle', first.sessionId);
  const last = await ask('later', first.sessionId);
  return { sessionId: first.sessionId, first, middle, last };
}

const share = (messageId: string, visibility: string, user = 'anna') =>
  change(
    user,
    'shareAnswer',
    { messageId, visibility },
    '... on ShareAnswerPayload { answer { visibility shareLink } }',
  );
/** The key of the link of an answer that is shared like that. */
async function keyOf(messageId: string, visibility = 'LINK'): Promise<string> {
  const { answer } = (await share(messageId, visibility)) as { answer: { shareLink: string } };
  expect(answer).toEqual({
    visibility,
    shareLink: expect.stringMatching(/^\/projects\/demo\/answers\/[\w-]{22}$/),
  });
  return answer.shareLink.split('/').at(-1) ?? '';
}

/** Every field of a type as a selection, down to the chip and people, which everybody knows. */
function everything(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named))
    return ` { __typename ${named
      .getTypes()
      .filter(({ name }) => name !== 'MessageBlock')
      .map((each) => `... on ${each.name}${everything(each)}`)
      .join(' ')} }`;
  if (!isObjectType(named)) throw new Error(`${String(named)} is neither`);
  if (named.name === 'Chip') return ' { id }';
  return ` { ${Object.values(named.getFields())
    .map((field) => field.name + everything(field.type))
    .join(' ')} }`;
}
const ALL = everything(schema.getType('SharedAnswer') as GraphQLOutputType);
const read = (user: string, key: string) =>
  only(user, `query ($key: String!) { sharedAnswer(key: $key) ${ALL} }`, { key });
const key = (id: string): string => Buffer.from(id, 'base64').toString().split(':')[1] ?? '';
const listed = async (user: string) =>
  ((await only(user, '{ sharedAnswers { nodes { question sharedBy { name } } } }')) as { nodes: Fields[] })
    .nodes;

test('shows its question, words, visuals and the sources of its numbers, and nothing else of the conversation', async () => {
  const { middle } = await talk();
  const shared = await read('vera', await keyOf(middle.id));
  expect(shared).toMatchObject({
    sharedBy: { userId: 'anna', name: 'anna' },
    visibility: 'LINK',
    status: 'COMPLETED',
    question: 'middle',
    added: [],
    imageCount: 0,
    text: 'The words of middle: T1 of Q12 is 59.5 μs, and was 11.25 μs.',
    steps: [{ callId: 'call-middle', tool: 'look', label: 'Looking', status: 'OK', preview: '64 qubits' }],
    numbers: [
      { text: '59.5', status: 'SOURCED', callId: 'call-middle', recordId: 'task-middle' },
      // Of an earlier answer: its record is of the project, its call is not shared.
      { text: '11.25', status: 'SOURCED', callId: null, recordId: 'task-earlier' },
    ],
    freshness: [{ source: 'SNAPSHOT' }],
    notices: [],
  });
  const { blocks } = shared as { blocks: Fields[] };
  expect(new Set(blocks.map(({ __typename }) => __typename))).toEqual(
    new Set(['ChartBlock', 'TableBlock', 'TextBlock']),
  );
  expect(blocks).toContainEqual(
    expect.objectContaining({ chart: expect.objectContaining({ title: 'chart of middle', callId: null }) }),
  );
  const words = JSON.stringify(shared);
  for (const kept of [
    'earlier"',
    'of earlier',
    'later',
    'thought of',
    'argument of',
    'description of',
    'result of',
  ])
    expect([kept, words.replace('task-earlier"', '').includes(kept)]).toEqual([kept, false]);
  // Its owner sees the same, and her own source of the earlier number.
  expect(await read('anna', String(shared?.['key']))).toEqual({ ...shared, sharedBy: null });
  expect(
    await only('anna', 'query ($id: ID!) { node(id: $id) { ... on Message { numbers { callId } } } }', {
      id: middle.id,
    }),
  ).toEqual({ numbers: [{ callId: 'call-middle' }, { callId: 'call-earlier' }] });
});

test('leads to nothing of the conversation, by no id and by no field, and changes nothing', async () => {
  const { sessionId, first, middle, last } = await talk();
  await database.db
    .transaction()
    .execute((tx) =>
      insertMessageImages(
        tx,
        { id: 'anna', name: 'anna', projectId: 'demo', role: 'editor', isOperator: false },
        { id: key(middle.questionId), sessionId: key(sessionId) } as Message,
        [{ mediaType: 'image/png', width: 8, height: 8, body: png(8, 8), digest: uuid() }],
      ),
    );
  const commented = (await change(
    'anna',
    'addComment',
    { subjectId: middle.id, text: 'between us' },
    '... on AddCommentPayload { comment { id } }',
  )) as { comment: { id: string } };
  const shareKey = await keyOf(middle.id, 'PROJECT');
  const inside = await only(
    'anna',
    `query ($id: ID!) { copilotSession(id: $id) { id turns { nodes { id question { id } message { id blocks {
      ... on ChartBlock { chart { id } } ... on TableBlock { table { id } } } } toolCalls { id } } } } }`,
    { id: sessionId },
  );
  const ids = [...JSON.stringify(inside).matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
  expect(ids.length).toBe(1 + 3 * 6);
  const shared = await read('vera', shareKey);
  expect(shared).toMatchObject({ imageCount: 1 });
  const shown = [...JSON.stringify(shared).matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
  for (const id of [...ids, ...shown, commented.comment.id])
    expect([id, await only('vera', 'query ($id: ID!) { node(id: $id) { id } }', { id })]).toEqual([id, null]);
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from message_images where session_id = $1',
    [key(sessionId)],
  );
  const picture = messageImageUrl({ projectId: 'demo', id: rows[0]?.id ?? '' });
  expect((await fetch(app.url + picture, { headers: signedIn('vera', null) })).status).toBe(404);
  for (const query of [
    '{ sharedSessions { nodes { id } } }',
    '{ viewer { mentions { id } newestTurns { id } } }',
  ]) {
    const words = JSON.stringify(await only('vera', query));
    expect([query, [...ids, commented.comment.id].filter((id) => words.includes(id))]).toEqual([query, []]);
  }
  const found = async (user: string) => {
    const { edges } = (await only(user, '{ search(text: "middle") { edges { cursor } } }')) as {
      edges: unknown[];
    };
    return edges.length > 0;
  };
  expect([await found('anna'), await found('vera')]).toEqual([true, false]);
  for (const subscription of [
    `copilotEvents(sessionId: "${sessionId}") { __typename }`,
    `commentsUpdated(id: "${sessionId}") { comments { text } }`,
  ]) {
    const stream = sse(app.url, `subscription { ${subscription} }`, {}, signedIn('vera', 'demo'));
    expect((await stream.next()).value).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  }
  const visuals = shown.filter((id) => /^(?:Chart|DataTable):/.test(Buffer.from(id, 'base64').toString()));
  expect(visuals).toHaveLength(2);
  const { board } = (await change(
    'vera',
    'createBoard',
    { title: 'x' },
    '... on CreateBoardPayload { board { id } }',
  )) as { board: { id: string } };
  for (const visualId of visuals) {
    const pinned = await change('vera', 'pinToBoard', { boardId: board.id, visualId });
    expect(pinned).not.toMatchObject({ __typename: 'PinToBoardPayload' });
    const [type] = Buffer.from(visualId, 'base64').toString().split(':');
    const uri = visualUri(type === 'Chart' ? 'chart' : 'table', key(visualId));
    const readBy = (user: string) => mcp(app.url, 'resources/read', { uri }, signedIn(user, 'demo'));
    expect((await readBy('anna')).body).toContain('of middle');
    const { result, body } = await readBy('vera');
    expect([uri, result, body.includes('of middle')]).toEqual([uri, undefined, false]);
  }
  const clientMessageId = 'x';
  const tries: [string, object][] = [
    ['sendMessage', { sessionId, content: 'mine', clientMessageId }],
    ['retryTurn', { turnId: middle.turnId, clientMessageId }],
    ['editMessage', { messageId: middle.questionId, content: 'else', clientMessageId }],
    ['disputeMessage', { messageId: middle.id, clientMessageId }],
    ['rateMessage', { messageId: middle.id, rating: 1 }],
    ['addComment', { subjectId: middle.id, text: 'x' }],
    ['shareAnswer', { messageId: middle.id, visibility: 'LINK' }],
    ['shareAnswer', { messageId: first.id, visibility: 'PROJECT' }],
    ['shareAnswer', { messageId: last.id, visibility: 'PROJECT' }],
    ['shareSession', { sessionId, visibility: 'PROJECT' }],
    ['deleteComment', { commentId: commented.comment.id }],
  ];
  for (const user of ['vera', 'olga', 'otto'])
    for (const [mutation, input] of tries) {
      const outcome = await change(user, mutation, input);
      if (mutation === 'deleteComment') continue; // deleting what is not there changes nothing
      expect([user, mutation, outcome]).toMatchObject([user, mutation, { code: 'NOT_FOUND' }]);
    }
  expect(
    await only('anna', 'query ($id: ID!) { node(id: $id) { id } }', { id: commented.comment.id }),
  ).toEqual({
    id: commented.comment.id,
  });
});

test('is read by members of its project only, as long as it is shared, and never again by an old link', async () => {
  const { middle } = await talk();
  const link = await keyOf(middle.id);
  await change('olga', 'setMember', { userId: 'gone', role: 'VIEWER' });
  for (const user of ['vera', 'olga', 'gone'])
    expect(await read(user, link)).toMatchObject({ question: 'middle' });
  expect(await read('otto', link)).toBeNull();
  // As if in her project: who is no member gets as far as nobody does.
  const asMember = (user: string) =>
    post(app.url, 'query ($key: String!) { sharedAnswer(key: $key) { question } }', {
      variables: { key: link },
      headers: signedIn(user, 'demo'),
    });
  await change('olga', 'removeMember', { userId: 'gone' });
  for (const user of ['otto', 'stan', 'gone'])
    expect(await asMember(user)).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  for (const wrong of [
    '',
    'x',
    link.slice(1),
    `${link}A`,
    `${link} `,
    link.toLowerCase(),
    '%',
    '\u0000'.repeat(22),
  ])
    expect([wrong, await read('vera', wrong)]).toEqual([wrong, null]);

  // Sharing it again as it is keeps its link, any change ends it.
  expect(await keyOf(middle.id)).toBe(link);
  const toAll = await keyOf(middle.id, 'PROJECT');
  expect([toAll === link, await read('vera', link)]).toEqual([false, null]);
  expect(await read('vera', toAll)).toMatchObject({ visibility: 'PROJECT' });
  expect(await share(middle.id, 'PRIVATE')).toMatchObject({
    answer: { visibility: 'PRIVATE', shareLink: null },
  });
  expect([await read('vera', toAll), await read('anna', toAll)]).toEqual([null, null]);
  expect(await keyOf(middle.id)).not.toBe(link);
});

test('is listed for members once it is shared with the project, and goes with its conversation', async () => {
  const { sessionId, middle } = await talk();
  const before = await listed('vera');
  await keyOf(middle.id, 'LINK');
  expect(await listed('vera')).toEqual(before);
  const link = await keyOf(middle.id, 'PROJECT');
  expect(await listed('vera')).toEqual([{ question: 'middle', sharedBy: { name: 'anna' } }, ...before]);
  // Hers she finds in her conversation; of others it is no project of theirs.
  expect([await listed('anna'), await listed('otto')]).toEqual([[], []]);
  await change('anna', 'deleteCopilotSession', { sessionId });
  expect([await listed('vera'), await read('vera', link)]).toEqual([before, null]);
  const { rows } = await database.pool.query('select 1 from shared_answers where session_id = $1', [
    key(sessionId),
  ]);
  expect(rows).toEqual([]);
});

test('tells those who read it the moment that it ends: made private, shared otherwise, or deleted', async () => {
  const { sessionId, middle } = await talk();
  const watch = (user: string, link: string) => {
    const stream = sse(
      app.url,
      'subscription ($key: String!) { answerIsShared(key: $key) }',
      { key: link },
      signedIn(user, 'demo'),
    );
    return async () => {
      const { done, value } = await stream.next();
      return done ? 'ended' : (value as GraphqlAnswer).data?.['answerIsShared'];
    };
  };
  const ends: readonly (() => Promise<unknown>)[] = [
    () => share(middle.id, 'PRIVATE'),
    () => share(middle.id, 'LINK'),
    () => change('anna', 'deleteCopilotSession', { sessionId }),
  ];
  for (const end of ends) {
    const next = watch('vera', await keyOf(middle.id, 'PROJECT'));
    expect(await next()).toBe(true);
    await end();
    expect([await next(), await next()]).toEqual([false, 'ended']);
  }
  for (const wrong of ['', 'x', 'A'.repeat(22)]) {
    const next = watch('vera', wrong);
    expect([await next(), await next()]).toEqual([false, 'ended']);
  }
});

test('is a list in pages', async () => {
  const asked = [await ask('one'), await ask('two'), await ask('three')];
  for (const { id } of asked) await keyOf(id, 'PROJECT');
  const seen: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 3; page += 1) {
    const found = (await only(
      'vera',
      'query ($after: String) { sharedAnswers(first: 1, after: $after) { nodes { question } pageInfo { endCursor } } }',
      { after },
    )) as { nodes: { question: string }[]; pageInfo: { endCursor: string } };
    seen.push(...found.nodes.map(({ question }) => question));
    after = found.pageInfo.endCursor;
  }
  expect(seen).toEqual(['three', 'two', 'one']);
});

test('is an answer of a conversation: neither a question nor anything of others', async () => {
  const { questionId, sessionId, turnId } = await ask('alone');
  expect(await share(questionId, 'PROJECT')).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('give the id of its answer'),
  });
  for (const id of [sessionId, turnId, 'x'])
    expect(await share(id, 'LINK')).toMatchObject({ code: 'INVALID_INPUT' });
  // A reader of the whole conversation does not share parts of it.
  await change('anna', 'shareSession', { sessionId, visibility: 'PROJECT' });
  const { message } = (await only(
    'vera',
    'query ($id: ID!) { node(id: $id) { ... on Turn { message { id visibility shareLink } } } }',
    { id: turnId },
  )) as { message: { id: string } };
  expect(message).toMatchObject({ visibility: 'PRIVATE', shareLink: null });
  expect(await share(message.id, 'LINK', 'vera')).toMatchObject({ code: 'NOT_FOUND' });
});

test('is in the audit once others read it, and when it is shared', async () => {
  const { id } = await ask('seen');
  const link = await keyOf(id);
  for (const user of ['vera', 'vera', 'anna', 'otto']) await read(user, link);
  const { rows } = await database.pool.query(
    `select person_id, kind, action, project_id from audit_log where ids::text like '%' || $1 || '%' order by number`,
    [key(id)],
  );
  expect(rows).toEqual([
    { person_id: 'anna', kind: 'CHANGE', action: 'shareAnswer', project_id: 'demo' },
    { person_id: 'vera', kind: 'VIEW', action: 'sharedAnswer', project_id: 'demo' },
  ]);
});
