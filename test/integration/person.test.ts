/** One person's data: all of it is exported, all of it is deleted, and nobody else's is touched. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { Client } from 'pg';
import { decodeNodeId, encodeNodeId } from '../../schema/node-ids.ts';
import { createLogger } from '../../src/base/log.ts';
import { deletePerson } from '../../src/operations/person/delete-person.ts';
import { exportPerson } from '../../src/operations/person/export-person.ts';
import { countRows, findPerson, type Somebody } from '../../src/operations/person/person.ts';
import { IMPERSONAL, PLACES } from '../../src/operations/person/places.ts';
import type { Session } from '../../src/domain/conversation/session.ts';
import { openDatabase, transact } from '../../src/stores/pg/database.ts';
import { createSessionDataStore } from '../../src/stores/pg/session-data.ts';
import { createStepStore } from '../../src/stores/pg/step-records.ts';
import { insertSummary } from '../../src/stores/pg/summaries.ts';
import { insertJobDraft } from '../../src/stores/pg/job-drafts.ts';
import { createMembers } from '../../src/stores/pg/members.ts';
import { insertMessageImages } from '../../src/stores/pg/message-images.ts';
import { tell, text, toolEnd, toolStart } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { connect } from '../support/oauth.ts';
import { auth, becomeOwner, join as joinLab } from '../support/people.ts';
import { png } from '../support/pictures.ts';

const COMMAND = join(import.meta.dirname, '../../src/operations/cli/person.ts');
const NAMES = ['patrice', 'quentin'] as const;
const addressOf = (name: string): string => `${name}@lab.example`;
/** A word that only this person writes. */
const wordOf = (name: string): string => `zebra${name}`;

let it: TestApp;
let folder: string;
let client: Client;
let owner: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-person-'));
  it = await createTestApp({
    demo: true,
    env: { AUTH_MODE: 'accounts' },
    answerTurn: tell(toolStart('call'), toolEnd('call'), text('There it is.')),
  });
  client = new Client({ connectionString: it.environment['DATABASE_URL'] });
  await client.connect();
  owner = await becomeOwner(it);
  for (const name of NAMES) await makeThings(name);
});
afterAll(async () => {
  await client.end();
  await it.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Somebody who asks, uploads, rates, plans, runs a job, and makes an expert and a key. */
async function makeThings(name: string): Promise<void> {
  const word = wordOf(name);
  const cookie = await joinLab(it.url, owner, { email: addressOf(name), projectId: 'demo', role: 'editor' });
  const headers = { cookie, origin: it.url, 'x-project-id': 'demo', 'graphql-require-preflight': '1' };
  ids[name] = String(((await auth(it.url, '/me', { cookie })).body['person'] as { id: string }).id);
  const send = async (body: FormData | string): Promise<string> => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(`${it.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, ...type },
      body,
    });
    const answer = await response.text();
    if (/"errors"|Error"/u.test(answer)) throw new Error(answer);
    return answer;
  };
  const run = (query: string): Promise<string> => send(JSON.stringify({ query }));
  const idIn = (text: string): string => /"id":"([^"]+)"/u.exec(text)?.[1] ?? '';

  const form = new FormData();
  const upload = `mutation ($input: CreateUploadInput!) { createUpload(input: $input) { __typename
    ... on CreateUploadPayload { upload { id } } } }`;
  form.set('operations', JSON.stringify({ query: upload, variables: { input: { file: null } } }));
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  form.set('0', new Blob([`qid,${word}\n0,1\n`], { type: 'text/csv' }), `${word}.csv`);
  const uploadId = idIn(await send(form));
  const sent = await run(`mutation { sendMessage(input: { clientMessageId: "a", uploadIds: ["${uploadId}"],
    content: "My dog is called ${word}.", chipId: "demo-64" }) { __typename
    ... on SendMessagePayload { session { id } message { id } turn { id } } } }`);
  const [sessionId = '', messageId = '', turnId = ''] = [...sent.matchAll(/"id":"([^"]+)"/gu)].map(
    ([, id = '']) => decodeNodeId(id).id,
  );
  await run(
    `mutation { rateMessage(input: { messageId: "${await answerOf(turnId)}", rating: 1, comment: "${word}" }) { __typename } }`,
  );
  await run(
    `mutation { shareAnswer(input: { messageId: "${await answerOf(turnId)}", visibility: PROJECT }) { __typename } }`,
  );
  const builder = await run(`mutation { createBuilderSession(input: { clientRequestId: "b" }) { __typename
    ... on CreateBuilderSessionPayload { session { id } } } }`);
  await run(`mutation { sendBuilderMessage(input: { sessionId: "${idIn(builder)}", clientMessageId: "c",
    content: "A report on T1 for ${word}", artifacts: { instructions: "${word}" } }) { __typename } }`);
  if (name === 'patrice')
    await run(
      `mutation { createJob(input: { description: "${word}", instructions: "x", idempotencyKey: "d" }) { __typename } }`,
    );
  await run(
    `mutation { saveExpert(input: { expertId: "of-${NAMES.indexOf(name as 'patrice')}", displayName: "E", instructions: "x" }) { __typename } }`,
  );
  await run(`mutation { createBoard(input: { title: "${word}" }) { __typename } }`);
  await auth(it.url, '/keys', { cookie, body: { name: word, days: 1, role: 'viewer', projectId: 'demo' } });
  await connect(it.url, cookie);
  await auth(it.url, '/invitations', {
    cookie: owner,
    body: { email: addressOf(name), projectId: 'demo', role: 'viewer' },
  });

  const database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  const viewer = { id: ids[name] ?? '', name, projectId: 'demo', role: 'editor', isOperator: false } as const;
  const draft = {
    expertId: 'e',
    description: word,
    instructions: word,
    configOverride: {},
    chipId: null,
    context: {},
  };
  await insertJobDraft(database.db, viewer, draft);
  const picture = { mediaType: 'image/png', width: 8, height: 8, body: png(8, 8), digest: word } as const;
  const session = { id: sessionId, projectId: 'demo', viewerId: viewer.id } as Session;
  const summary = { throughTurnId: turnId, messageCount: 1, text: word, model: 'x' };
  await insertSummary(database.db, session, summary);
  const kept = { json: JSON.stringify(Array(300).fill(word)), freshness: null };
  await createSessionDataStore(database.db).put(sessionId, 'kept', kept, 10_000);
  const step = { number: 1, instructions: word, purpose: 'ANSWER', input: [], inputFrom: 0 };
  await createStepStore(database.db).add(turnId, step as never, { hash: word, schemas: [] } as never);
  await transact(database.db, (tx) =>
    insertMessageImages(tx, viewer, { id: messageId, sessionId }, [picture]),
  );
  await database.close();
}

/** The id of an answer, once it is whole. */
async function answerOf(turnId: string): Promise<string> {
  const answer = await until(
    async () => {
      const { rows } = await client.query<{ answer_id: string }>(
        `select answer_id from turns where id = $1 and status = 'COMPLETED'`,
        [turnId],
      );
      return rows[0]?.answer_id;
    },
    { intervalMs: 50, what: 'an answer' },
  );
  return encodeNodeId('Message', answer);
}

/** The command beside the running server. */
async function person(...args: string[]): Promise<{ readonly ok: boolean; readonly text: string }> {
  const env = { ...process.env, ...it.environment };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
    return { ok: true, text: stdout };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { ok: false, text: stdout + stderr };
  }
}

/** All tables, as a schema and a name. */
async function tables(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Tables with a row that holds a text anywhere. */
async function holding(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of await tables()) {
    const { rowCount } = await client.query(
      `select from ${table} as t where strpos(lower(t::text), $1) > 0 limit 1`,
      [text.toLowerCase()],
    );
    if (rowCount) found.push(table);
  }
  return found;
}

test('every table is known to hold people or nobody', async () => {
  const known = [...PLACES.map(({ table }) => table), ...IMPERSONAL].map((name) => name.replaceAll('"', ''));
  const all = (await tables())
    .map((name) => name.replaceAll('"', '').replace(/^public\./u, ''))
    .filter((name) => !name.startsWith('qpilot_queue.')); // ids of jobs, for a day
  expect(known.toSorted()).toEqual(all.toSorted());
});

test('without an agreement only counts are shown, and nothing is deleted', async () => {
  const { ok, text } = await person('delete', 'Patrice@LAB.example');
  expect(ok).toBe(false);
  for (const line of [
    '1  uploads',
    '1  uploads/',
    '1  ratings',
    '1  auth.api_keys',
    '3  auth.assistant_tokens',
    '1  auth.assistants',
    '1  saved_experts: stays',
  ])
    expect(text).toContain(line);
  expect(text).toContain('nothing was deleted; a script agrees by --yes');
  expect(await holding(wordOf('patrice'))).toContain('public.messages');
});

test('nobody, one of several of a name, the last owner and the last administrator are refused', async () => {
  await expect(findPerson(client, 'nobody@lab.example')).rejects.toThrow(
    'nobody here has the id, address or name nobody@lab.example',
  );
  const olga = await findPerson(client, 'Olga');
  await client.query(`update auth."user" set name = 'Olga' where name = 'quentin'`);
  await expect(findPerson(client, 'Olga')).rejects.toThrow(
    '2 people are called Olga; name one by id or address',
  );
  await client.query(`update auth."user" set name = 'quentin' where email = $1`, [addressOf('quentin')]);
  const share = `update auth."user" set address = $2 where email = $1`;
  await client.query(share, [addressOf('quentin'), addressOf('patrice')]);
  await expect(findPerson(client, addressOf('patrice'))).rejects.toThrow('2 people are called');
  await client.query(share, [addressOf('quentin'), addressOf('quentin')]);
  const database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  try {
    const remove = (who: Somebody) => deletePerson(database.db, who, { uploads: [], jobs: [] }, folder);
    await expect(remove(olga)).rejects.toThrow('somebody must remain who administers');
    await createMembers(database.db).set({
      projectId: 'demo',
      userId: olga.id,
      role: 'owner',
      addedBy: null,
    });
    await expect(remove(olga)).rejects.toThrow(
      'they are the last owner of demo; make another member an owner first',
    );
  } finally {
    await database.close();
  }
  expect((await auth(it.url, '/me', { cookie: owner })).body['person']).toMatchObject({ name: 'Olga' });
});

test('an export holds every word and row of the person, no secret, and nothing of others', async () => {
  const out = join(folder, 'export');
  expect(await person('export', 'patrice', '--out', out)).toMatchObject({ ok: true });
  const files = await readdir(out);
  const text = (
    await Promise.all(
      files.filter((name) => name.endsWith('.jsonl')).map((name) => readFile(join(out, name), 'utf8')),
    )
  ).join('');
  const counts = await countRows(client, ids['patrice'] ?? '');
  for (const { where } of counts) expect(files).toContain(`${where}.jsonl`);
  // What a job, the builder, a pending sign-in, a second factor, comments, opened boards, budgets, a backlog or alerts would have, and what is gone at once.
  expect(counts.length).toBeGreaterThanOrEqual(PLACES.length - 20);

  const ofWord = await Promise.all(
    [
      'messages',
      'ratings',
      'summaries',
      'session_data',
      'tool_schemas',
      'jobs',
      'job_drafts',
      'uploads',
      'auth.api_keys',
    ].map(async (name) => (await readFile(join(out, `${name}.jsonl`), 'utf8')).includes(wordOf('patrice'))),
  );
  expect(ofWord).toEqual(Array(9).fill(true));
  for (const foreign of [wordOf('quentin'), addressOf('quentin'), ids['quentin'] ?? ''])
    expect(text).not.toContain(foreign);
  const { rows } = await client.query<{ secret: string }>(
    `select hash as secret from auth.api_keys union select hash from auth.assistant_tokens union select token from auth.session union select hash from auth.invitations
       union select password from auth.account where password is not null`,
  );
  for (const { secret } of rows) expect(text).not.toContain(secret);
  expect(await readdir(join(out, 'uploads'))).toHaveLength(1);
  expect(
    (await readFile(join(out, 'pictures', (await readdir(join(out, 'pictures')))[0]!))).equals(png(8, 8)),
  ).toBe(true);
  expect(text).not.toContain('_zstd');
  await expect(
    exportPerson(client, { id: 'x', name: null, email: null }, { dataDir: folder, folder: out }),
  ).rejects.toThrow('is not empty');
});

test('after a deletion no table and no file holds a word or the id of the person, but for experts and the audit', async () => {
  const id = ids['patrice'] ?? '';
  const { rows: jobs } = await client.query<{ id: string }>('select id from jobs where viewer_id = $1', [id]);
  const before = await countRows(client, ids['quentin'] ?? '');
  expect(await person('delete', id, '--yes')).toMatchObject({ ok: true });
  expect(await holding(id)).toEqual(['public.audit_log', 'public.saved_experts']);
  for (const text of [wordOf('patrice'), addressOf('patrice')])
    expect([text, await holding(text)]).toEqual([text, []]);
  const after = await countRows(client, ids['quentin'] ?? '');
  const lost = before.filter(
    ({ where, count }) => (after.find((each) => each.where === where)?.count ?? 0) < count,
  );
  expect(lost.filter(({ where }) => where !== 'token_holds')).toEqual([]); // ends with its turn
  const dataDir = it.environment['DATA_DIR'] ?? '';
  expect(await readdir(join(dataDir, 'uploads'))).toHaveLength(1);
  const workspaces = await readdir(join(dataDir, 'jobs')).catch(() => []);
  expect(workspaces).not.toContain(jobs[0]?.id);
  expect(await countRows(client, id)).toMatchObject([
    { where: 'audit_log' },
    { where: 'saved_experts', count: 1 },
  ]);
  const { rows: named } = await client.query(
    'select from audit_log where person_id = $1 and person_name is not null',
    [id],
  );
  expect(named).toEqual([]);
});

test('a database of an older version is refused: it lacks tables that are searched', async () => {
  const { rows } = await client.query<{ name: string; timestamp: string }>(
    'delete from kysely_migration where name = (select max(name) from kysely_migration) returning *',
  );
  const { ok, text } = await person('export', ids['quentin'] ?? '', '--dry-run', '--out', it.url);
  const [{ name, timestamp } = { name: '', timestamp: '' }] = rows;
  await client.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [name, timestamp]);
  expect([ok, text]).toEqual([false, expect.stringContaining('those of an older version')]);
  expect(text).not.toContain('    at ');
});
