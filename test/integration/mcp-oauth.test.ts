/** Assistants that sign in by OAuth: how they come in, what they may, and how they lose it. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { until } from '@qpilot/test-support';
import { pino } from 'pino';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { removeOldNotes } from '../../src/stores/pg/expired.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { callTool, mcp, mcpBody, MCP_HEADERS, messagesIn } from '../support/mcp-client.ts';
import {
  allowed,
  bearer,
  connect,
  createProvider,
  decide,
  exchangeOf,
  form,
  question,
  REDIRECT,
  register,
  renewal,
  requestOf,
} from '../support/oauth.ts';
import { auth, becomeOwner, join } from '../support/people.ts';

/** A turn that lasts until it is cancelled. */
const answerTurn: AnswerTurn = async ({ emit, signal }) => {
  emit({ type: 'status', phase: 'THINKING', text: 'It takes its time' });
  await delay(600_000, null, { signal, ref: false }).catch(() => {});
  throw signal.reason;
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

const inDatabase = async (statement: string): Promise<readonly Record<string, unknown>[]> => {
  const database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: pino({ level: 'silent' }) });
  try {
    return (await database.pool.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await database.close();
  }
};
const read = async (path: string) => {
  const { status, body } = await send(it.url + path, {});
  return { status, body: JSON.parse(body) as Record<string, unknown> };
};
const assistants = async (cookie: string) =>
  (await auth(it.url, '/assistants', { cookie })).body as unknown as readonly Record<string, unknown>[];
const statusOf = async (access: string, method = 'tools/list', params = {}) =>
  (await mcp(it.url, method, params, bearer({ access }))).status;

describe('a program that knows nothing', () => {
  test('learns from the 401 response where to sign in, and discovers everything from there', async () => {
    const refused = await mcp(it.url, 'tools/list');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Bearer realm="QPilot", resource_metadata="${it.url}/.well-known/oauth-protected-resource/mcp", scope="read ask"`,
    ]);
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
      expect((await read(path)).body).toMatchObject({
        resource: `${it.url}/mcp`,
        authorization_servers: [it.url],
        scopes_supported: ['read', 'ask'],
      });
    expect((await read('/.well-known/oauth-authorization-server')).body).toMatchObject({
      issuer: it.url,
      authorization_endpoint: `${it.url}/connect`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  test('with a wrong token gets invalid_token', async () => {
    const { headers } = await mcp(it.url, 'tools/list', {}, bearer({ access: `qpa_${'A'.repeat(43)}` }));
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('registers, and receives the metadata that was accepted', async () => {
    const asked = { token_endpoint_auth_method: 'client_secret_basic', client_name: '\u202EClau\u0000de' };
    const { status, body } = await register(it.url, asked);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_name: 'Claude',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect(body).not.toHaveProperty('client_secret');
  });

  test.each([
    [{ redirect_uris: [] }, 'invalid_redirect_uri', 'redirect_uris'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri', 'scheme javascript:'],
    [{ redirect_uris: ['http://evil.example/cb'] }, 'invalid_redirect_uri', 'not encrypted'],
    [{ redirect_uris: Array.from({ length: 11 }, () => REDIRECT) }, 'invalid_redirect_uri', 'redirect_uris'],
    [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata', 'authorization_code'],
    [{ response_types: ['token'] }, 'invalid_client_metadata', 'code'],
    [{ client_name: 7 }, 'invalid_client_metadata', 'client_name'],
  ])('with %j is refused, and told why', async (metadata, error, words) => {
    const { status, body } = await register(it.url, metadata);
    expect([status, body['error']]).toEqual([400, error]);
    expect(body['error_description']).toContain(words);
  });
});

describe('the official client', () => {
  test('signs in by the consent of a person, calls tools, and asks again for a right that it lacks', async () => {
    const visited: URL[] = [];
    const { provider, kept } = createProvider(async (page) => void visited.push(page));
    const open = () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${it.url}/mcp`), {
        authProvider: provider,
      });
      const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      return { transport, client };
    };
    const walk = async (transport: StreamableHTTPClientTransport, scopes: readonly string[]) => {
      const page = visited.pop();
      expect(page?.origin + String(page?.pathname)).toBe(`${it.url}/connect`);
      const { body } = await question(it.url, owner, page?.search.slice(1) ?? '');
      expect(body).toMatchObject({
        client: 'Official client',
        goesTo: { kind: 'computer', name: '127.0.0.1:41999' },
        person: 'Olga',
      });
      const back = await allowed(it.url, owner, page?.search.slice(1) ?? '', { scopes });
      expect([back.get('state'), back.get('iss')]).toEqual(['state of the client', it.url]);
      await transport.finishAuth(back);
    };

    const first = open();
    await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError);
    await walk(first.transport, ['read']);
    await first.client.close();
    const { client, transport } = open();
    await client.connect(transport);
    const ranked = await client.callTool({
      name: 'rank_qubits',
      arguments: { metric_name: 't1', order: 'lowest', count: 5 },
    });
    expect(JSON.stringify(ranked.content)).toMatch(/Q\d+ [\d.]+ μs/u);

    const ask = { name: 'ask_qpilot', arguments: { question: 'Why?', wait_seconds: 0 } };
    await expect(client.callTool(ask)).rejects.toThrow(UnauthorizedError);
    await walk(transport, ['read', 'ask']);
    expect(JSON.stringify(await client.callTool(ask))).toContain('RUNNING');

    // Its access token ends; it renews by itself.
    await inDatabase(`update auth.assistant_tokens set expires_at = now() where kind = 'access'`);
    await until(async () => (await statusOf(kept.tokens?.access_token ?? '')) === 401);
    const before = kept.tokens?.refresh_token;
    await client.listTools();
    expect(kept.tokens?.refresh_token).not.toBe(before);
    await client.close();
  });
});

describe('somebody who is asked', () => {
  test('sees who asks, where access goes and what for, and may give less', async () => {
    const { body } = await register(it.url, {
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere/cb'],
    });
    const change = { redirect_uri: 'cursor://anysphere/cb', scope: 'ask read' };
    const { query } = requestOf(String(body['client_id']), it.url, change);
    expect((await question(it.url, owner, query)).body).toEqual({
      client: 'Cursor',
      goesTo: { kind: 'app', name: 'cursor' },
      scopes: ['read', 'ask'],
      person: 'Olga',
      projects: [
        { projectId: 'demo', name: 'demo' },
        { projectId: 'other', name: 'other' },
      ],
    });
    const { access } = await connect(it.url, owner, { scopes: ['read'], projectId: 'other' });
    const chips = await callTool(it.url, 'get_chip_summary', { chip_id: 'demo-64' }, bearer({ access }));
    expect(JSON.stringify(chips.result)).toContain('no chip demo-64 in project other');
    const asked = await callTool(it.url, 'ask_qpilot', { question: 'Why?' }, bearer({ access }));
    expect([asked.status, asked.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    expect(asked.headers['www-authenticate']).toContain('scope="read ask"');
  });

  test('may refuse, which the program is told', async () => {
    const { body } = await register(it.url);
    const { query } = requestOf(String(body['client_id']), it.url);
    const back = await allowed(it.url, owner, query, { allow: false });
    expect([back.get('error'), back.get('code')]).toEqual(['access_denied', null]);
  });

  test('asked for reading only, gives an assistant that reads and cannot ask, and the other way round', async () => {
    const reads = await connect(it.url, owner, { scopes: ['read'] });
    expect(await statusOf(reads.access, 'resources/read', { uri: 'qpilot://chips' })).toBe(200);
    const asks = await connect(it.url, owner, { scopes: ['ask'] });
    expect(await statusOf(asks.access, 'resources/read', { uri: 'qpilot://chips' })).toBe(403);
    const call = { name: 'ask_qpilot', arguments: { question: 'Why?', wait_seconds: 0 } };
    expect(await statusOf(asks.access, 'tools/call', call)).toBe(200);
  });
});

describe('an assistant', () => {
  test('is listed with its last use, ended on the account page, and then nobody, also by its refresh token', async () => {
    const cookie = await join(it.url, owner, { email: 'li@lab.example', projectId: 'demo', role: 'viewer' });
    const connected = await connect(it.url, cookie);
    expect(await statusOf(connected.access)).toBe(200);
    const [listed] = await assistants(cookie);
    expect(listed).toMatchObject({
      name: 'Assistant',
      projectId: 'demo',
      scopes: ['read', 'ask'],
      goesTo: { kind: 'computer' },
      usedAt: expect.any(String),
    });
    // Nobody else's page has it, or may end it.
    const removal = { body: { id: listed?.['id'] }, cookie: owner };
    expect((await auth(it.url, '/assistants/remove', removal)).status).toBe(404);
    expect(await statusOf(connected.access)).toBe(200);
    expect((await auth(it.url, '/assistants/remove', { ...removal, cookie })).status).toBe(200);
    expect(await assistants(cookie)).toEqual([]);
    expect(await statusOf(connected.access)).toBe(401);
    expect((await form(it.url, 'token', renewal(connected))).body['error']).toBe('invalid_grant');
  });

  test('that gives its tokens back has ended', async () => {
    const connected = await connect(it.url, owner);
    const { access, clientId } = connected;
    expect((await form(it.url, 'revoke', { token: access, client_id: 'another' })).status).toBe(200);
    expect(await statusOf(access)).toBe(200);
    expect((await form(it.url, 'revoke', { token: connected.refresh, client_id: clientId })).status).toBe(
      200,
    );
    expect(await statusOf(access)).toBe(401);
  });

  test('loses a running call within seconds of being ended, which the call says', async () => {
    const cookie = await join(it.url, owner, { email: 'ru@lab.example', projectId: 'demo', role: 'viewer' });
    const { access } = await connect(it.url, cookie);
    const call = await asking(access);
    const [listed] = await assistants(cookie);
    await auth(it.url, '/assistants/remove', { body: { id: listed?.['id'] }, cookie });
    const result = await call.end();
    expect(result?.content?.[0]?.text).toContain('UNAUTHENTICATED');
  });

  test('keeps a running call when its access token expires meanwhile', async () => {
    const { access } = await connect(it.url, owner);
    const call = await asking(access);
    await inDatabase(`update auth.assistant_tokens set expires_at = now() where kind = 'access'`);
    await until(async () => (await statusOf(access)) === 401);
    const stop = { turn: call.turn, stop: true };
    const other = await connect(it.url, owner);
    await callTool(it.url, 'ask_qpilot', stop, bearer(other));
    expect((await call.end())?.structuredContent).toMatchObject({ status: 'CANCELLED' });
    expect(await statusOf(access)).toBe(401);
  });

  test('has the rights of its person as they are now: not those of a removed member, or of somebody disabled', async () => {
    const cookie = await join(it.url, owner, { email: 'mo@lab.example', projectId: 'demo', role: 'editor' });
    const { access } = await connect(it.url, cookie);
    const me = (await auth(it.url, '/me', { cookie })).body['person'] as { readonly id: string };
    await post(it.url, `mutation { removeMember(input: { userId: "${me.id}" }) { __typename } }`, {
      headers: { cookie: owner, origin: it.url, 'x-project-id': 'demo' },
    });
    expect(await statusOf(access)).toBe(403);

    const other = await join(it.url, owner, { email: 'di@lab.example', projectId: 'demo', role: 'editor' });
    const connected = await connect(it.url, other);
    const { id } = (await auth(it.url, '/me', { cookie: other })).body['person'] as { readonly id: string };
    await auth(it.url, '/people', { body: { id, disabled: true }, cookie: owner });
    expect(await statusOf(connected.access)).toBe(401);
    expect((await form(it.url, 'token', renewal(connected))).status).toBe(400);
  });

  test('that is connected again by the same program replaces its earlier self', async () => {
    const cookie = await join(it.url, owner, { email: 'ag@lab.example', projectId: 'demo', role: 'viewer' });
    const first = await connect(it.url, cookie);
    const request = requestOf(first.clientId, it.url);
    const code = (await allowed(it.url, cookie, request.query)).get('code');
    const second = await form(it.url, 'token', exchangeOf(request, code));
    expect(await statusOf(String(second.body['access_token']))).toBe(200);
    expect(await statusOf(first.access)).toBe(401);
    expect(await assistants(cookie)).toHaveLength(1);
  });

  test('leaves records of its registration, consent, sign-in, questions and end', async () => {
    const { access } = await connect(it.url, owner);
    await callTool(it.url, 'ask_qpilot', { question: 'Why?', wait_seconds: 0 }, bearer({ access }));
    const [listed] = await assistants(owner);
    await auth(it.url, '/assistants/remove', { body: { id: listed?.['id'] }, cookie: owner });
    const rows = await inDatabase('select kind, action, outcome, key_id, ids from audit_log order by number');
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    expect(text).toMatch(/"ADMINISTER","action":"POST \/oauth\/register","outcome":"DONE"/u);
    expect(text).toMatch(
      new RegExp(
        `"ADMINISTER","action":"POST /oauth/decide","outcome":"DONE".*"${String(listed?.['id'])}"`,
        'u',
      ),
    );
    expect(text).toMatch(new RegExp(`"SIGN_IN","action":"assistant".*"${String(listed?.['id'])}"`, 'u'));
    expect(text).toMatch(new RegExp(`"action":"mcp ask_qpilot".*"${String(listed?.['id'])}"`, 'u'));
    expect(text).toMatch(
      new RegExp(
        `"SIGN_OUT","action":"POST /assistants/remove","outcome":"DONE".*"${String(listed?.['id'])}"`,
        'u',
      ),
    );
  });

  test('of long ago is swept with its tokens, and a program that nobody connected after a day', async () => {
    await connect(it.url, owner);
    await inDatabase(`update auth.assistants set expires_at = now() - interval '2 hours'`);
    await inDatabase(`update auth.oauth_clients set expires_at = now() - interval '2 hours'`);
    const database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: pino({ level: 'silent' }) });
    try {
      await removeOldNotes(database.db);
    } finally {
      await database.close();
    }
    for (const table of ['assistants', 'assistant_tokens', 'oauth_clients'])
      expect([table, await inDatabase(`select * from auth.${table}`)]).toEqual([table, []]);
  });
});

test('a decision without sign-in, or for a project of others, gives nothing', async () => {
  const { body } = await register(it.url);
  const { query } = requestOf(String(body['client_id']), it.url);
  expect((await decide(it.url, '', query)).status).toBe(401);
  expect((await question(it.url, '', query)).status).toBe(401);
  const cookie = await join(it.url, owner, { email: 'pr@lab.example', projectId: 'demo', role: 'viewer' });
  expect((await decide(it.url, cookie, query, { projectId: 'other' })).status).toBe(404);
});

/** A question by a token; `end` waits for its result. */
async function asking(access: string) {
  const response = await fetch(`${it.url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...bearer({ access }) },
    body: mcpBody('tools/call', { name: 'ask_qpilot', arguments: { question: 'Why?', wait_seconds: 600 } }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (messagesIn(text).length === 0) text += (await reader.read()).value ?? '';
  const turn = /Turn (\S+) of/u.exec(messagesIn(text)[0]?.params?.message ?? '')?.[1] ?? '';
  const end = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    return messagesIn(text).find(({ result }) => result !== undefined)?.result;
  };
  return { turn, end };
}
