import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import { createLogger } from '../../src/base/log.ts';
import { REMEMBERED_MS } from '../../src/identity/door.ts';
import { RECHECK_MS } from '../../src/server/subscriber-scope.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed } from '../support/activities.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send, sse } from '../support/graphql-client.ts';
import { auth, becomeOwner, join, PASSWORD } from '../support/people.ts';
import { openSocket, type RawSocket } from '../support/websocket-client.ts';

const ME = '{ viewer { id name projectId role } }';
const SEND = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }';
const CREATE = 'mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename } }';
const WATCH = 'subscription { chipUpdated(chipId: "demo-64") { __typename } }';

/** Runs until it is cancelled. */
const answerTurn: AnswerTurn = async ({ signal }) => {
  await new Promise((_, reject) => signal.addEventListener('abort', reject));
  return completed;
};

let it: TestApp;
let owner: string;
beforeAll(async () => {
  it = await createTestApp({
    demo: true,
    answerTurn,
    projects: ['other'],
    env: { AUTH_MODE: 'accounts' },
    recheckMs: 50,
  });
  owner = await becomeOwner(it);
});
afterAll(() => it.stop());

const me = (cookie: string, project = 'demo') =>
  post(it.url, ME, { headers: { cookie, 'x-project-id': project } });

describe('without a sign-in', () => {
  test('HTTP, server-sent events, forms and introspection are refused with 401', async () => {
    for (const query of [ME, '{ __schema { types { name } } }', WATCH]) {
      const { status, data, errors } = await post(it.url, query, { headers: { 'x-project-id': 'demo' } });
      expect([status, data, errors[0]?.extensions]).toEqual([401, null, { code: 'UNAUTHENTICATED' }]);
      expect(errors[0]?.message).not.toContain('redacted');
    }
    for await (const answer of sse(it.url, WATCH, {})) expect(answer.data).toBeNull();
    const form = new FormData();
    form.set('operations', JSON.stringify({ query: ME }));
    const sent = await fetch(`${it.url}/graphql`, {
      method: 'POST',
      body: form,
      headers: { 'graphql-require-preflight': '1' },
    });
    expect(sent.status).toBe(401);
    await sent.text();
  });

  test('pictures, figures and files of jobs look like unknown ones', async () => {
    for (const path of ['/figures/demo/x/0', '/message-images/demo/x', '/job-files/demo/x/y']) {
      expect((await send(it.url + path, {})).status).toBe(404);
    }
  });

  test('a WebSocket is closed when it introduces itself', async () => {
    const socket = await openSocket(it.url);
    socket.send({ type: 'connection_init' });
    expect(await socket.closed).toBe(4403);
  });

  test('a made-up cookie or token is nobody', async () => {
    const token = 'A'.repeat(32);
    for (const headers of [
      { cookie: `qpilot.session_token=${token}.sig` },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer qp_${token}` },
      { authorization: 'Basic b3duZXI6cGFzc3dvcmQ=' },
      { cookie: 'qpilot.session_token=%E0%A4%A' },
    ]) {
      expect((await post(it.url, ME, { headers: { ...headers, 'x-project-id': 'demo' } })).status).toBe(401);
    }
  });
});

describe('the first owner', () => {
  test('is made by a link that works once', async () => {
    expect((await me(owner)).data?.['viewer']).toMatchObject({ name: 'Olga', role: 'owner' });
    const token = it.app.ownerLink?.split('#')[1];
    const again = { token, name: 'Eve', email: 'eve@evil.example', password: PASSWORD };
    expect(await auth(it.url, '/accept', { body: again })).toMatchObject({ status: 404, cookie: '' });
  });

  test('is asked for no more after a restart', async () => {
    await it.restart();
    expect(it.app.ownerLink).toBeNull();
    expect((await me(owner)).status).toBe(200);
  });
});

describe('people', () => {
  test('come by invitation, with the role and project of it, once', async () => {
    const cookie = await join(it.url, owner, { email: 'ed@lab.example', projectId: 'demo', role: 'editor' });
    expect((await me(cookie)).data?.['viewer']).toMatchObject({ name: 'ed', role: 'editor' });
    const elsewhere = await me(cookie, 'other');
    expect(elsewhere.data).toBeNull();
    expect(elsewhere.errors[0]?.message).toBe('you have no project other; yours: demo');
  });

  test('cannot sign up by themselves, in any way that better-auth has', async () => {
    const body = { email: 'eve@evil.example', password: PASSWORD, name: 'Eve', isAdmin: true };
    for (const path of [
      '/sign-up/email',
      '/update-user',
      '/sign-in/social',
      '/request-password-reset',
      '/delete-user',
    ]) {
      expect(await auth(it.url, path, { body })).toMatchObject({ status: 404, cookie: '' });
    }
    const invented = { ...body, token: 'A'.repeat(43) };
    const { isAdmin: _isAdmin, ...asked } = invented;
    expect((await auth(it.url, '/accept', { body: asked })).status).toBe(404);
  });

  test('sign in with their password, and only with it', async () => {
    const good = await auth(it.url, '/sign-in/email', {
      body: { email: 'ed@lab.example', password: PASSWORD },
    });
    expect((await me(good.cookie)).status).toBe(200);
    const bad = await auth(it.url, '/sign-in/email', {
      body: { email: 'ed@lab.example', password: `${PASSWORD}!` },
    });
    expect([bad.status, bad.cookie]).toEqual([401, '']);
    const unknown = await auth(it.url, '/sign-in/email', {
      body: { email: 'no@lab.example', password: PASSWORD },
    });
    expect([unknown.status, unknown.body]).toEqual([bad.status, bad.body]);
  });

  test('need a password that is not easily guessed', async () => {
    const { body } = await auth(it.url, '/invitations', {
      body: { email: 'weak@lab.example', projectId: 'demo', role: 'viewer' },
      cookie: owner,
    });
    const token = String(body['link']).split('#')[1];
    for (const password of ['short', 'weak@weakqpilot', 'aaaaaaaaaaaaaaa', 'x'.repeat(129)]) {
      const answer = await auth(it.url, '/accept', {
        body: { token, name: 'Weak', email: 'weak@lab.example', password },
      });
      expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_INPUT']);
    }
  });

  test('who are no admins invite nobody, see nobody, and change nobody', async () => {
    const cookie = await join(it.url, owner, { email: 'vi@lab.example', projectId: 'demo', role: 'viewer' });
    const invite = (role: string, more: object = {}) =>
      auth(it.url, '/invitations', {
        body: { email: 'x@lab.example', projectId: 'demo', role, ...more },
        cookie,
      });
    expect((await invite('viewer')).status).toBe(403);
    expect((await invite('viewer', { projectId: 'other' })).status).toBe(404);
    expect((await auth(it.url, '/people', { cookie })).status).toBe(403);
    expect((await auth(it.url, '/people', { body: { id: 'x', isAdmin: true }, cookie })).status).toBe(403);
    expect((await auth(it.url, '/people')).status).toBe(401);
  });

  test('who are admins of a project invite viewers and editors into it, as they manage no others', async () => {
    const cookie = await join(it.url, owner, { email: 'ada@lab.example', projectId: 'demo', role: 'admin' });
    const invite = (role: string, more: object = {}) =>
      auth(it.url, '/invitations', {
        body: { email: 'y@lab.example', projectId: 'demo', role, ...more },
        cookie,
      });
    expect((await invite('editor')).status).toBe(200);
    for (const role of ['admin', 'owner']) expect((await invite(role)).status).toBe(403);
    expect((await invite('editor', { isAdmin: true })).status).toBe(403);
  });

  test('who are admins of a project see and withdraw the pending invitations that they could make', async () => {
    const cookie = await join(it.url, owner, { email: 'alan@lab.example', projectId: 'demo', role: 'admin' });
    const invite = (email: string, role: string, by: string) =>
      auth(it.url, '/invitations', { body: { email, projectId: 'demo', role }, cookie: by });
    await invite('new@lab.example', 'editor', cookie);
    await invite('boss@lab.example', 'owner', owner);
    const pending = async (by: string) => {
      const { body } = await auth(it.url, '/invitations', { cookie: by });
      return Object.values(body) as { id: string; email: string; hash?: string }[];
    };
    const seen = await pending(cookie);
    expect(seen.map(({ email }) => email)).toContain('new@lab.example');
    expect(seen.map(({ email }) => email)).not.toContain('boss@lab.example');
    expect(JSON.stringify(seen)).not.toContain('hash');
    const all = await pending(owner);
    const idOf = (email: string) => all.find((each) => each.email === email)?.id;
    for (const email of ['new@lab.example', 'boss@lab.example'])
      await auth(it.url, '/invitations/remove', { body: { id: idOf(email) }, cookie });
    const left = (await pending(owner)).map(({ email }) => email);
    expect([left.includes('new@lab.example'), left.includes('boss@lab.example')]).toEqual([false, true]);
    const plain = await join(it.url, owner, { email: 'val@lab.example', projectId: 'demo', role: 'viewer' });
    expect((await auth(it.url, '/invitations', { cookie: plain })).status).toBe(403);
  });
});

describe('a subscription ends, with an error, after', () => {
  type Watching = { readonly socket: RawSocket; readonly stream: Promise<string[]> };
  /** Resolves once the server watches both: who subscribes later does so with the rights of then. */
  const watching = async (cookie: string): Promise<Watching> => {
    const socket = await openSocket(it.url, { cookie });
    socket.send({ type: 'connection_init', payload: { projectId: 'demo' } });
    expect((await socket.next()).type).toBe('connection_ack');
    socket.send({ id: '1', type: 'subscribe', payload: { query: WATCH } });
    socket.send({ id: '2', type: 'subscribe', payload: { query: ME } });
    expect(await socket.next()).toMatchObject({ id: '2', type: 'next' });
    expect(await socket.next()).toMatchObject({ id: '2', type: 'complete' });
    const codes: string[] = [];
    const opened = Promise.withResolvers<undefined>();
    const events = sse(it.url, WATCH, {}, { cookie, 'x-project-id': 'demo' }, () =>
      opened.resolve(undefined),
    );
    const stream = (async () => {
      for await (const { errors } of events)
        codes.push(...errors.map(({ extensions }) => String(extensions['code'])));
      return codes;
    })();
    await Promise.race([opened.promise, stream]);
    return { socket, stream };
  };
  const endOf = async ({ socket, stream }: Watching) => {
    const seen: string[] = [];
    for (let message = await socket.next(); message.type !== 'complete'; message = await socket.next())
      seen.push(JSON.stringify(message.payload));
    socket.socket.close();
    await socket.closed;
    return { socket: seen.join('\n'), stream: await stream };
  };

  test('a sign-out', async () => {
    const cookie = await join(it.url, owner, { email: 'out@lab.example', projectId: 'demo', role: 'editor' });
    const open = await watching(cookie);
    expect((await auth(it.url, '/sign-out', { body: {}, cookie })).status).toBe(200);
    const { socket, stream } = await endOf(open);
    expect([socket, stream]).toEqual([expect.stringContaining('UNAUTHENTICATED'), ['UNAUTHENTICATED']]);
    expect((await me(cookie)).status).toBe(401);
  });

  test('a sign-out of all sessions, from another one', async () => {
    const first = await join(it.url, owner, { email: 'all@lab.example', projectId: 'demo', role: 'editor' });
    const body = { email: 'all@lab.example', password: PASSWORD };
    const { cookie: second } = await auth(it.url, '/sign-in/email', { body });
    const open = await watching(first);
    expect((await auth(it.url, '/revoke-sessions', { body: {}, cookie: second })).status).toBe(200);
    expect((await endOf(open)).socket).toContain('UNAUTHENTICATED');
  });

  test('the person was disabled, whose work is stopped, and who cannot sign in again', async () => {
    const email = 'gone@lab.example';
    const cookie = await join(it.url, owner, { email, projectId: 'demo', role: 'editor' });
    const ask = async (query: string, input: object) => {
      const answer = await post(it.url, query, {
        variables: { input },
        headers: { cookie, 'x-project-id': 'demo' },
      });
      expect(JSON.stringify(answer)).toContain('Payload"');
    };
    const open = await watching(cookie);
    await ask(SEND, { content: 'wait', clientMessageId: uuid() });
    await ask(CREATE, { description: 'x', instructions: 'x', idempotencyKey: uuid() });
    const people = (await auth(it.url, '/people', { cookie: owner })).body as unknown as {
      id: string;
      email: string;
    }[];
    const id = people.find((each) => each.email === email)?.id;
    expect((await auth(it.url, '/people', { body: { id, disabled: true }, cookie: owner })).status).toBe(200);
    const { socket, stream } = await endOf(open);
    expect([socket, stream]).toEqual([expect.stringContaining('UNAUTHENTICATED'), ['UNAUTHENTICATED']]);
    const database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
    const { rows } = await database.pool.query(
      `select jobs.status as job, turns.status as turn, turns.cancel_reason as why
       from jobs join turns using (viewer_id) join sessions on sessions.id = turns.session_id
       where jobs.viewer_id = $1 and sessions.kind = 'COPILOT'`,
      [id],
    );
    expect(rows).toEqual([{ job: 'CANCELLED', turn: 'CANCELLED', why: 'The user was disabled.' }]);
    await database.close();
    const again = await auth(it.url, '/sign-in/email', { body: { email, password: PASSWORD } });
    expect(again.cookie).not.toContain('session_token=');
  });

  test.each([
    ['the member was removed', 'removeMember(input: { userId: $id })', 'NOT_FOUND'],
    ['the role of the member has changed', 'setMember(input: { userId: $id, role: VIEWER })', 'FORBIDDEN'],
  ])('%s, over WebSocket and server-sent events', async (_what, change, code) => {
    const email = `${code.toLowerCase()}-${uuid()}@lab.example`;
    const cookie = await join(it.url, owner, { email, projectId: 'demo', role: 'editor' });
    const id = ((await auth(it.url, '/me', { cookie })).body['person'] as { id: string }).id;
    const open = await watching(cookie);
    const { errors } = await post(it.url, `mutation ($id: ID!) { ${change} { __typename } }`, {
      variables: { id },
      headers: { cookie: owner, 'x-project-id': 'demo' },
    });
    expect(errors).toEqual([]);
    const { socket, stream } = await endOf(open);
    expect([socket, stream]).toEqual([expect.stringContaining(code), [code]]);
  });

  test('as long as a server takes to notice: ten seconds at most', () => {
    expect(RECHECK_MS + REMEMBERED_MS).toBeLessThan(10_000);
  });
});

test('the last administrator remains', async () => {
  const id = ((await auth(it.url, '/me', { cookie: owner })).body['person'] as { id: string }).id;
  expect((await auth(it.url, '/people', { body: { id, isAdmin: false }, cookie: owner })).status).toBe(409);
  expect((await auth(it.url, '/people', { body: { id, disabled: true }, cookie: owner })).status).toBe(409);
});

test('cookies cannot be read by scripts, nor sent by other sites', async () => {
  const { headers } = await send(`${it.url}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: it.url },
    body: JSON.stringify({ email: 'owner@lab.example', password: PASSWORD }),
  });
  expect(String(headers['set-cookie'])).toMatch(/^qpilot\.session_token=.*HttpOnly.*SameSite=Lax/u);
  const forged = { headers: { origin: 'https://evil.example' }, body: {}, cookie: owner };
  expect((await auth(it.url, '/sign-out', forged)).status).toBe(403);
  const form = await send(`${it.url}/auth/sign-out`, {
    method: 'POST',
    headers: { cookie: owner, 'content-type': 'text/plain' },
    body: '{}',
  });
  expect(form.status).toBe(403);
  expect((await me(owner)).status).toBe(200);
});

test('tries to sign in are limited by address', async () => {
  const tries: number[] = [];
  for (let count = 0; count < 12; count += 1)
    tries.push(
      (
        await auth(it.url, '/sign-in/email', {
          body: { email: 'owner@lab.example', password: 'wrong wrong wrong' },
        })
      ).status,
    );
  expect(tries.at(-1)).toBe(429);
});
