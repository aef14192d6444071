/** What somebody hostile tries with the sign-in of assistants: with codes and tokens, with the consent of others, and in numbers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { mcp } from '../support/mcp-client.ts';
import {
  allowed,
  bearer,
  connect,
  decide,
  exchangeOf,
  form,
  question,
  REDIRECT,
  register,
  renewal,
  requestOf,
  type Connected,
} from '../support/oauth.ts';
import { auth, becomeOwner } from '../support/people.ts';

let it: TestApp;
let owner: string;
let database: OpenDatabase;
beforeAll(async () => {
  it = await createTestApp({ projects: ['other'], env: { AUTH_MODE: 'accounts' }, recheckMs: 50 });
  owner = await becomeOwner(it);
  database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await database.close();
  await it.stop();
});

const run = async (statement: string): Promise<readonly Record<string, unknown>[]> =>
  (await database.pool.query<Record<string, unknown>>(statement)).rows;
// Each test registers; the limit has its own.
beforeEach(() => run(`delete from rate_buckets`));

const statusOf = async (access: string) => (await mcp(it.url, 'tools/list', {}, bearer({ access }))).status;
const registered = async (metadata = {}) => String((await register(it.url, metadata)).body['client_id']);
/** A request that somebody agreed to, with its code. */
const agreed = async (change: Record<string, string | null> = {}) => {
  const request = requestOf(await registered(), it.url, change);
  return { request, code: (await allowed(it.url, owner, request.query)).get('code') };
};
const renewed = (answer: { readonly body: Record<string, unknown> }, { clientId }: Connected): Connected => ({
  clientId,
  access: String(answer.body['access_token']),
  refresh: String(answer.body['refresh_token']),
});

describe('a code', () => {
  test('that is used twice ends everything that was given for it', async () => {
    const { request, code } = await agreed();
    const first = await form(it.url, 'token', exchangeOf(request, code));
    const access = String(first.body['access_token']);
    expect(await statusOf(access)).toBe(200);
    const second = await form(it.url, 'token', exchangeOf(request, code));
    expect([second.status, second.body['error']]).toEqual([400, 'invalid_grant']);
    expect(second.body['error_description']).toContain('twice');
    expect(await statusOf(access)).toBe(401);
    const [row] = await run(`select kind, outcome, person_name from audit_log order by number desc limit 1`);
    expect(row).toEqual({ kind: 'SIGN_OUT', outcome: 'USED_TWICE', person_name: 'Olga' });
  });

  test('that two present at once is given tokens for once at most, and these are worth nothing', async () => {
    const { request, code } = await agreed();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => form(it.url, 'token', exchangeOf(request, code))),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { body } of given) expect(await statusOf(String(body['access_token']))).toBe(401);
  });

  test.each([
    ['another verifier', { code_verifier: 'A'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another address', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['another kind of grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('with %s is worth nothing', async (_what, change, error) => {
    const { request, code } = await agreed();
    const answer = await form(it.url, 'token', { ...exchangeOf(request, code), ...change });
    expect([answer.status, answer.body['error']]).toEqual([400, error]);
  });

  test('of one program is worth nothing to another, and then to nobody', async () => {
    const { request, code } = await agreed();
    const stolen = { ...exchangeOf(request, code), client_id: await registered() };
    expect((await form(it.url, 'token', stolen)).body['error']).toBe('invalid_grant');
    expect((await form(it.url, 'token', exchangeOf(request, code))).body['error']).toBe('invalid_grant');
  });

  test('is worth nothing after a minute', async () => {
    const { request, code } = await agreed();
    await run(`update auth.assistant_tokens set expires_at = now() where kind = 'code'`);
    expect((await form(it.url, 'token', exchangeOf(request, code))).body['error']).toBe('invalid_grant');
  });

  test('is kept as a hash, as tokens are', async () => {
    const { request, code } = await agreed();
    const { body } = await form(it.url, 'token', exchangeOf(request, code));
    const stored = JSON.stringify(await run('select * from auth.assistant_tokens'));
    for (const secret of [code, body['access_token'], body['refresh_token']])
      expect(stored).not.toContain(String(secret));
  });
});

describe('a token', () => {
  test('is for /mcp alone: no other door knows it', async () => {
    const { access, refresh } = await connect(it.url, owner);
    const headers = { authorization: `Bearer ${access}` };
    expect(await statusOf(access)).toBe(200);
    expect((await post(it.url, '{ viewer { name } }', { headers })).status).toBe(401);
    for (const path of [
      '/auth/keys',
      '/auth/assistants',
      '/auth/people',
      '/figures/demo/x/0',
      '/chip-metrics/demo',
    ])
      expect([path, (await send(it.url + path, { headers })).status]).toEqual([
        path,
        path.startsWith('/auth') ? 401 : 404,
      ]);
    expect((await auth(it.url, '/me', { headers })).body['person']).toBeNull();
    const run = { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {} };
    const chat = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    for (const path of ['/ag-ui', '/ai-sdk/chat'])
      expect([path, (await send(it.url + path, { ...chat, body: JSON.stringify(run) })).status]).toEqual([
        path,
        401,
      ]);
    expect((await mcp(it.url, 'tools/list', {}, { authorization: `Bearer ${refresh}` })).status).toBe(401);
  });

  test('for the same server under another name is worth nothing', async () => {
    const { access } = await connect(it.url, owner);
    const elsewhere = { ...bearer({ access }), host: new URL(it.url).host.replace('127.0.0.1', 'localhost') };
    expect((await mcp(it.url, 'tools/list', {}, elsewhere)).status).toBe(401);
    expect(await statusOf(access)).toBe(200);
  });

  test('that has expired is nobody', async () => {
    const { access } = await connect(it.url, owner);
    await run(`update auth.assistant_tokens set expires_at = now() where kind = 'access'`);
    expect(await statusOf(access)).toBe(401);
  });

  test('does not choose another project, nor more rights when it is renewed', async () => {
    const connected = await connect(it.url, owner, { scopes: ['read'] });
    const other = { ...bearer(connected), 'x-project-id': 'other' };
    expect((await mcp(it.url, 'tools/list', {}, other)).status).toBe(403);
    const more = await form(it.url, 'token', { ...renewal(connected), scope: 'read ask' });
    expect(more.body['error']).toBe('invalid_scope');
    const same = await form(it.url, 'token', renewal(connected));
    expect(same.body['scope']).toBe('read');
  });
});

describe('a refresh token', () => {
  test('is spent by its use; one that comes again after its successor was used ends all of them', async () => {
    const first = await connect(it.url, owner);
    const second = renewed(await form(it.url, 'token', renewal(first)), first);
    expect(await statusOf(second.access)).toBe(200);
    const again = await form(it.url, 'token', renewal(first));
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await statusOf(second.access)).toBe(401);
    expect((await form(it.url, 'token', renewal(second))).body['error']).toBe('invalid_grant');
  });

  test('whose answer was lost may be sent again at once; only one pair of tokens is worth something', async () => {
    const first = await connect(it.url, owner);
    const lost = renewed(await form(it.url, 'token', renewal(first)), first);
    const second = renewed(await form(it.url, 'token', renewal(first)), first);
    expect([await statusOf(lost.access), await statusOf(second.access)]).toEqual([401, 200]);
    expect((await form(it.url, 'token', renewal(lost))).body['error']).toBe('invalid_grant');
    expect(await statusOf(second.access)).toBe(200);
  });

  test('that comes again for more rights is refused, and leaves what it gave before', async () => {
    const first = await connect(it.url, owner, { scopes: ['read'] });
    const second = renewed(await form(it.url, 'token', renewal(first)), first);
    const more = await form(it.url, 'token', { ...renewal(first), scope: 'read ask' });
    expect(more.body['error']).toBe('invalid_scope');
    expect(await statusOf(second.access)).toBe(200);
  });

  test('that comes again a minute later ends all of them, though nobody used what it gave', async () => {
    const first = await connect(it.url, owner);
    const second = renewed(await form(it.url, 'token', renewal(first)), first);
    await run(`update auth.assistant_tokens set spent_at = spent_at - interval '61 seconds'`);
    expect((await form(it.url, 'token', renewal(first))).status).toBe(400);
    expect(await statusOf(second.access)).toBe(401);
  });

  test('that another program presents ends what it renews', async () => {
    const connected = await connect(it.url, owner);
    const stolen = { ...renewal(connected), client_id: await registered() };
    expect((await form(it.url, 'token', stolen)).body['error']).toBe('invalid_grant');
    expect(await statusOf(connected.access)).toBe(401);
  });

  test('lasts no longer than what was agreed to', async () => {
    const connected = await connect(it.url, owner);
    await run(`update auth.assistants set expires_at = now()`);
    expect((await form(it.url, 'token', renewal(connected))).body['error']).toBe('invalid_grant');
    expect(await statusOf(connected.access)).toBe(401);
  });
});

describe('a consent', () => {
  test.each([
    ['without PKCE', { code_challenge: null }, 'code_challenge'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'must be S256'],
    ['for a token in the address', { response_type: 'token' }, 'must be code'],
    ['for an address that was not registered', { redirect_uri: 'https://evil.example/cb' }, 'redirect_uri'],
    ['for an address like a registered one', { redirect_uri: `${REDIRECT}/../x` }, 'redirect_uri'],
    ['for another resource', { resource: 'https://elsewhere.example/mcp' }, 'resource'],
    ['for a right that there is not', { scope: 'read admin' }, 'admin'],
    ['of a program that is not registered', { client_id: 'nobody' }, 'not registered'],
  ])('%s is not asked for, and leads nowhere', async (_what, change, words) => {
    const { query } = requestOf(await registered(), it.url, change);
    for (const answer of [
      await question(it.url, owner, query),
      await decide(it.url, owner, query),
      await decide(it.url, owner, query, { allow: false }),
    ]) {
      expect([answer.status >= 400, JSON.stringify(answer.body).includes(words)]).toEqual([true, true]);
      expect(answer.body).not.toHaveProperty('redirectTo');
    }
  });

  test('with a parameter twice is not asked for', async () => {
    const { query } = requestOf(await registered(), it.url);
    const twice = `${query}&redirect_uri=https%3A%2F%2Fevil.example%2F`;
    expect((await question(it.url, owner, twice)).body['message']).toContain('twice');
  });

  test('cannot be given by a page of another site, in any form', async () => {
    const { query } = requestOf(await registered(), it.url);
    const body = JSON.stringify({ request: query, allow: true, projectId: 'demo', scopes: ['read'] });
    const tries: readonly Record<string, string>[] = [
      { origin: 'https://evil.example', 'content-type': 'application/json' },
      { origin: 'null', 'content-type': 'application/json' },
      { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ];
    for (const headers of tries) {
      const answer = await send(`${it.url}/auth/oauth/decide`, {
        method: 'POST',
        headers: { cookie: owner, ...headers },
        body,
      });
      expect([headers, answer.status]).toEqual([headers, 403]);
    }
    expect(
      await run(`select * from auth.assistants where connected_at is null and scopes = '{read}'`),
    ).toEqual([]);
  });

  test('by a key is refused: a program cannot let another in', async () => {
    const made = { name: 'x', days: 1, role: 'owner', projectId: null };
    const { body } = await auth(it.url, '/keys', { body: made, cookie: owner });
    const headers = { authorization: `Bearer ${String(body['key'])}` };
    const { query } = requestOf(await registered(), it.url);
    expect((await decide(it.url, '', query, {}, headers)).status).toBe(403);
    expect((await auth(it.url, '/assistants', { headers })).status).toBe(403);
  });

  test('gives no more than the program asked for, and not nothing', async () => {
    const { query } = requestOf(await registered(), it.url, { scope: 'read' });
    expect((await decide(it.url, owner, query, { scopes: ['read', 'ask'] })).status).toBe(400);
    expect((await decide(it.url, owner, query, { scopes: [] })).status).toBe(400);
    expect((await decide(it.url, owner, query, { scopes: ['admin'] })).status).toBe(400);
  });
});

describe('a flood', () => {
  test('of registrations from one address is let through to a number, and told when to come back', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => register(it.url)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(refused).toHaveLength(30);
    expect(refused[0]?.body).toMatchObject({ error: 'slow_down' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('from many addresses fills a number of places, which a day frees; who is connected stays', async () => {
    const connected = await connect(it.url, owner);
    await run(
      `insert into auth.oauth_clients select 'flood ' || n, 'x', '{https://x.example/}', now(), now() + interval '1 day', null
       from generate_series(1, 1000) n`,
    );
    const full = await register(it.url);
    expect([full.status, full.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect((await form(it.url, 'token', renewal(connected))).status).toBe(200);
    await run(`update auth.oauth_clients set expires_at = now() where id like 'flood %'`);
    expect((await register(it.url)).status).toBe(201);
  });

  test('of anything that is too large, or nothing, is refused as such', async () => {
    const large = await register(it.url, { client_name: 'x'.repeat(70_000) });
    expect([large.status, large.body['error']]).toEqual([413, 'invalid_request']);
    for (const path of ['token', 'revoke'] as const)
      expect((await form(it.url, path, {})).body['error']).toMatch(
        /^(?:invalid_request|unsupported_grant_type)$/u,
      );
    expect((await send(`${it.url}/auth/oauth/token`, {})).status).toBe(405);
  });
});

test('a person can connect a limited number of assistants, and is asked to disconnect some', async () => {
  const request = requestOf(await registered(), it.url);
  await run(
    `insert into auth.assistants (id, user_id, client_id, project_id, scopes, resource, redirect_uri, challenge, expires_at)
     select gen_random_uuid(), u.id, c.id, 'demo', '{read}', 'x', 'x', 'x', now() + interval '1 day'
     from auth."user" u, (select id from auth.oauth_clients limit 1) c, generate_series(1, 50)`,
  );
  const { status, body } = await decide(it.url, owner, request.query);
  expect([status, String(body['message'])]).toEqual([
    409,
    expect.stringContaining('50 connected assistants'),
  ]);
});

test('a server without sign-in offers none', async () => {
  const open = await createTestApp();
  try {
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ])
      expect((await send(open.url + path, {})).status).toBe(404);
    expect((await register(open.url)).status).toBe(404);
    expect((await mcp(open.url, 'tools/list')).status).toBe(200);
  } finally {
    await open.stop();
  }
});
