/** What a stranger tries: requests with the ids of things that are there, and what they say of themselves. */
import { encodeNodeId, NODE_TYPES } from '../../schema/node-ids.ts';
import { schema } from '../../schema/index.ts';
import { CHAT_ROUTES } from '../../src/protocols/chat/chat-door.ts';
import { boardUri } from '../../src/protocols/mcp/uris.ts';
import { FILE_ROUTES } from '../../src/server/file-routes.ts';
import { send } from '../support/graphql-client.ts';
import { MCP_HEADERS, mcpBody } from '../support/mcp-client.ts';
import { REDIRECT, requestOf } from '../support/oauth.ts';
import { PASSWORD } from '../support/people.ts';
import { rootOperation, type Ids } from '../support/permission-walk.ts';
import { openSocket } from '../support/websocket-client.ts';

export const OWNER = 'owner@lab.example';
/** A word that nobody but the owner may see. */
export const SECRET = 'plutonium-paper-plane';

/** What came back over any transport; status 0: a socket was closed. */
export type Got = { readonly status: number; readonly body: string; readonly cookie?: string };
type Headers = Readonly<Record<string, string>>;
type Try = {
  readonly name: string;
  /** The owner may do the same, and nothing is changed by it. */
  readonly onlyReads: boolean;
  readonly run: (headers: Headers) => Promise<Got>;
};

/** How long a stream may stay silent. */
const SILENT_MS = 2_000;
const USER = { id: 'm', role: 'user' };
/** A message for each protocol of chat at once. */
const CHAT_BODY = JSON.stringify({
  id: 'thread',
  threadId: 'thread',
  runId: 'run',
  messages: [
    { ...USER, content: 'Which chips are there?', parts: [{ type: 'text', text: 'Which chips are there?' }] },
  ],
});
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

const jwt = (header: object): string => {
  const claims = { sub: 'owner', email: OWNER, groups: ['admins'], iat: 0, exp: 4_000_000_000 };
  return [header, claims, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
};
const COOKIES = ['qpilot.session_token', '__Secure-qpilot.session_token', 'better-auth.session_token'];
const madeUp = `${'A'.repeat(32)}.${Buffer.alloc(32, 9).toString('base64')}`;
const injected = encodeURIComponent("' or true --");

/** Who a stranger says they are. */
export const STRANGERS: readonly (readonly [string, Headers])[] = [
  ['nobody', { 'x-project-id': 'demo' }],
  [
    'a made-up cookie',
    { 'x-project-id': 'demo', cookie: COOKIES.map((name) => `${name}=${madeUp}`).join('; ') },
  ],
  ['a cookie with a condition', { 'x-project-id': 'demo', cookie: `${COOKIES[0]}=${injected}` }],
  ['a made-up key', { 'x-project-id': 'demo', authorization: `Bearer qp_${'A'.repeat(43)}` }],
  ['a made-up assistant', { 'x-project-id': 'demo', authorization: `Bearer qpa_${'A'.repeat(43)}` }],
  ['an unsigned token', { 'x-project-id': 'demo', authorization: `Bearer ${jwt({ alg: 'none' })}` }],
  [
    'a proxy',
    {
      'x-project-id': 'demo',
      'x-forwarded-user': OWNER,
      'x-forwarded-email': OWNER,
      'x-forwarded-groups': 'admins',
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'remote-user': 'owner',
      'x-auth-request-user': 'owner',
      'x-goog-iap-jwt-assertion': jwt({ alg: 'none' }),
      'cf-access-jwt-assertion': jwt({ alg: 'HS256' }),
    },
  ],
  ['somebody of another project', { 'x-project-id': 'other', 'x-viewer-id': 'local', 'x-user': 'local' }],
  ['local', { authorization: `Basic ${Buffer.from(`local:${PASSWORD}`).toString('base64')}` }],
];

const NAMES: Readonly<Record<string, string>> = {
  chipId: 'demo-64',
  qid: '0',
  couplingId: '0-1',
  parameter: 't1',
  metric: 't1',
};

/** Everything that is asked with each of {@link STRANGERS}; `real`: ids of what the owner has, by type. */
export function triesAt(url: string, real: Readonly<Record<string, string>>): readonly Try[] {
  const ids: Ids = (name) => real[name] ?? NAMES[name];
  const at = (path: string, method: string, body?: string, own: Headers = {}): Try => ({
    name: `${method} ${path}${body === undefined ? '' : ` ${body.slice(0, 60)}`}`,
    onlyReads: false,
    run: async (headers) => {
      const sent = { method, headers: { ...own, ...headers }, ...(body !== undefined && { body }) };
      return gotOf(await send(url + path, sent));
    },
  });
  const reads = (each: Try): Try => ({ ...each, onlyReads: true });
  const fields = (root: 'Query' | 'Mutation' | 'Subscription') =>
    Object.keys((schema.getType(root) as unknown as { getFields(): object }).getFields()).map((field) =>
      rootOperation(root, field, ids),
    );
  const operations = [...fields('Query'), ...fields('Mutation')];
  const nodes = NODE_TYPES.map((type) => {
    const id = real[type] ?? encodeNodeId(type, 'x');
    return `{ node(id: "${id}") { id __typename } }`;
  });
  const query = `{ viewer { id } copilotSessions { nodes { title } } }`;
  const asked = encodeURIComponent(query);
  const mutation = 'mutation { createBoard(input: { title: "x" }) { __typename } }';
  const form = `--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: mutation })}\r\n--b\r\ncontent-disposition: form-data; name="map"\r\n\r\n{}\r\n--b--\r\n`;
  return [
    ...[...operations, ...nodes].map((each) => {
      const tried = at('/graphql', 'POST', JSON.stringify({ query: each }), JSON_HEADERS);
      return {
        ...tried,
        name: each.replaceAll(/\s+/gu, ' ').slice(0, 80),
        onlyReads: !each.startsWith('mutation'),
      };
    }),
    ...fields('Subscription').flatMap((each) => [streamOf(url, each), socketOf(url, each)]),
    socketOf(url, query),
    reads(at(`/graphql?query=${asked}`, 'GET', undefined, JSON_HEADERS)),
    at('/graphql', 'POST', JSON.stringify([{ query }, { query: mutation }]), JSON_HEADERS),
    at('/graphql', 'POST', form, {
      'content-type': 'multipart/form-data; boundary=b',
      'x-qpilot-upload': '1',
    }),
    at('/graphql', 'POST', query, { 'content-type': 'application/graphql' }),
    at('/graphql', 'POST', `query=${asked}`, { 'content-type': 'application/x-www-form-urlencoded' }),
    ...['//graphql', '/graphql/', '/GRAPHQL', '/%67raphql', '/x/../graphql', '/graphql;x', '/graphql%00'].map(
      (path) => at(path, 'POST', JSON.stringify({ query }), JSON_HEADERS),
    ),
    ...filesAt(at, real),
    ...['initialize', 'tools/list', 'resources/list', 'prompts/list'].map((method) =>
      reads(at('/mcp', 'POST', mcpBody(method, INITIALIZE), MCP_HEADERS)),
    ),
    ...['get_lab_context', 'get_chip_summary', 'ask_qpilot'].map((name) =>
      at('/mcp', 'POST', mcpBody('tools/call', { name, arguments: { chip_id: 'demo-64' } }), MCP_HEADERS),
    ),
    ...['qpilot://boards', boardUri(real['Board'] ?? '')].map((uri) =>
      reads(at('/mcp', 'POST', mcpBody('resources/read', { uri }), MCP_HEADERS)),
    ),
    ...oauthAt(at, url),
    at('/mcp', 'GET'),
    at('/mcp', 'DELETE'),
    ...CHAT_ROUTES.map((route) => {
      const [method = '', path = ''] = route.split(' ');
      const body = method === 'POST' ? CHAT_BODY : undefined;
      return at(path.replace('{thread}', 'thread'), method, body, { 'content-type': 'application/json' });
    }),
    ...[
      'people',
      'keys',
      'assistants',
      'invitations',
      'get-session',
      'list-sessions',
      'list-accounts',
      'me',
    ].map((path) => at(`/auth/${path}`, 'GET')),
    ...['keys', 'invitations', 'people', 'sign-out', 'update-user', 'change-email', 'delete-user'].map(
      (path) =>
        at(
          `/auth/${path}`,
          'POST',
          JSON.stringify({ name: 'x', email: 'x@x.example', role: 'owner', isAdmin: true }),
          {
            ...JSON_HEADERS,
            origin: url,
          },
        ),
    ),
    ...['/metrics', '/debug', '/.env', '/health', '/run/stores.json', '/..%2fpackage.json', '/schema'].map(
      (path) => at(path, 'GET'),
    ),
  ];
}

/** Consents that nobody gave, and codes and tokens that nobody has. */
function oauthAt(
  at: (path: string, method: string, body?: string, own?: Headers) => Try,
  url: string,
): readonly Try[] {
  const { query } = requestOf('x', url);
  const decision = { request: query, allow: true, projectId: 'demo', scopes: ['read', 'ask'] };
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const forms = [
    { grant_type: 'authorization_code', code: 'x', code_verifier: 'A'.repeat(43), redirect_uri: REDIRECT },
    {
      grant_type: 'authorization_code',
      code: "' or true --",
      code_verifier: 'A'.repeat(43),
      redirect_uri: REDIRECT,
    },
    { grant_type: 'refresh_token', refresh_token: `qpr_${'A'.repeat(43)}` },
    { grant_type: 'client_credentials', scope: 'read ask' },
    { grant_type: 'password', username: OWNER, password: PASSWORD },
  ];
  return [
    at(`/auth/oauth/request?${query}`, 'GET'),
    at('/auth/oauth/decide', 'POST', JSON.stringify(decision), { ...JSON_HEADERS, origin: url }),
    ...forms.map((fields) =>
      at(
        '/auth/oauth/token',
        'POST',
        new URLSearchParams([['client_id', 'x'], ...Object.entries(fields)]).toString(),
        type,
      ),
    ),
    at('/auth/oauth/revoke', 'POST', `client_id=x&token=qpa_${'A'.repeat(43)}`, type),
  ];
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
};

/** Files that are there, and ways out of folders. */
function filesAt(
  at: (path: string, method: string) => Try,
  real: Readonly<Record<string, string>>,
): readonly Try[] {
  const key = (type: string) =>
    Buffer.from(real[type] ?? '', 'base64')
      .toString()
      .split(':')[1] ?? '';
  return FILE_ROUTES.flatMap(({ path }) =>
    [
      `demo?format=csv`,
      `demo/${key('TaskResult')}/0`,
      `demo/${key('CopilotSession')}/report.md`,
      'demo/..%2f..%2fpackage.json',
      'other',
    ].flatMap((rest) => ['GET', 'POST'].map((method) => at(path + rest, method))),
  );
}

/** Passwords for the account that there is, and ways to get another. */
export function signInsAt(url: string): readonly Try[] {
  const to = (path: string, body: object): Try => ({
    name: `${path} ${JSON.stringify(body).slice(0, 80)}`,
    onlyReads: false,
    run: async () => {
      const headers = { ...JSON_HEADERS, origin: url };
      return gotOf(await send(`${url}/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
    },
  });
  const guessed = [
    'password',
    '12345678',
    'ten cold qubit',
    `${PASSWORD} `,
    PASSWORD.toUpperCase(),
    '',
    OWNER,
  ];
  const person = { name: 'x', email: 'x@x.example', password: 'a long password of mine' };
  return [
    ...guessed.flatMap((password) =>
      [OWNER, OWNER.toUpperCase(), 'local', 'x@x.example'].map((email) =>
        to('/sign-in/email', { email, password }),
      ),
    ),
    to('/sign-in/email', { email: { $ne: null }, password: { $ne: null } }),
    to('/sign-in/email', { email: "' or true --", password: "' or true --" }),
    ...[
      '/sign-up/email',
      '/sign-up',
      '/admin/create-user',
      '/sign-in/anonymous',
      '/sign-in/social',
      '/sign-in/magic-link',
    ].map((path) => to(path, { ...person, provider: 'github', role: 'admin' })),
    ...['x', 'A'.repeat(43), "' or true --"].map((token) => to('/accept', { token, ...person })),
    ...['/forget-password', '/request-password-reset'].map((path) =>
      to(path, { email: OWNER, redirectTo: url }),
    ),
    to('/reset-password', { token: 'x', newPassword: person.password }),
    to('/device/code', { client_id: 'qpilot' }),
    ...['x', 'A'.repeat(40)].map((code) =>
      to('/device/token', {
        device_code: code,
        client_id: 'qpilot',
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      }),
    ),
    to('/device/approve', { userCode: 'AAAA-AAAA' }),
    to('/two-factor/verify-totp', { code: '000000' }),
    to('/two-factor/verify-backup-code', { code: 'AAAAA-AAAAA' }),
  ];
}

const gotOf = ({ status, body, headers }: Awaited<ReturnType<typeof send>>): Got => ({
  status,
  body,
  cookie: [headers['set-cookie'] ?? []].flat().join('\n'),
});

/** A subscription by server-sent events, up to its first event or its end. */
const streamOf = (url: string, query: string): Try => ({
  name: `stream of ${query.slice(0, 60)}`,
  onlyReads: true,
  async run(headers) {
    const leave = AbortSignal.timeout(SILENT_MS);
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...JSON_HEADERS, accept: 'text/event-stream', ...headers },
        body: JSON.stringify({ query }),
        signal: leave,
      });
      let body = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        body += chunk;
        if (/^data: \{.*\}$/mu.test(body)) break;
      }
      return { status: response.status, body };
    } catch (error) {
      if (leave.aborted) return { status: 0, body: '' };
      throw error;
    }
  },
});

/** An operation over WebSocket, with the headers also as parameters, up to its first answer or the end of the socket. */
const socketOf = (url: string, query: string): Try => ({
  name: `socket with ${query.slice(0, 60)}`,
  onlyReads: true,
  async run(headers) {
    const raw = await openSocket(url, headers).catch((error: unknown) => String(error));
    if (typeof raw === 'string') return { status: 403, body: raw };
    const silent = setTimeout(() => raw.socket.close(), SILENT_MS);
    const got: string[] = [];
    try {
      raw.send({ type: 'connection_init', payload: { ...headers, projectId: headers['x-project-id'] } });
      for (;;) {
        const message = await raw.next();
        got.push(JSON.stringify(message));
        if (message.type === 'connection_ack') raw.send({ id: '1', type: 'subscribe', payload: { query } });
        else if (message.type !== 'ping') break;
      }
    } catch {
      // The server closed it.
    } finally {
      clearTimeout(silent);
      raw.socket.close();
      await raw.closed;
    }
    return { status: 0, body: got.join('\n') };
  },
});
