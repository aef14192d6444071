import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { auth, becomeOwner, join } from '../support/people.ts';
import { openSocket } from '../support/websocket-client.ts';

const ME = '{ viewer { name projectId role projects { projectId } } }';

const logged: string[] = [];
let it: TestApp;
let owner: string;
beforeAll(async () => {
  const log = createLogger('trace', { write: (line) => void logged.push(line) });
  it = await createTestApp({ projects: ['other'], env: { AUTH_MODE: 'accounts' }, recheckMs: 50, log });
  owner = await becomeOwner(it);
});
afterAll(() => it.stop());

const make = async (cookie: string, asked: object = {}) => {
  const body = { name: 'nightly', days: 30, role: 'owner', projectId: null, ...asked };
  const answer = await auth(it.url, '/keys', { body, cookie });
  return { status: answer.status, id: String(answer.body['id']), key: String(answer.body['key']) };
};
const me = (key: string, project = 'demo') =>
  post(it.url, ME, { headers: { authorization: `Bearer ${key}`, 'x-project-id': project } });
const inDatabase = async (statement: string): Promise<string> => {
  const database = openDatabase(it.environment['DATABASE_URL'] ?? '', {
    log: pino({ level: 'silent' }),
  });
  try {
    return JSON.stringify((await database.pool.query(statement)).rows);
  } finally {
    await database.close();
  }
};

describe('a key', () => {
  test('stands for its owner, over HTTP and over WebSocket by header or parameter', async () => {
    const { key } = await make(owner);
    expect((await me(key)).data?.['viewer']).toMatchObject({ name: 'Olga', role: 'owner' });
    for (const [headers, payload] of [
      [{ authorization: `Bearer ${key}` }, {}],
      [{}, { authorization: `Bearer ${key}` }],
    ] as const) {
      const socket = await openSocket(it.url, headers);
      socket.send({ type: 'connection_init', payload: { projectId: 'demo', ...payload } });
      expect((await socket.next()).type).toBe('connection_ack');
      socket.send({ id: '1', type: 'subscribe', payload: { query: ME } });
      expect(JSON.stringify(await socket.next())).toContain('"name":"Olga"');
      socket.socket.close();
      await socket.closed;
    }
  });

  test('does no more than it was made for', async () => {
    const { key } = await make(owner, { role: 'viewer', projectId: 'other' });
    expect((await me(key, 'other')).data?.['viewer']).toEqual({
      name: 'Olga',
      projectId: 'other',
      role: 'viewer',
      projects: [{ projectId: 'other' }],
    });
    expect((await me(key, 'demo')).errors[0]?.message).toBe('you have no project demo; yours: other');
  });

  test('does no more than its owner may', async () => {
    const cookie = await join(it.url, owner, { email: 'vi@lab.example', projectId: 'demo', role: 'viewer' });
    const { key } = await make(cookie, { role: 'owner' });
    expect((await me(key)).data?.['viewer']).toMatchObject({ role: 'viewer' });
    expect((await make(cookie, { projectId: 'other' })).status).toBe(404);
  });

  test('makes no keys, invites nobody and sees nobody', async () => {
    const { key } = await make(owner);
    const headers = { authorization: `Bearer ${key}` };
    const invited = { email: 'x@lab.example', projectId: 'demo', role: 'viewer' };
    expect((await auth(it.url, '/invitations', { headers, body: invited })).status).toBe(403);
    expect((await auth(it.url, '/keys', { headers })).status).toBe(403);
    expect((await auth(it.url, '/people', { headers })).status).toBe(403);
    const asked = { name: 'x', days: 1, role: 'owner', projectId: null };
    expect((await auth(it.url, '/keys', { headers, body: asked })).status).toBe(403);
  });

  test('is shown once, and kept as a hash; neither is logged', async () => {
    const { key, id } = await make(owner);
    await me(key);
    const listed = JSON.stringify((await auth(it.url, '/keys', { cookie: owner })).body);
    expect(listed).toContain(id);
    const stored = await inDatabase('select * from auth.api_keys');
    for (const text of [listed, stored, logged.join('\n')]) expect(text).not.toContain(key);
    expect(logged.join('\n')).not.toContain(owner.split('=')[1]);
  });

  test('ends when it is removed, when it expires, and with the account', async () => {
    const { key, id } = await make(owner);
    expect((await me(key)).status).toBe(200);
    await auth(it.url, '/keys/remove', { body: { id }, cookie: owner });
    expect((await me(key)).status).toBe(401);

    const expiring = await make(owner);
    await inDatabase(`update auth.api_keys set expires_at = now() where id = '${expiring.id}'`);
    expect((await me(expiring.key)).status).toBe(401);

    const cookie = await join(it.url, owner, { email: 'go@lab.example', projectId: 'demo', role: 'editor' });
    const theirs = await make(cookie);
    expect((await me(theirs.key)).status).toBe(200);
    const people = (await auth(it.url, '/people', { cookie: owner })).body as unknown as {
      id: string;
      email: string;
    }[];
    const person = people.find(({ email }) => email === 'go@lab.example');
    await auth(it.url, '/people', { body: { id: person?.id, disabled: true }, cookie: owner });
    expect((await me(theirs.key)).status).toBe(401);
  });

  test('of somebody else is not removed', async () => {
    const { id, key } = await make(owner);
    const cookie = await join(it.url, owner, { email: 'ed@lab.example', projectId: 'demo', role: 'editor' });
    expect((await auth(it.url, '/keys/remove', { body: { id }, cookie })).status).toBe(404);
    expect((await me(key)).status).toBe(200);
  });

  test('reads no file without its project', async () => {
    const { key } = await make(owner, { projectId: 'other' });
    const headers = { authorization: `Bearer ${key}` };
    expect((await send(`${it.url}/figures/demo/x/0`, { headers })).status).toBe(404);
  });
});
