/** The audit: what it records, when it is stored, who reads it, and that nothing changes it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { pino } from 'pino';
import { schema } from '../../schema/index.ts';
import { createLogger } from '../../src/base/log.ts';
import { auditExportUrl } from '../../src/domain/audit/export-url.ts';
import { removeOldAudit } from '../../src/stores/pg/audit-log.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { auth, becomeOwner, PASSWORD } from '../support/people.ts';
import { rootOperation, type Ids } from '../support/permission-walk.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

type Row = {
  readonly kind: string;
  readonly action: string;
  readonly outcome: string;
  readonly person_id: string | null;
  readonly key_id: string | null;
  readonly address: string | null;
  readonly project_id: string | null;
  readonly ids: Record<string, string>;
};

const rowsOf = async ({ pool }: OpenDatabase): Promise<readonly Row[]> =>
  (await pool.query<Row>('select * from audit_log order by number')).rows;

/** One word of each conversation, so that no check of spaces keeps it out. */
const SECRET = 'xylograph';

describe('operations', () => {
  const logged: string[] = [];
  let app: TestApp;
  let database: OpenDatabase;
  beforeAll(async () => {
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    app = await createTestApp({ projects: ['other'], door: headerDoor, log });
    database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
    await addMembers(app, [
      ['olga', 'demo', 'owner'],
      ['adam', 'demo', 'admin'],
      ['vera', 'demo', 'viewer'],
      ['otto', 'other', 'owner'],
      ['root', 'demo', 'admin'],
    ]);
  });
  afterAll(async () => {
    await database.close();
    await app.stop();
  });

  const as = (user: string, query: string, project = 'demo') =>
    post(app.url, query, { headers: signedIn(user, project) });
  /** A file takes a form. */
  const upload = async (user: string): Promise<void> => {
    const form = new FormData();
    const query = 'mutation ($file: File!) { createUpload(input: { file: $file }) { __typename } }';
    form.set('operations', JSON.stringify({ query, variables: { file: null } }));
    form.set('map', JSON.stringify({ 0: ['variables.file'] }));
    form.set('0', new Blob([`a,b\n1,${SECRET}\n`], { type: 'text/csv' }), `${SECRET}.csv`);
    const headers = { 'graphql-require-preflight': '1', ...signedIn(user, 'demo') };
    const response = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body: form });
    expect(await response.text()).toContain('CreateUploadPayload');
  };
  const newest = async () => (await rowsOf(database)).at(-1);
  const sendMessage = (id: string) =>
    as(
      'vera',
      `mutation { sendMessage(input: { clientMessageId: "${id}", content: "${SECRET}" }) { __typename
        ... on SendMessagePayload { turn { id } session { id } } ... on UserError { message } } }`,
    );

  test('are recorded, each mutation as what it is and with what came of it, without a word of anybody', async () => {
    const WORDS = /^(?:content|title|note|comment|description|instructions|displayName|summary)$/;
    const words: Ids = (name) => (WORDS.test(name) ? SECRET : undefined);
    const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
    for (const { name, extensions } of fields) {
      const before = (await rowsOf(database)).length;
      if (name === 'createUpload') await upload('olga');
      else await as('olga', rootOperation('Mutation', name, words));
      const rows = (await rowsOf(database)).slice(before);
      expect(rows).toContainEqual(
        expect.objectContaining({
          kind: extensions['audit'],
          action: name,
          outcome: expect.stringMatching(/^[A-Z_]+$/),
          person_id: 'olga',
          project_id: 'demo',
          address: '127.0.0.1',
        }),
      );
    }
    expect(fields.length).toBeGreaterThan(25);
    expect(JSON.stringify(await rowsOf(database))).not.toContain(SECRET);
  });

  test('that a role does not allow are recorded as refused', async () => {
    await as('vera', 'mutation { removeMember(input: { userId: "olga" }) { __typename } }');
    const ids = { userId: 'olga' };
    expect(await newest()).toMatchObject({ action: 'removeMember', outcome: 'FORBIDDEN', ids });
  });

  test('that are stored in a transaction are recorded once, in it, with the ids of what they made', async () => {
    const { data } = await sendMessage('once');
    const { turn, session } = (data as { sendMessage: Record<string, { id: string }> }).sendMessage;
    const keyOf = (id = '') => Buffer.from(id, 'base64url').toString().split(':')[1];
    const own = (await rowsOf(database)).filter(({ ids }) => ids['turnId'] === keyOf(turn?.id));
    expect(own).toMatchObject([
      { kind: 'SUBMIT', action: 'sendMessage', outcome: 'DONE', ids: { sessionId: keyOf(session?.id) } },
    ]);
  });

  test('of messages that come at once are recorded once each, with their own ids, whoever stores them', async () => {
    const before = (await rowsOf(database)).length;
    await Promise.all(Array.from({ length: 8 }, (_, index) => sendMessage(`rush ${index}`)));
    const rows = (await rowsOf(database)).slice(before);
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      Array<string>(8).fill('sendMessage DONE'),
    );
    const { rows: turns } = await database.pool.query<{ id: string }>(
      "select id from turns where client_message_id like 'rush %'",
    );
    expect(new Set(rows.map(({ ids }) => ids['turnId']))).toEqual(new Set(turns.map(({ id }) => id)));
  });

  describe('while no record can be stored', () => {
    const BROKEN = `create or replace function record_act(entry jsonb) returns void language plpgsql as
      $$ begin raise exception 'no record'; end $$`;
    let working = '';
    beforeAll(async () => {
      const { rows } = await database.pool.query<{ text: string }>(
        "select pg_get_functiondef('record_act'::regproc) as text",
      );
      working = rows[0]?.text ?? '';
      await database.pool.query(BROKEN);
    });
    afterAll(() => database.pool.query(working));

    test('change nothing where a transaction would have stored both, and say so', async () => {
      const { data, errors } = await sendMessage('unrecorded');
      expect([data, errors[0]?.extensions['code']]).toEqual([null, 'INTERNAL_SERVER_ERROR']);
      const { rows } = await database.pool.query("select from turns where client_message_id = 'unrecorded'");
      expect(rows).toEqual([]);
    });

    test('else are done, and the record is in the log of the server', async () => {
      logged.length = 0;
      await as('olga', 'mutation { cancelTurn(input: { turnId: "VHVybjpub25l" }) { __typename } }');
      const [line] = logged.filter((each) => each.includes('only here'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        level: 50,
        audit: { action: 'cancelTurn', personId: 'olga', projectId: 'demo' },
      });
    });
  });

  test('are never changed or removed but by age', async () => {
    const { length } = await rowsOf(database);
    for (const statement of [
      "update audit_log set person_id = 'nobody'",
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      await expect(database.pool.query(statement)).rejects.toThrow('append-only');
    }
    expect(await rowsOf(database)).toHaveLength(length);
    await database.pool.query(`insert into audit_log (at, kind, action, outcome, ids)
      values (now() - interval '40 days', 'CHANGE', 'old', 'DONE', '{}')`);
    expect(await removeOldAudit(database.db, 39)).toBe(1);
    expect(await rowsOf(database)).toHaveLength(length);
  });

  const LOG = (filter: string, rest = '') =>
    `{ auditLog(filter: ${filter} ${rest}) { nodes { kind action personId projectId } pageInfo { hasNextPage endCursor } } }`;
  type Page = { nodes: Record<string, string>[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const read = async (user: string, query: string, project = 'demo') => {
    const { data, errors } = await as(user, query, project);
    expect(errors).toEqual([]);
    return (data as { auditLog: Page }).auditLog;
  };

  test('are read by admins, by person, kind and period, page by page', async () => {
    await as('otto', 'mutation { removeMember(input: { userId: "x" }) { __typename } }', 'other');
    const mine = await read('adam', LOG('{ personId: "vera", kinds: [SUBMIT] }', 'first: 1'));
    expect(mine.nodes).toEqual([
      { kind: 'SUBMIT', action: 'sendMessage', personId: 'vera', projectId: 'demo' },
    ]);
    expect((await read('adam', LOG('{ to: "2026-01-01T00:00:00Z" }'))).nodes).toEqual([]);
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const page = await read('adam', LOG('{}', `first: 10 ${after}`));
      seen.push(...page.nodes);
      if (!page.pageInfo.hasNextPage) break;
      after = `after: "${page.pageInfo.endCursor}"`;
    }
    const all = (await rowsOf(database)).filter(({ project_id: id }) => id === 'demo');
    expect(seen).toHaveLength(all.length);
  });

  test('of other projects are read by administrators of the installation only', async () => {
    for (const filter of ['{ projectId: "other" }', '{ everywhere: true }']) {
      const { errors } = await as('adam', LOG(filter));
      expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['FORBIDDEN']);
    }
    const projects = async (filter: string) =>
      new Set((await read('root', LOG(filter))).nodes.map(({ projectId }) => projectId));
    expect(await projects('{ projectId: "other" }')).toEqual(new Set(['other']));
    expect(await projects('{ everywhere: true }')).toEqual(new Set(['demo', 'other']));
  });

  test('are printed by npm run audit', async () => {
    const run = async (...args: readonly string[]) => {
      const env = { ...process.env, ...app.environment };
      const command = ['src/operations/cli/audit.ts', ...args];
      return (await promisify(execFile)(process.execPath, command, { env })).stdout.trimEnd().split('\n');
    };
    const refused = await run('--person', 'vera', '--kind', 'ADMINISTER');
    expect(refused).toEqual([
      expect.stringMatching(
        /^\S+Z {2}ADMINISTER {2}removeMember {2}FORBIDDEN {2}vera \(vera\) {2}127\.0\.0\.1 {2}demo {2}userId=olga$/,
      ),
    ]);
    const lines = await run('--project', 'other', '--jsonl');
    expect(lines.map((line) => (JSON.parse(line) as Row).action)).toEqual(['removeMember']);
  });

  test('are exported as CSV and lines of JSON, which is recorded', async () => {
    const get = (user: string, format: 'csv' | 'jsonl', everywhere = false) => {
      const path = auditExportUrl({ projectId: 'demo', format, everywhere, kinds: ['SUBMIT', 'CHANGE'] });
      return send(app.url + path, { headers: signedIn(user, null) });
    };
    expect((await get('vera', 'csv')).status).toBe(404);
    expect((await get('adam', 'csv', true)).status).toBe(403);
    expect(
      (await send(`${app.url}/audit-log/demo?format=xls`, { headers: signedIn('adam', null) })).status,
    ).toBe(400);
    const stored = (await rowsOf(database)).filter(
      ({ kind, project_id: id }) => id === 'demo' && (kind === 'SUBMIT' || kind === 'CHANGE'),
    );
    const csv = await get('adam', 'csv');
    expect(csv.body.split('\r\n')[0]).toBe(
      'number,at,kind,action,outcome,personId,personName,keyId,address,projectId,ids',
    );
    expect(csv.body.trimEnd().split('\r\n')).toHaveLength(stored.length + 1);
    const lines = (await get('adam', 'jsonl')).body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Row).map(({ action }) => action)).toEqual(
      stored.map(({ action }) => action).toReversed(),
    );
    const exports = async () => (await rowsOf(database)).filter(({ kind }) => kind === 'EXPORT');
    await until(async () => (await exports()).length === 2, { what: 'the records of the exports' });
    expect((await exports())[0]).toMatchObject({ action: 'GET /audit-log/', person_id: 'adam' });
  });
});

describe('signing in', () => {
  let app: TestApp;
  let database: OpenDatabase;
  beforeAll(async () => {
    app = await createTestApp({ env: { AUTH_MODE: 'accounts', TRUSTED_PROXIES: '127.0.0.1' } });
    database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  });
  afterAll(async () => {
    await database.close();
    await app.stop();
  });
  const FROM = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const recorded = async (action: RegExp): Promise<readonly Row[]> => {
    const find = async () => (await rowsOf(database)).filter((row) => action.test(row.action));
    await until(async () => (await find()).length > 0, { what: `a record of ${action.source}` });
    return find();
  };

  test('and out, failing to, making a key and using it are recorded with the address of the client', async () => {
    const owner = await becomeOwner(app);
    const [accepted] = await recorded(/^POST \/accept$/);
    expect(accepted).toMatchObject({ kind: 'ADMINISTER', outcome: 'DONE' });
    const email = 'owner@lab.example';
    await auth(app.url, '/sign-in/email', { body: { email, password: 'not this one' }, ...FROM });
    expect(await recorded(/^sign-in$/)).toMatchObject([
      { kind: 'SIGN_IN_FAILED', outcome: 'UNAUTHENTICATED', address: '203.0.113.7', ids: { email } },
    ]);
    const { cookie } = await auth(app.url, '/sign-in/email', {
      body: { email, password: PASSWORD },
      ...FROM,
    });
    const made = await auth(app.url, '/keys', {
      body: { name: 'night run', days: 1, role: 'editor', projectId: null },
      cookie,
      ...FROM,
    });
    const id = String(made.body['id']);
    expect(await recorded(/^POST \/keys$/)).toMatchObject([{ kind: 'ADMINISTER', ids: { id } }]);
    const headers = { authorization: `Bearer ${String(made.body['key'])}`, ...FROM.headers };
    await post(app.url, 'mutation { cancelTurn(input: { turnId: "VHVybjpub25l" }) { __typename } }', {
      headers,
    });
    expect(await recorded(/^cancelTurn$/)).toMatchObject([{ key_id: id, address: '203.0.113.7' }]);
    await auth(app.url, '/sign-out', { body: {}, cookie, ...FROM });
    const [out] = await recorded(/sign-out/);
    const [, entered] = await recorded(/^\/sign-in\/email$/);
    expect(entered).toMatchObject({ kind: 'SIGN_IN', outcome: 'DONE', address: '203.0.113.7' });
    expect(out).toMatchObject({ kind: 'SIGN_OUT', outcome: 'DONE', person_id: entered?.person_id });
    expect(owner).not.toBe('');
    const all = JSON.stringify(await rowsOf(database));
    for (const secret of [PASSWORD, 'not this one', String(made.body['key'])])
      expect(all).not.toContain(secret);
  });
});
