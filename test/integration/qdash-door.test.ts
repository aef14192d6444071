/** Sign-in by the users, tokens and memberships of a QDash, in the shapes that its versions store. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { MongoClient, ObjectId, type Db, type Document } from 'mongodb';
import { encodeNodeId, NODE_TYPES } from '../../schema/node-ids.ts';
import { allows, roleOf } from '../../src/domain/members/rule.ts';
import type { Role } from '../../src/domain/members/role.ts';
import { createQdashCookie } from '../../src/identity/qdash.ts';
import { permissions } from '../../src/operations/permissions/permissions.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { mcp } from '../support/mcp-client.ts';
import { connect } from '../support/oauth.ts';
import { auth } from '../support/people.ts';
import { rootOperation } from '../support/permission-walk.ts';

const ME = '{ viewer { name role projectId } }';
const tokenOf = (username: string): string => `${username}-`.padEnd(43, 'A_b-9');
const userId = (username: string): string => `usr_${Buffer.from(username).toString('hex').padEnd(32, '0')}`;
const system_info = { created_at: new Date('2026-01-01'), updated_at: new Date('2026-01-01') };

/** A user as the current version stores them. */
const user = (username: string, rest: Document = {}): Document => ({
  _id: new ObjectId(),
  user_id: userId(username),
  username,
  hashed_password: '$2b$10$abcdefghijklmnopqrstuv',
  access_token: tokenOf(username),
  display_name: `${username} of the lab`,
  organization: null,
  default_project_id: null,
  must_change_password: false,
  disabled: false,
  system_role: 'user',
  system_info,
  ...rest,
});
/** A user as the version of the first copilot stored them. */
const oldUser = (username: string): Document => ({
  username,
  hashed_password: '$2b$10$abcdefghijklmnopqrstuv',
  access_token: tokenOf(username),
  full_name: `${username} of old`,
  disabled: false,
  system_info,
});
const member = (username: string, project_id: string, role: string, rest: Document = {}): Document => ({
  project_id,
  user_id: userId(username),
  username,
  role,
  status: 'active',
  invited_by: 'qpilot',
  last_accessed_at: null,
  system_info,
  ...rest,
});
const withoutId = ({ user_id: _id, ...row }: Document): Document => row;

const DOCUMENTS = {
  project: [
    // Of pia, though it has the name of nora; of cleo, before there were ids; of another bob, with an id.
    { project_id: 'annex', name: 'Annex', owner_user_id: userId('pia'), owner_username: 'nora', system_info },
    { project_id: 'old-annex', name: 'Old annex', owner_username: 'cleo', system_info },
    {
      project_id: 'new',
      name: 'New',
      owner_user_id: userId('another bob'),
      owner_username: 'bob',
      system_info,
    },
  ],
  user: [
    ...['vera', 'edda', 'olga', 'otto', 'nora', 'paul', 'rolf', 'mia', 'sol', 'kim', 'pia'].map((name) =>
      user(name),
    ),
    user('dora', { disabled: true }),
    user('dirk', { disabled: 'yes' }),
    user('root', { system_role: 'admin' }),
    oldUser('ann'),
    oldUser('bob'),
    oldUser('cleo'),
  ],
  project_membership: [
    member('vera', 'demo', 'viewer'),
    member('edda', 'demo', 'editor'),
    member('olga', 'demo', 'owner'),
    member('otto', 'other', 'owner'),
    member('paul', 'demo', 'owner', { status: 'pending' }),
    member('rolf', 'demo', 'owner', { status: 'revoked' }),
    member('mia', 'demo', 'editor'),
    member('sol', 'demo', 'viewer'),
    member('kim', 'demo', 'captain'),
    member('dora', 'demo', 'owner'),
    member('dirk', 'demo', 'owner'),
    // Of an older version, which knew names only: of ann, and of somebody who was called nora before nora came.
    withoutId(member('ann', 'demo', 'editor')),
    withoutId(member('nora', 'demo', 'owner')),
    // Of a new bob with an id, whom the old user must not inherit from.
    member('bob', 'demo', 'owner', { user_id: userId('another bob') }),
  ],
};

let it: TestApp;
let client: MongoClient;
let db: Db;
const dump = async (): Promise<unknown> =>
  Promise.all(
    ['user', 'project', 'project_membership'].map((name) =>
      db.collection(name).find().sort({ _id: 1 }).toArray(),
    ),
  );
beforeAll(async () => {
  it = await createTestApp({
    demo: true,
    writesCalibration: true,
    projects: ['other'],
    documents: DOCUMENTS,
    recheckMs: 50,
    env: { AUTH_MODE: 'qdash' },
  });
  client = await MongoClient.connect(it.environment['MONGODB_URI'] ?? '');
  db = client.db(it.environment['MONGODB_DB']);
});
afterAll(async () => {
  await client.close();
  await it.stop();
});

const bearer = (username: string): Record<string, string> => ({
  authorization: `Bearer ${tokenOf(username)}`,
});
const ask = (username: string, query: string, project = 'demo') =>
  post(it.url, query, { headers: { 'x-project-id': project, ...bearer(username) } });
const roleIn = async (username: string, project = 'demo'): Promise<unknown> => {
  const { status, data, errors } = await ask(username, ME, project);
  return (data?.['viewer'] as Document | undefined)?.['role'] ?? errors[0]?.message ?? status;
};

describe('the token of a user', () => {
  test('brings the role of their membership, in that project alone', async () => {
    expect((await ask('vera', ME)).data?.['viewer']).toEqual({
      name: 'vera of the lab',
      role: 'viewer',
      projectId: 'demo',
    });
    expect(await Promise.all(['edda', 'olga', 'ann'].map((name) => roleIn(name)))).toEqual([
      'editor',
      'owner',
      'editor',
    ]);
    expect(await roleIn('olga', 'other')).toBe('you have no project other; yours: demo');
    expect(await roleIn('otto')).toBe('you have no project demo; yours: other');
  });

  test('of pending, revoked and unknown roles, and of names of others, brings none', async () => {
    for (const username of ['paul', 'rolf', 'kim', 'nora', 'bob'])
      expect([username, await roleIn(username)]).toEqual([username, 'you have no project demo; yours: none']);
  });

  test('of an owner without a membership brings the project, by id where there are ids', async () => {
    expect([await roleIn('pia', 'annex'), await roleIn('cleo', 'old-annex')]).toEqual(['owner', 'owner']);
    expect(await roleIn('nora', 'annex')).toBe('you have no project annex; yours: none');
    expect(await roleIn('bob', 'annex')).toBe('you have no project annex; yours: none');
  });

  test('that is wrong, cut, or of a disabled user is of nobody', async () => {
    const headers = ['', 'short', tokenOf('vera').slice(0, -1), `${tokenOf('vera')}A`, tokenOf('nobody')].map(
      (token) => `Bearer ${token}`,
    );
    headers.push(
      `Basic ${tokenOf('vera')}`,
      bearer('dora')['authorization']!,
      bearer('dirk')['authorization']!,
    );
    for (const authorization of headers)
      expect([authorization, (await post(it.url, ME, { headers: { authorization } })).status]).toEqual([
        authorization,
        401,
      ]);
    expect((await post(it.url, ME)).status).toBe(401);
  });

  test('of an administrator administers the installation, and opens no project', async () => {
    expect((await auth(it.url, '/people', { headers: bearer('root') })).status).toBe(200);
    expect((await auth(it.url, '/people', { headers: bearer('olga') })).status).toBe(403);
    expect(await roleIn('root')).toBe('you have no project demo; yours: none');
  });

  test('reaches what the rules of the schema give to its role, and nothing else', async () => {
    const roles: Readonly<Record<string, Role>> = { vera: 'viewer', edda: 'editor', olga: 'owner' };
    const refused = /this needs the role|only administrators|ForbiddenError/;
    const roots = permissions().filter(({ subject }) => subject === 'Query' || subject === 'Mutation');
    const nothing = (type: string) =>
      NODE_TYPES.some((each) => each === type) ? encodeNodeId(type, randomUUID()) : undefined;
    const differing: string[] = [];
    let asked = 0;
    for (const { subject, name, rule } of roots) {
      // What is let through would change things; the walk of permissions does that with other people.
      if (rule === null || roleOf(rule) === 'viewer') continue;
      const query = rootOperation(subject as 'Query' | 'Mutation', name, nothing);
      for (const [username, role] of Object.entries(roles)) {
        if (allows({ role, isOperator: false }, rule)) continue;
        asked += 1;
        if (!refused.test(JSON.stringify(await ask(username, query)))) differing.push(`${name}: ${username}`);
      }
    }
    expect(asked).toBeGreaterThan(15);
    expect(differing).toEqual([]);
  });
});

describe('a browser', () => {
  const signIn = (token: string) => auth(it.url, '/sign-in/qdash', { body: { token } });

  test('signs in by the token and out again, and its cookie does not hold the token', async () => {
    expect(await signIn(tokenOf('nobody'))).toMatchObject({ status: 403, cookie: '' });
    expect((await signIn(tokenOf('dora'))).status).toBe(403);
    const { cookie } = await signIn(tokenOf('edda'));
    expect(decodeURIComponent(cookie)).not.toContain(tokenOf('edda'));
    const me = await auth(it.url, '/me', { cookie });
    expect(me.body).toMatchObject({
      mode: 'qdash',
      person: { name: 'edda of the lab', isAdmin: false },
      projects: [{ projectId: 'demo', role: 'editor' }],
    });
    const broken = cookie.replace(/.(?=.{9}$)/u, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const each of [broken, `${cookie.split('=')[0]}=${tokenOf('edda')}`])
      expect((await auth(it.url, '/me', { cookie: each })).body['person']).toBeNull();
    expect((await auth(it.url, '/sign-out', { cookie, body: {} })).cookie).toBe('qpilot.qdash=');
    for (const path of ['/sign-in/email', '/sign-in/social', '/device/code', '/invitations'])
      expect([path, (await auth(it.url, path, { body: {}, cookie })).status]).toEqual([path, 404]);
  });

  test('has a cookie for a week, of one server secret', async () => {
    let now = new Date('2026-05-01T00:00:00Z');
    const door = createQdashCookie('a secret', 'https://qpilot.example.org', () => now);
    const header = await door.seal('token');
    expect(header).toMatch(
      /^__Host-qpilot\.qdash=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure$/u,
    );
    const value = /=([^;]+)/u.exec(header)?.[1] ?? '';
    now = new Date('2026-05-07T23:59:59Z');
    expect(await door.open(value)).toBe('token');
    expect(await createQdashCookie('another', null, () => now).open(value)).toBeNull();
    now = new Date('2026-05-08T00:00:01Z');
    expect(await door.open(value)).toBeNull();
  });
});

describe('who is put out in QDash', () => {
  /** The code by which a stream of somebody ends. */
  const endOf = async (headers: Record<string, string>): Promise<unknown> => {
    const watch = 'subscription { chipUpdated(chipId: "demo-64") { __typename } }';
    const stream = sse(it.url, watch, {}, { 'x-project-id': 'demo', ...headers });
    for await (const { errors } of stream) for (const { extensions } of errors) return extensions['code'];
    return null;
  };
  const setMember = (username: string, set: Document) =>
    db.collection('project_membership').updateOne({ username }, { $set: set });

  test('as a member, or to another role, is out of the project here, and their streams end', async () => {
    const [mia, sol] = [endOf(bearer('mia')), endOf(bearer('sol'))];
    expect([await roleIn('mia'), await roleIn('sol')]).toEqual(['editor', 'viewer']);
    await Promise.all([setMember('mia', { status: 'revoked' }), setMember('sol', { role: 'editor' })]);
    expect(await Promise.all([mia, sol])).toEqual(['NOT_FOUND', 'FORBIDDEN']);
    expect([await roleIn('mia'), await roleIn('sol')]).toEqual([
      'you have no project demo; yours: none',
      'editor',
    ]);
  });

  test('as a user is out with their keys and streams; so is who got another token', async () => {
    const made = await auth(it.url, '/keys', {
      headers: bearer('edda'),
      body: { name: 'nightly', days: 1, role: 'owner', projectId: 'demo' },
    });
    const key = { authorization: `Bearer ${String(made.body['key'])}` };
    const meOfKey = () => post(it.url, ME, { headers: { ...key, 'x-project-id': 'demo' } });
    expect((await meOfKey()).data?.['viewer']).toMatchObject({ role: 'editor' });
    const ends = [endOf(key), endOf(bearer('edda')), endOf(bearer('sol'))];
    const users = db.collection('user');
    await users.updateOne({ username: 'edda' }, { $set: { disabled: true } });
    await users.updateOne({ username: 'sol' }, { $set: { access_token: tokenOf('another sol') } });
    expect(await Promise.all(ends)).toEqual(Array(3).fill('UNAUTHENTICATED'));
    expect([(await meOfKey()).status, await roleIn('edda'), await roleIn('sol')]).toEqual([
      401,
      expect.stringContaining('sign in first'),
      expect.stringContaining('sign in first'),
    ]);
  });
});

test('an assistant that somebody connected has their membership as it is there now', async () => {
  const { access } = await connect(it.url, '', {}, bearer('vera'));
  const statusOf = async () =>
    (await mcp(it.url, 'tools/list', {}, { authorization: `Bearer ${access}` })).status;
  expect(await statusOf()).toBe(200);
  const setVera = (set: Document) =>
    db.collection('project_membership').updateOne({ username: 'vera' }, { $set: set });
  await setVera({ status: 'revoked' });
  await until(async () => (await statusOf()) === 403);
  await setVera({ status: 'active' });
  await until(async () => (await statusOf()) === 200);
});

test('members are those of QDash: they are neither listed nor changed here', async () => {
  const { errors } = await ask('olga', '{ members { userId } }');
  expect(errors[0]?.message).toMatch(/members of this installation are those of QDash/);
  const { data } = await ask(
    'olga',
    'mutation { setMember(input: { userId: "u", role: OWNER }) { ... on ForbiddenError { message } } }',
  );
  expect(data?.['setMember']).toMatchObject({ message: expect.stringContaining('those of QDash') });
});

test('nothing of the deployment is written', async () => {
  const before = await dump();
  await auth(it.url, '/sign-in/qdash', { body: { token: tokenOf('olga') } });
  await ask('olga', 'mutation { setMember(input: { userId: "u", role: OWNER }) { __typename } }');
  await auth(it.url, '/me', { headers: bearer('otto') });
  expect(await dump()).toEqual(before);
});

test('a database without users lets nobody in, and says so at the start', async () => {
  await expect(createTestApp({ env: { AUTH_MODE: 'qdash' } })).rejects.toThrow(
    /AUTH_MODE=qdash lets the users of a QDash in, and the database .* has none/,
  );
});
