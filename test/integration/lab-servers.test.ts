/** Connections to MCP servers of the lab: real ones over HTTP and as programs, and one that answers as none should. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { createLogger } from '../../src/base/log.ts';
import { LabServerError } from '../../src/base/errors.ts';
import { createLabServers, type LabServers } from '../../src/sources/mcp/lab-servers.ts';
import { LINK_TIMES } from '../../src/sources/mcp/server-link.ts';
import type { LabTool } from '../../src/sources/mcp/lab-tool.ts';
import {
  FRIDGE_ROWS,
  labSettings,
  sendResult,
  startFridge,
  startHostile,
  type HostileAnswers,
} from '../support/lab-servers.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});
const own = <T extends { close(): Promise<void> }>(it: T): T => {
  opened.push(it);
  return it;
};

const times = { ...LINK_TIMES, listedForMs: 0, leastPauseMs: 1_000, mostPauseMs: 1_000 };
const serversOf = (given: readonly object[], secrets: Record<string, string> = {}): LabServers =>
  own(
    createLabServers({
      settings: given.map((each) => labSettings({ name: 'fridge', ...each })),
      secrets,
      log: createLogger('silent'),
      times,
    }),
  );

/** Waits for a tool to be listed. */
const toolOf = (servers: LabServers, name: string): Promise<LabTool> =>
  until(async () => (await servers.toolsOf('p')).find((tool) => tool.name === name), {
    what: `${name} listed`,
  });

const call = (servers: LabServers, tool: LabTool, args: object, signal = new AbortController().signal) =>
  servers.call(tool, { ...args }, { projectId: 'p', viewerId: 'v', signal });

const codeOf = (error: unknown): string => (error instanceof LabServerError ? error.code : String(error));

describe('a server of the official package', () => {
  test('is called over Streamable HTTP, with the token', async () => {
    const fridge = own(await startFridge());
    const servers = serversOf([{ url: fridge.url, token: 'MCP_FRIDGE_TOKEN' }], {
      MCP_FRIDGE_TOKEN: 'planted-token',
    });
    const tool = await toolOf(servers, 'fridge__read_log');
    expect(await call(servers, tool, { last: 2 })).toEqual({ value: { rows: FRIDGE_ROWS }, leftOut: [] });
    expect(fridge.calls).toEqual([{ tool: 'read_log', args: { last: 2 } }]);
    expect(fridge.headers().authorization).toBe('Bearer planted-token');
    expect(servers.statesOf('p')).toMatchObject([{ name: 'fridge', transport: 'HTTP', isThere: true }]);
  });

  test('is called as a program, which ends with this process', async () => {
    const servers = serversOf([{ command: [process.execPath, 'examples/fridge-log/server.ts'] }]);
    const tool = await toolOf(servers, 'fridge__read_log');
    const { value } = await call(servers, tool, { last: 1 });
    expect(value).toEqual({
      heater_mW: 0,
      rows: [{ at: '2026-05-20T07:00:00Z', mixing_chamber_mK: 12.2, still_mK: 844, four_K_plate_K: 3.62 }],
    });
  });

  test('of another project does not exist', async () => {
    const fridge = own(await startFridge());
    const servers = serversOf([{ url: fridge.url, projects: ['p'] }]);
    const tool = await toolOf(servers, 'fridge__read_log');
    expect(await servers.toolsOf('other')).toEqual([]);
    expect(servers.statesOf('other')).toEqual([]);
    const stolen = servers.call(
      tool,
      { last: 1 },
      { projectId: 'other', viewerId: 'v', signal: new AbortController().signal },
    );
    await expect(stolen).rejects.toThrow('this project has no MCP server fridge');
    expect(fridge.calls).toEqual([]);
  });

  test('that changes a tool while a turn runs is not called with it; a tool of the same name elsewhere is', async () => {
    let words = 'Reads';
    const fridge = own(await startFridge({ description: () => words }));
    const second = own(await startFridge({ rows: () => [] }));
    const servers = serversOf([{ url: fridge.url }, { name: 'second', url: second.url }]);
    const tool = await toolOf(servers, 'fridge__read_log');
    const other = await toolOf(servers, 'second__read_log');
    words = 'Deletes';
    await until(async () => (await toolOf(servers, 'fridge__read_log')).fingerprint !== tool.fingerprint);
    expect(codeOf(await call(servers, tool, { last: 1 }).catch((error: unknown) => error))).toBe(
      'MCP_TOOL_CHANGED',
    );
    expect(fridge.calls).toEqual([]);
    expect((await call(servers, other, { last: 1 })).value).toEqual({ rows: [] });
  });

  test('that goes and comes back keeps its tools, fails calls at once meanwhile, and holds up no other', async () => {
    const fridge = own(await startFridge());
    const servers = serversOf([{ url: fridge.url }, { name: 'second', url: own(await startFridge()).url }]);
    const tool = await toolOf(servers, 'fridge__read_log');
    const other = await toolOf(servers, 'second__read_log');
    await fridge.close();
    const first: unknown = await call(servers, tool, { last: 1 }).catch((error: unknown) => error);
    expect([codeOf(first), (first as LabServerError).retryable]).toEqual(['MCP_SERVER_AWAY', true]);
    const again: unknown = await call(servers, tool, { last: 1 }).catch((error: unknown) => error);
    expect(String(again)).toMatch(/fridge cannot be reached \([A-Z_]+\); it is tried again in \d s$/u);
    expect((await servers.toolsOf('p')).map(({ name }) => name)).toContain('fridge__read_log');
    expect((await call(servers, other, { last: 1 })).value).toEqual({ rows: FRIDGE_ROWS });
    own(await startFridge({ port: Number(new URL(fridge.url).port) }));
    await until(
      () =>
        call(servers, tool, { last: 1 }).then(
          () => true,
          () => false,
        ),
      { what: 'the server is back' },
    );
    expect(servers.statesOf('p')[0]).toMatchObject({ isThere: true, problem: null });
  });
});

describe('a server that does not answer as it should', () => {
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
  /** How a call of it ends. */
  async function ending(answers: HostileAnswers, more: object = {}, secrets: Record<string, string> = {}) {
    const server = own(await startHostile(tools, answers));
    const servers = serversOf([{ url: server.url, ...more }], secrets);
    const tool = await toolOf(servers, 'fridge__read');
    const ended: unknown = await call(servers, tool, {}).catch((error: unknown) => error);
    return { ended, code: codeOf(ended), servers, server, tool };
  }
  const onCall = (answer: HostileAnswers[string]): HostileAnswers => ({ 'tools/call': answer });

  test('is cut off at 8 MB, whole or as a stream', async () => {
    const megabyte = 'x'.repeat(1_000_000);
    for (const type of ['application/json', 'text/event-stream']) {
      let sent = 0;
      const left = new AbortController();
      const { signal } = left;
      const { code } = await ending(
        onCall(async (response) => {
          response.on('close', () => left.abort());
          response.writeHead(200, { 'content-type': type });
          response.write(
            type === 'application/json' ? '{"jsonrpc":"2.0","id":1,"result":{"a":"' : 'data: {"a":"',
          );
          for (; sent < 100 && !response.destroyed; sent += 1) {
            if (!response.write(megabyte)) await once(response, 'drain', { signal }).catch(() => undefined);
          }
          response.end();
        }),
      );
      expect([type, code]).toEqual([type, 'MCP_TOO_LARGE']);
      expect(sent).toBeLessThan(100);
    }
  });

  test.each<readonly [string, HostileAnswers[string], string]>([
    [
      'HTML',
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi'),
      'MCP_NOT_MCP',
    ],
    [
      'broken JSON',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a'),
      'MCP_NOT_MCP',
    ],
    [
      'another shape',
      (response, { id }) => sendResult(response, id, { content: 'all of it' }),
      'MCP_NOT_MCP',
    ],
    ['HTTP 500', (response) => void response.writeHead(500).end(), 'MCP_SERVER_AWAY'],
    ['HTTP 401', (response) => void response.writeHead(401).end(), 'MCP_SERVER_REFUSED'],
    ['a reset', (response) => void response.destroy(), 'MCP_SERVER_AWAY'],
    [
      'a stream that ends early',
      (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hello\n\n'),
      'MCP_SERVER_AWAY',
    ],
    [
      'a failure',
      (response, { id }) =>
        sendResult(response, id, { isError: true, content: [{ type: 'text', text: 'no' }] }),
      'MCP_TOOL_ERROR',
    ],
  ])('with %s ends the call with a code', async (_what, answer, code) => {
    const before = performance.now();
    expect((await ending(onCall(answer))).code).toBe(code);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  test('is not followed to another host, and the token does not go there', async () => {
    let reached = 0;
    const other = createServer((_request, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    own({ close: () => new Promise((resolve) => other.close(() => resolve())) });
    const location = `http://localhost:${(other.address() as AddressInfo).port}/`;
    const answer = onCall((response) => void response.writeHead(307, { location }).end());
    const { ended, code } = await ending(answer, { token: 'MCP_A_TOKEN' }, { MCP_A_TOKEN: 'planted-token' });
    expect(code).toBe('MCP_SERVER_REFUSED');
    expect(String(ended)).toContain('redirects (HTTP 307), which is not followed');
    expect(reached).toBe(0);
  });

  test('that hangs is given up after its seconds, and then left alone for a while', async () => {
    const { code, servers, tool, server } = await ending(
      onCall(() => undefined),
      { seconds: 0.2 },
    );
    expect(code).toBe('MCP_TIMEOUT');
    for (let more = 0; more < 2; more += 1) await call(servers, tool, {}).catch(() => undefined);
    const calls = server.calls.length;
    expect(codeOf(await call(servers, tool, {}).catch((error: unknown) => error))).toBe('MCP_SERVER_AWAY');
    expect(server.calls.length).toBe(calls);
  });

  test('that hangs receives a cancellation when the turn is cancelled, and the call ends at once', async () => {
    const stop = new AbortController();
    let wasLeft = false;
    const server = own(
      await startHostile(
        tools,
        onCall((response) => {
          response.on('close', () => (wasLeft = true));
          stop.abort(new Error('cancelled'));
        }),
      ),
    );
    const servers = serversOf([{ url: server.url }]);
    const tool = await toolOf(servers, 'fridge__read');
    await expect(call(servers, tool, {}, stop.signal)).rejects.toThrow('cancelled');
    await until(() => wasLeft, { what: 'the request is closed' });
  });

  test('gets no secret back into a result, however it repeats it', async () => {
    const { ended } = await ending(
      onCall((response, { id }) =>
        sendResult(response, id, {
          structuredContent: { said: ['planted-token', 'x planted-token'] },
          content: [],
        }),
      ),
      { token: 'MCP_A_TOKEN' },
      { MCP_A_TOKEN: 'planted-token' },
    );
    expect(ended).toEqual({ value: { said: ['[redacted]', 'x [redacted]'] }, leftOut: [] });
  });

  test('that is not there at the start holds up neither it nor a turn', async () => {
    const gone = await startFridge();
    await gone.close();
    const before = performance.now();
    const servers = serversOf([
      { url: gone.url },
      { name: 'gone', command: ['/nowhere/at-all'] },
      {
        name: 'silent',
        url: own(
          await startHostile(tools, { initialize: () => undefined, 'server/discover': () => undefined }),
        ).url,
      },
    ]);
    expect(await servers.toolsOf('p')).toEqual([]);
    expect(performance.now() - before).toBeLessThan(3_000);
    await until(() =>
      servers
        .statesOf('p')
        .slice(0, 2)
        .every(({ isThere }) => isThere === false),
    );
    expect(servers.statesOf('p').map(({ problem }) => problem)).toEqual([
      'fridge cannot be reached (ECONNREFUSED)',
      'gone cannot be reached (ENOENT)',
      null,
    ]);
  });

  test('as a program that floods its output, or dies in the middle, ends the call with a code', async () => {
    const program = (onCallCode: string): readonly string[] => [
      process.execPath,
      '-e',
      `const lines = require('node:readline').createInterface({ input: process.stdin });
       const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
       lines.on('line', (line) => {
         const { id, method } = JSON.parse(line);
         if (method === 'initialize') say(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } });
         else if (method === 'tools/list') say(id, { tools: [{ name: 'read', inputSchema: { type: 'object' } }] });
         else if (method === 'tools/call') { ${onCallCode} }
         else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
       });`,
    ];
    const endings: string[] = [];
    for (const code of [
      "for (let n = 0; n < 20; n += 1) process.stdout.write('x'.repeat(1_000_000));",
      'process.exit(1)',
    ]) {
      const servers = serversOf([{ command: program(code) }]);
      const tool = await toolOf(servers, 'fridge__read');
      endings.push(codeOf(await call(servers, tool, {}).catch((error: unknown) => error)));
    }
    expect(endings).toEqual(['MCP_TOO_LARGE', 'MCP_SERVER_AWAY']);
  });
});

test('a secret that is not set prevents the start, and is named', () => {
  const settings = [labSettings({ name: 'fridge', url: 'http://f/', token: 'MCP_FRIDGE_TOKEN' })];
  expect(() => createLabServers({ settings, secrets: {}, log: createLogger('silent') })).toThrow(
    'MCP server fridge: MCP_FRIDGE_TOKEN is not set',
  );
});
