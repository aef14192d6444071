/** Boards: what is pinned is read again, with the rights of the viewer; nobody overwrites what somebody else changed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { post, sse } from '../support/graphql-client.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

type Item = {
  readonly itemId: string;
  readonly title: string | null;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly show: string;
  readonly index: number;
};
type Board = {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly items: Item[];
};
type Content = {
  readonly chart: { readonly id: string; readonly title: string; readonly data: unknown } | null;
  readonly table: { readonly rows: { readonly value?: number }[] } | null;
  readonly words: string | null;
  readonly span: { readonly from: string | null; readonly to: string | null } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
};

let app: TestApp;
let mongo: MongoClient;
beforeAll(async () => {
  app = await createTestApp({ demo: true, writesCalibration: true, projects: ['other'], door: headerDoor });
  mongo = await MongoClient.connect(app.environment['MONGODB_URI'] ?? '');
  await addMembers(app, [
    ['anna', 'demo', 'editor'],
    ['adam', 'demo', 'admin'],
    ['vera', 'demo', 'viewer'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(async () => {
  await mongo.close();
  await app.stop();
});

async function only(user: string, query: string, variables: object = {}): Promise<unknown> {
  const headers = signedIn(user, user === 'otto' ? 'other' : 'demo');
  const { data, errors } = await post(app.url, query, { variables, headers });
  expect(errors).toEqual([]);
  return Object.values(data ?? {})[0];
}

const BOARD = 'id version title items { itemId title tool arguments show index }';
const change = async (user: string, mutation: string, input: object) =>
  (await only(
    user,
    `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { __typename
      ... on ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Payload { ${mutation === 'deleteBoard' ? 'deletedBoardId' : `board { ${BOARD} }`} }
      ... on UserError { code message } } }`,
    { input },
  )) as { readonly board: Board; readonly code?: string; readonly message?: string };

const made = async (user = 'anna', input: object = {}): Promise<Board> =>
  (await change(user, 'createBoard', { title: 'Morning', ...input })).board;

const HEATMAP = { tool: 'generate_chip_heatmap', arguments: { chip_id: 'demo-64', metric_name: 't1' } };
const HISTORY = {
  tool: 'get_chip_parameter_timeseries',
  arguments: { chip_id: 'demo-64', parameter_name: 't1', qids: ['5'] },
};
const pin = (boardId: string, input: object, user = 'anna') =>
  change(user, 'pinToBoard', { boardId, ...input });

const contentOf = async (user: string, boardId: string, itemId: string, range: object | null = null) => {
  const board = (await only(
    user,
    `query ($id: ID!, $item: ID!, $range: TimeRangeInput) { board(id: $id) { item(itemId: $item) { content(range: $range) {
      chart { id title data } table { rows } words span { from to } error { code message } } } } }`,
    { id: boardId, item: itemId, range },
  )) as { item: { content: Content } } | null;
  return board?.item.content;
};

const input = ({ id, version, title, items }: Board) => ({
  boardId: id,
  version,
  title,
  visibility: 'PRIVATE',
  items,
});

/** A new result of T1 on a qubit, an hour before now. */
async function measure(qid: string, microseconds: number): Promise<void> {
  const results = mongo.db(app.environment['MONGODB_DB']).collection('task_result_history');
  const last = await results.findOne({ qid, name: 'CheckT1' }, { sort: { start_at: -1 } });
  if (last === null) throw new Error(`the demo has no T1 of ${qid}`);
  const { _id, ...row } = last;
  const at = new Date(DEMO_NOW.getTime() - 3_600_000);
  const parameters = structuredClone(row['output_parameters']) as Record<string, { value: number }>;
  parameters['t1']!.value = microseconds;
  await results.insertOne({
    ...row,
    task_id: randomUUID(),
    start_at: at,
    end_at: at,
    output_parameters: parameters,
  });
}

/** The ids of an answer and of its heatmap. */
async function answerTo(content: string): Promise<{ readonly messageId: string; readonly chartId: string }> {
  const sent = (await only(
    'anna',
    `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
      ... on SendMessagePayload { session { id } } } }`,
    { input: { clientMessageId: randomUUID(), content, chipId: 'demo-64' } },
  )) as { session: { id: string } };
  const query = `subscription { copilotEvents(sessionId: "${sent.session.id}") { __typename } }`;
  for await (const { data } of sse(app.url, query, {}, signedIn('anna', 'demo')))
    if (JSON.stringify(data).includes('"TurnFinishedEvent"')) break;
  const read = JSON.stringify(
    await only(
      'anna',
      `{ copilotSession(id: "${sent.session.id}") { turns(first: 1) { nodes { message { id blocks {
        ... on ChartBlock { chart { id kind } } } } } } } }`,
    ),
  );
  return {
    messageId: /"message":\{"id":"([^"]+)"/.exec(read)?.[1] ?? '',
    chartId: /"chart":\{"id":"([^"]+)","kind":"HEATMAP"/.exec(read)?.[1] ?? '',
  };
}

test('a chart of an answer is pinned as its query, and shows what was measured since', async () => {
  const board = await made();
  const { chartId } = await answerTo('Show a T1 heatmap.');
  const pinned = await pin(board.id, { visualId: chartId });
  const [item] = pinned.board.items;
  expect(item).toMatchObject({ tool: 'generate_chip_heatmap', show: 'CHART' });
  expect(item?.arguments).toMatchObject({ chip_id: 'demo-64', metric_name: 't1' });
  const table = await pin(board.id, { ...HEATMAP, show: 'TABLE' });
  const ids = table.board.items.map(({ itemId }) => itemId);
  const before = await contentOf('anna', board.id, ids[0] ?? '');
  await measure('5', 123.4);
  const after = await contentOf('anna', board.id, ids[0] ?? '');
  expect(after?.chart?.title).toBe(before?.chart?.title);
  expect(JSON.stringify(before?.chart?.data)).not.toContain('123.4');
  expect(JSON.stringify(after?.chart?.data)).toContain('123.4');
  expect(JSON.stringify((await contentOf('anna', board.id, ids[1] ?? ''))?.table)).toContain('123.4');
  const again = (await only(
    'anna',
    `{ node(id: "${after?.chart?.id}") { ... on Chart { data } } }`,
  )) as Content['chart'];
  expect(again?.data).toEqual(after?.chart?.data);
});

test('a whole answer is pinned as the calls behind it, and its words are those of now', async () => {
  const board = await made();
  const { messageId } = await answerTo('Which five qubits have the shortest T1?');
  const pinned = await pin(board.id, { messageId, title: 'The worst' });
  expect(pinned.board.items).toMatchObject([{ tool: 'rank_qubits', show: 'ANSWER', title: 'The worst' }]);
  const { itemId = '' } = pinned.board.items[0] ?? {};
  await measure('9', 1.5);
  const content = await contentOf('anna', board.id, itemId);
  expect(content?.words).toContain('1.5');
  expect(JSON.stringify(content?.chart?.data)).toContain('Q09');
  expect(await pin(board.id, { messageId }, 'vera')).toMatchObject({ code: 'NOT_FOUND' });
  const hers = await made('vera');
  expect(await pin(hers.id, { messageId }, 'vera')).toMatchObject({ code: 'NOT_FOUND' });
  const { messageId: empty } = await answerTo('Hello');
  expect(await pin(board.id, { messageId: empty })).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('nothing of this answer can be read again'),
  });
  expect(await pin(board.id, { messageId, ...HEATMAP })).toMatchObject({ code: 'INVALID_INPUT' });
});

test('map, distribution and health of a chip are pinned, and read again in the times of the board', async () => {
  const board = await made();
  const metric = { chip_id: 'demo-64', metric_name: 't1', selection_mode: 'latest', within_hours: null };
  const map = { coupling_metric: 'zx90_gate_fidelity', by_state: false, since: '24h', other_chip: null };
  const reads = [
    { tool: 'show_chip_map', arguments: { ...metric, ...map }, show: 'TABLE' },
    { tool: 'show_distribution', arguments: metric },
    { tool: 'get_chip_summary', arguments: { chip_id: 'demo-64' } },
  ];
  for (const read of reads) expect(await pin(board.id, read)).toHaveProperty('board');
  const wrong = [
    { since: 'yesterday' },
    { other_chip: 'none' },
    { coupling_metric: 't1' },
    { metric_name: 'x' },
  ];
  for (const change of wrong)
    expect(await pin(board.id, { ...reads[0], arguments: { ...metric, ...map, ...change } })).toMatchObject({
      code: 'INVALID_INPUT',
    });
  const { items } = (await only('anna', `{ board(id: "${board.id}") { ${BOARD} } }`)) as Board;
  await measure('7', 77.7);
  const contents = (range: object | null) =>
    Promise.all(items.map(({ itemId }) => contentOf('anna', board.id, itemId, range)));
  const [shown, counted, health] = await contents(null);
  expect(JSON.stringify(shown?.table?.rows)).toContain('77.7');
  expect(JSON.stringify(counted?.chart?.data)).toContain('77.7');
  expect(health?.chart?.title).toContain('Health');
  const inTwoHours = await contents({ kind: 'LAST', hours: 2 });
  expect(inTwoHours.map((content) => content?.span !== null)).toEqual([true, true, false]);
  expect(inTwoHours[0]?.table?.rows.length).toBeLessThan(64);
});

test('the times of a board replace those of its items, and an item says where they do not apply', async () => {
  const board = await made();
  await pin(board.id, HISTORY);
  const { items } = (await pin(board.id, HEATMAP)).board;
  const [history = '', heatmap = ''] = items.map(({ itemId }) => itemId);
  const day = { kind: 'LAST', hours: 24 };
  const from = new Date(DEMO_NOW.getTime() - 86_400_000).toISOString();
  expect((await contentOf('anna', board.id, history))?.span).toBeNull();
  expect((await contentOf('anna', board.id, history, day))?.span).toEqual({ from, to: null });
  const points = async (range: object | null) =>
    JSON.stringify((await contentOf('anna', board.id, history, range))?.chart?.data ?? null).match(
      /2026-05-/g,
    )?.length ?? 0;
  expect(await points(day)).toBeLessThan(await points({ kind: 'LAST', hours: 24 * 7 }));
  const past = { kind: 'BETWEEN', from: '2026-05-13T00:00:00Z', to: '2026-05-15T00:00:00Z' };
  expect((await contentOf('anna', board.id, history, past))?.span?.to).toBe('2026-05-15T00:00:00.000Z');
  expect((await contentOf('anna', board.id, heatmap, past))?.span).toBeNull();
  const sinceCooldown = await contentOf('anna', board.id, history, { kind: 'COOLDOWN' });
  expect(sinceCooldown?.span?.from).toMatch(/^2026-/);
});

test('an item that fails has an error of its own, and what cannot be read again is not pinned', async () => {
  const board = await made();
  const { board: pinned } = await pin(board.id, HEATMAP);
  const gone = { ...HEATMAP, arguments: { chip_id: 'warm-1', metric_name: 't1' } };
  const broken = [
    { ...gone, show: 'CHART' },
    { tool: 'make_chart', arguments: {}, show: 'CHART' },
    { tool: 'generate_chip_heatmap', arguments: { nothing: 1 }, show: 'CHART' },
  ].map((item) => ({ ...item, itemId: randomUUID() }));
  const saved = await change('anna', 'saveBoard', { ...input(pinned), items: [...pinned.items, ...broken] });
  const [fine = '', ...failing] = saved.board.items.map(({ itemId }) => itemId);
  expect((await contentOf('anna', board.id, fine))?.error).toBeNull();
  const errors = await Promise.all(failing.map(async (id) => (await contentOf('anna', board.id, id))?.error));
  expect(errors.map((error) => error?.code)).toEqual(['NOT_FOUND', 'INVALID_INPUT', 'INVALID_INPUT']);
  expect(errors[0]?.message).toContain('warm-1');
  expect(errors[1]?.message).toContain('a board cannot hold make_chart');
  for (const item of broken) {
    const { itemId: _, ...read } = item;
    expect(await pin(board.id, read)).toMatchObject({ code: 'INVALID_INPUT' });
  }
});

test('a change of an older version is refused, and pinning is not', async () => {
  const board = await made();
  const arranged = await change('anna', 'saveBoard', { ...input(board), title: 'Evening' });
  expect(arranged.board).toMatchObject({ version: 2, title: 'Evening' });
  const late = await change('anna', 'saveBoard', { ...input(board), title: 'Night' });
  expect(late).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('is at version 2, not 1'),
  });
  expect((await pin(board.id, HEATMAP)).board).toMatchObject({ version: 3, title: 'Evening' });
  expect(await change('anna', 'deleteBoard', { boardId: board.id, version: 1 })).toMatchObject({
    code: 'CONFLICT',
  });
});

test('a board of the project is read by all members, and changed by its owner and admins', async () => {
  const board = await made('vera');
  expect(await only('anna', '{ boards { id } }')).not.toContainEqual({ id: board.id });
  expect(await only('adam', `{ board(id: "${board.id}") { id } }`)).toBeNull();
  const shared = await change('vera', 'saveBoard', { ...input(board), visibility: 'PROJECT' });
  expect(await only('anna', '{ boards { id } }')).toContainEqual({ id: board.id });
  expect(await only('otto', `{ board(id: "${board.id}") { id } }`)).toBeNull();
  const project = { ...input(shared.board), visibility: 'PROJECT' };
  expect(await change('anna', 'saveBoard', project)).toMatchObject({ code: 'FORBIDDEN' });
  expect(await pin(board.id, HEATMAP)).toMatchObject({ code: 'FORBIDDEN' });
  expect(await change('adam', 'saveBoard', { ...project, visibility: 'PRIVATE' })).toMatchObject({
    code: 'FORBIDDEN',
  });
  const { board: byAdmin } = await change('adam', 'saveBoard', { ...project, title: 'Shift' });
  expect(byAdmin.title).toBe('Shift');
  const [item] = (await pin(board.id, HEATMAP, 'vera')).board.items;
  expect((await contentOf('anna', board.id, item?.itemId ?? ''))?.chart?.title).toBe('T1');
  await change('anna', 'deleteBoard', { boardId: board.id });
  expect(await only('vera', `{ board(id: "${board.id}") { title } }`)).toEqual({ title: 'Shift' });
});

test('a board is read by members of its project who open its link, until it is shared otherwise', async () => {
  const board = await made();
  const read = (user: string) =>
    only(user, `{ board(id: "${board.id}") { visibility shareLink mayChange } }`);
  const share = async (visibility: string): Promise<string> => {
    const { version } = (await only('anna', `{ board(id: "${board.id}") { version } }`)) as Board;
    await change('anna', 'saveBoard', { ...input(board), version, visibility });
    const { shareLink } = (await read('anna')) as { shareLink: string | null };
    return shareLink?.replace('/projects/demo/shared/', '') ?? '';
  };
  const open = (user: string, key: string) =>
    only(
      user,
      `mutation { openShared(input: { key: "${key}" }) { __typename
        ... on OpenSharedPayload { board { id } session { id } job { id } } ... on UserError { code } } }`,
    );
  const key = await share('LINK');
  expect(key).toMatch(/^[\w-]{22}$/);
  expect([await read('vera'), await read('adam'), await only('vera', '{ boards { id } }')]).toEqual([
    null,
    null,
    expect.not.arrayContaining([{ id: board.id }]),
  ]);
  expect(await open('otto', key)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await open('vera', key)).toMatchObject({ board: { id: board.id }, session: null, job: null });
  expect([await read('vera'), await read('adam'), await read('otto')]).toEqual([
    { visibility: 'LINK', shareLink: null, mayChange: false },
    null,
    null,
  ]);
  expect(await only('vera', '{ boards { id } }')).toContainEqual({ id: board.id });
  expect(await pin(board.id, HEATMAP, 'vera')).toMatchObject({ code: 'FORBIDDEN' });
  expect(await share('LINK')).toBe(key);
  expect((await pin(board.id, HEATMAP)).board.items).toHaveLength(1);
  expect(await read('vera')).not.toBeNull();

  // A member who left and came back opens it anew.
  await only('adam', 'mutation { removeMember(input: { userId: "vera" }) { __typename } }');
  await only('adam', 'mutation { setMember(input: { userId: "vera", role: VIEWER }) { __typename } }');
  expect(await read('vera')).toBeNull();
  await open('vera', key);
  expect(await read('vera')).not.toBeNull();

  await share('PRIVATE');
  expect([await read('vera'), await open('vera', key)]).toEqual([
    null,
    expect.objectContaining({ code: 'NOT_FOUND' }),
  ]);
  expect(await share('LINK')).not.toBe(key);
  expect(await read('vera')).toBeNull();
});

test('times that make no sense are refused by name', async () => {
  const board = await made();
  const save = (range: object) => change('anna', 'saveBoard', { ...input(board), range });
  for (const [range, words] of [
    [{ kind: 'LAST' }, 'input.range.hours: belongs to LAST'],
    [{ kind: 'LAST', hours: 0 }, 'must be at least 1'],
    [{ kind: 'BETWEEN' }, 'must be given for BETWEEN'],
    [{ kind: 'BETWEEN', from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' }, 'must be after from'],
    [{ kind: 'COOLDOWN', hours: 3 }, 'input.range.hours'],
  ] as const) {
    expect((await save(range)).message).toContain(words);
  }
});
