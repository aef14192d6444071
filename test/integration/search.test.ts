/** What a search finds, and that it never shows, counts or hints at what somebody may not read. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import { until } from '@qpilot/test-support';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { keepReport } from '../../src/stores/pg/job-turns.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, type GraphqlAnswer } from '../support/graphql-client.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

let app: TestApp;

const answerTurn: AnswerTurn = async ({ session, question, emit }) => {
  emit(text(session.kind === 'JOB' ? 'The phase found molybdenum.' : `re: ${question.text}`));
  return completed;
};

beforeAll(async () => {
  app = await createTestApp({ answerTurn, demo: true, projects: ['other'], door: headerDoor });
  await addMembers(app, [
    ['anna', 'demo', 'editor'],
    ['edda', 'demo', 'editor'],
    ['vera', 'demo', 'viewer'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(() => app.stop());

const as = (user: string, query: string, variables: object = {}): Promise<GraphqlAnswer> =>
  post(app.url, query, { variables, headers: signedIn(user, user === 'otto' ? 'other' : 'demo') });

async function only<Found = never>(user: string, query: string, variables: object = {}): Promise<Found> {
  const { data, errors } = await as(user, query, variables);
  expect(errors).toEqual([]);
  return Object.values(data ?? {})[0] as Found;
}

const change = <Found = object>(user: string, mutation: string, input: object, select = ''): Promise<Found> =>
  only(
    user,
    `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) {
      ${mutation}(input: $input) { __typename ${select} ... on UserError { code message } } }`,
    { input },
  );

type Asked = { readonly session: { id: string }; readonly turn: { id: string } };

/** Asks, and waits for the answer. */
async function ask(user: string, content: string, chipId: string | null = null): Promise<Asked> {
  const asked = await change<Asked>(
    user,
    'sendMessage',
    { content, clientMessageId: uuid(), ...(chipId && { chipId }) },
    '... on SendMessagePayload { session { id } turn { id } }',
  );
  const status = () =>
    only<{ status: string }>(user, 'query ($id: ID!) { node(id: $id) { ... on Turn { status } } }', {
      id: asked.turn.id,
    });
  await until(async () => (await status()).status === 'COMPLETED', { what: 'the answer' });
  return asked;
}

type Hit = {
  readonly kind: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly excerpt: string;
};
type Found = { readonly nodes: readonly Hit[]; readonly isCut: boolean; readonly pageInfo: object };

const HIT =
  'kind title excerpt matches { from to } at author authorId chipId sessionId turnId jobId builderSessionId boardId qid taskId';
const find = (user: string, words: string, filter: object = {}) =>
  only<Found>(
    user,
    `query ($text: String!, $filter: SearchFilter) { search(text: $text, filter: $filter) {
      nodes { ${HIT} } isCut pageInfo { hasNextPage startCursor endCursor } } }`,
    { text: words, filter },
  );
const kinds = async (user: string, words: string, filter: object = {}) =>
  (await find(user, words, filter)).nodes.map(({ kind }) => kind).toSorted();

const NOTHING = {
  nodes: [],
  isCut: false,
  pageInfo: { hasNextPage: false, startCursor: null, endCursor: null },
};

test('a conversation is found by those who may read it, and leaves no trace for others', async () => {
  const { session, turn } = await ask('anna', 'Why is Q27 worse since the tantalum run?');
  const { nodes } = await find('anna', 'tantalum q027');
  expect(nodes.map(({ kind }) => kind).toSorted()).toEqual(['ANSWER', 'QUESTION']);
  expect(nodes[0]).toMatchObject({ sessionId: session.id, turnId: turn.id, author: 'anna', jobId: null });
  expect(nodes[0]?.excerpt).toContain('tantalum');
  for (const user of ['edda', 'vera', 'otto']) {
    expect(await find(user, 'tantalum')).toEqual(NOTHING);
    expect(await find(user, 'tantalum', { personId: 'anna' })).toEqual(NOTHING);
  }

  await change('anna', 'shareSession', { sessionId: session.id, visibility: 'PROJECT' });
  expect(await kinds('vera', 'tantalum')).toEqual(['ANSWER', 'QUESTION']);
  expect(await find('otto', 'tantalum')).toEqual(NOTHING);

  const shared = await change<{ session: { shareLink: string } }>(
    'anna',
    'shareSession',
    { sessionId: session.id, visibility: 'LINK' },
    '... on ShareSessionPayload { session { shareLink } }',
  );
  expect(await find('vera', 'tantalum')).toEqual(NOTHING); // until she opens it
  await change('vera', 'openShared', { key: shared.session.shareLink.split('/').at(-1) });
  expect(await kinds('vera', 'tantalum')).toEqual(['ANSWER', 'QUESTION']);
  expect(await find('edda', 'tantalum')).toEqual(NOTHING);

  await change('anna', 'shareSession', { sessionId: session.id, visibility: 'PRIVATE' });
  expect(await find('vera', 'tantalum')).toEqual(NOTHING);
});

test('what others wrote moves no page and no order of what one may read', async () => {
  for (const user of ['edda', 'edda', 'anna']) await ask(user, `niobium niobium of ${user}`);
  const mine = await find('anna', 'niobium');
  expect(mine.nodes).toHaveLength(2);
  const pages = await only<Found>(
    'anna',
    `{ search(text: "niobium", first: 2) { nodes { kind } isCut pageInfo { hasNextPage } } }`,
  );
  expect(pages).toMatchObject({ isCut: false, pageInfo: { hasNextPage: false } });
});

test('titles, comments and jobs are found, each with where it is', async () => {
  const { session } = await ask('anna', 'Which couplings drift?');
  await change('anna', 'renameCopilotSession', { sessionId: session.id, title: 'Vanadium week' });
  expect(await kinds('anna', 'vanadium')).toEqual(['CONVERSATION']);
  await change('anna', 'renameCopilotSession', { sessionId: session.id, title: 'Couplings' });
  expect(await kinds('anna', 'vanadium')).toEqual([]);
  expect(await kinds('anna', 'couplings')).toEqual(['ANSWER', 'QUESTION']); // whose question has the word as well

  const { messages } = await only<{ messages: { nodes: readonly { id: string; role: string }[] } }>(
    'anna',
    'query ($id: ID!) { copilotSession(id: $id) { messages { nodes { id role } } } }',
    { id: session.id },
  );
  const answer = messages.nodes.find(({ role }) => role === 'ASSISTANT');
  await change('anna', 'shareSession', { sessionId: session.id, visibility: 'PROJECT' });
  const added = await change<{ comment: { id: string } }>(
    'edda',
    'addComment',
    { subjectId: answer?.id, text: 'ruthenium again, 冷却後' },
    '... on AddCommentPayload { comment { id } }',
  );
  const [comment] = (await find('anna', '冷却', { personId: 'edda' })).nodes;
  expect(comment).toMatchObject({ kind: 'COMMENT', sessionId: session.id, author: 'edda', authorId: 'edda' });
  expect(comment?.turnId).toEqual(expect.any(String));
  await change('edda', 'deleteComment', { commentId: added.comment.id });
  expect(await find('anna', 'ruthenium')).toEqual(NOTHING);

  const { job } = await change<{ job: { id: string } }>(
    'anna',
    'createJob',
    { description: 'Find hafnium', instructions: 'Look for it in all couplings.', idempotencyKey: uuid() },
    '... on CreateJobPayload { job { id } }',
  );
  expect((await find('anna', 'hafnium')).nodes).toMatchObject([
    { kind: 'JOB', jobId: job.id, sessionId: null },
  ]);
  expect(await find('edda', 'hafnium')).toEqual(NOTHING);
  await until(async () => (await find('anna', 'molybdenum')).nodes.length > 0, { what: 'a phase' });
  expect((await find('anna', 'molybdenum')).nodes[0]).toMatchObject({ kind: 'ANSWER', jobId: job.id });
});

test('words of the report of a job are found by those who may read the job', async () => {
  const { job } = await change<{ job: { id: string } }>(
    'anna',
    'createJob',
    { description: 'Drift of readout', instructions: 'Look at it.', idempotencyKey: uuid() },
    '... on CreateJobPayload { job { id } }',
  );
  const database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  const jobId = Buffer.from(job.id, 'base64url').toString().split(':').at(-1) ?? '';
  await keepReport(database.db, jobId, '# Report\n\nOnly Q09 has zirconium.\n');
  expect((await find('anna', 'zirconium q9')).nodes).toMatchObject([
    { kind: 'JOB', jobId: job.id, title: 'Drift of readout', excerpt: expect.stringContaining('zirconium') },
  ]);
  for (const user of ['edda', 'vera', 'otto']) expect(await find(user, 'zirconium')).toEqual(NOTHING);
  await keepReport(database.db, jobId, 'It was yttrium.');
  expect(await find('anna', 'zirconium')).toEqual(NOTHING);
  expect((await find('anna', 'yttrium')).nodes).toHaveLength(1);
  await database.close();
  await change('anna', 'shareJob', { jobId: job.id, visibility: 'PROJECT' });
  expect(await kinds('vera', 'yttrium')).toEqual(['JOB']);
  expect(await find('otto', 'yttrium')).toEqual(NOTHING);
  await change('anna', 'shareJob', { jobId: job.id, visibility: 'PRIVATE' });
  await until(
    async () =>
      (await change<{ __typename: string }>('anna', 'deleteJob', { jobId: job.id })).__typename !==
      'ConflictError',
    { what: 'the end of the job' },
  );
  expect(await find('anna', 'yttrium')).toEqual(NOTHING);
});

test('a conversation with the builder is found by its owner alone, with where it is continued', async () => {
  const { builderSession } = await change<{ builderSession: { id: string } }>(
    'anna',
    'sendBuilderMessage',
    {
      content: 'Mention iridium in the first step',
      clientMessageId: uuid(),
      artifacts: { instructions: 'Measure.', config: {} },
    },
    '... on SendBuilderMessagePayload { builderSession: session { id } }',
  );
  const { nodes } = await find('anna', 'iridium', { kinds: ['BUILDER'] });
  expect(nodes[0]).toMatchObject({
    kind: 'BUILDER',
    builderSessionId: builderSession.id,
    sessionId: null,
    jobId: null,
    author: 'anna',
  });
  for (const user of ['edda', 'vera', 'otto']) expect(await find(user, 'iridium')).toEqual(NOTHING);
  expect(await kinds('anna', 'iridium', { kinds: ['QUESTION'] })).toEqual([]);
});

test('a board is found by its title and by what is pinned to it, by those who may read it', async () => {
  type Board = { readonly board: { id: string; version: number; shareLink: string | null } };
  const { board } = await change<Board>(
    'anna',
    'createBoard',
    { title: 'Scandium corner' },
    '... on CreateBoardPayload { board { id } }',
  );
  const { chipId } = (await only<readonly { chipId: string }[]>('anna', '{ chips { chipId } }'))[0]!;
  const pinned = await change<Board>(
    'anna',
    'pinToBoard',
    {
      boardId: board.id,
      tool: 'generate_chip_heatmap',
      arguments: { chip_id: chipId, metric_name: 't2_echo' },
      show: 'CHART',
      title: 'Echo beside the lutetium line',
    },
    '... on PinToBoardPayload { board { id version } }',
  );
  expect(pinned).toMatchObject({ __typename: 'PinToBoardPayload' });
  for (const words of ['scandium', 'lutetium', 'scandium lutetium', 't2_echo', `"${chipId}" lutetium`])
    expect((await find('anna', words, { kinds: ['BOARD'] })).nodes).toMatchObject([
      { kind: 'BOARD', boardId: board.id, title: 'Scandium corner', sessionId: null, author: 'anna' },
    ]);
  expect(await kinds('anna', 'scandium', { chipId })).toEqual(['BOARD']);
  expect(await kinds('anna', 'scandium', { chipId: 'another' })).toEqual([]);
  expect(await kinds('anna', 'scandium', { personId: 'edda' })).toEqual([]);
  for (const user of ['edda', 'vera', 'otto']) expect(await find(user, 'scandium')).toEqual(NOTHING);
  const save = (visibility: string, version: number) =>
    change<Board>(
      'anna',
      'saveBoard',
      { boardId: board.id, version, title: 'Scandium', visibility, items: [] },
      '... on SaveBoardPayload { board { id version shareLink } }',
    );
  const shared = await save('PROJECT', pinned.board.version);
  expect(await kinds('vera', 'scandium')).toEqual(['BOARD']);
  expect(await find('otto', 'scandium')).toEqual(NOTHING);
  expect(await find('anna', 'lutetium')).toEqual(NOTHING); // its item is gone
  const linked = await save('LINK', shared.board.version);
  expect(await find('vera', 'scandium')).toEqual(NOTHING);
  await change('vera', 'openShared', { key: linked.board.shareLink?.split('/').at(-1) });
  expect(await kinds('vera', 'scandium')).toEqual(['BOARD']);
  expect(await find('edda', 'scandium')).toEqual(NOTHING);
  await change('anna', 'deleteBoard', { boardId: board.id });
  expect(await find('anna', 'scandium')).toEqual(NOTHING);
});

test('filters hold together: kind, chip, person and times', async () => {
  const { chipId } = (await only<readonly { chipId: string }[]>('anna', '{ chips { chipId } }'))[0]!;
  const before = new Date();
  await ask('anna', 'osmium of the chip', chipId);
  await ask('anna', `osmium, and what ${chipId} has`);
  await ask('anna', 'osmium elsewhere');
  expect(await kinds('anna', 'osmium', { kinds: ['QUESTION'] })).toHaveLength(3);
  expect(await kinds('anna', 'osmium', { kinds: ['QUESTION'], chipId })).toHaveLength(2);
  expect(await kinds('anna', 'osmium', { chipId: 'no such chip' })).toEqual([]);
  expect(await kinds('anna', 'osmium', { personId: 'edda' })).toEqual([]);
  expect(await kinds('anna', 'osmium', { until: before })).toEqual([]);
  expect(await kinds('anna', 'osmium', { from: before, until: new Date(Date.now() + 60_000) })).toHaveLength(
    6,
  );
  expect(await kinds('anna', 'osmium', { kinds: ['NOTE'] })).toEqual([]);
});

test('a deleted conversation is not found any more', async () => {
  const { session } = await ask('anna', 'rhenium');
  expect(await kinds('anna', 'rhenium')).toHaveLength(2);
  await change('anna', 'deleteCopilotSession', { sessionId: session.id });
  expect(await find('anna', 'rhenium')).toEqual(NOTHING);
});

test.each([
  ['', 'has no word'],
  ['(!) & |', 'has no word'],
  ['x'.repeat(201), 'has 201 characters'],
])('%s is refused with the reason', async (words, message) => {
  const { errors } = await as('anna', 'query ($text: String!) { search(text: $text) { isCut } }', {
    text: words,
  });
  expect(errors).toMatchObject([{ message: expect.stringContaining(message) }]);
});

test('remarks and results of the lab are found by word, qubit and time, with what was not looked at', async () => {
  type Records = {
    readonly hits: readonly (Hit & { taskId: string; qid: string; at: string })[];
    readonly skippedChips: number;
  };
  const records = (words: string, filter: object = {}, user = 'vera') =>
    only<Records>(
      user,
      `query ($text: String!, $filter: SearchFilter) { searchRecords(text: $text, filter: $filter) { hits { ${HIT} } skippedChips resultsOfChip } }`,
      { text: words, filter },
    );
  const results = await records('completed q007', { kinds: ['RESULT'] });
  expect(new Set(results.hits.map(({ qid }) => qid))).toEqual(new Set(['7']));
  expect(results.hits.length).toBeGreaterThan(0);
  expect(results.hits.every(({ kind, taskId }) => kind === 'RESULT' && taskId !== null)).toBe(true);
  const times = results.hits.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await records('completed q7', { until: new Date(0) })).hits).toEqual([]);
  expect((await records('completed q7', {}, 'otto')).hits).toEqual([]);
});
