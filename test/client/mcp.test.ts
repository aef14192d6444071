/** `npm run mcp`: the protocol over standard input and output, passed on to a server. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { mcpBody, type McpMessage } from '../support/mcp-client.ts';

/** A turn that lasts until it is cancelled. */
const answerTurn: AnswerTurn = async ({ signal }) => {
  await delay(600_000, null, { signal, ref: false }).catch(() => {});
  throw signal.reason;
};

let it: TestApp;
const started: ReturnType<typeof startRelay>[] = [];
beforeAll(async () => {
  it = await createTestApp({ answerTurn });
});
afterEach(() => Promise.all(started.splice(0).map(({ end }) => end())));
afterAll(() => it.stop());

/** The program; `next` is its next message, whatever else it printed fails the test. */
function startRelay(...args: readonly string[]) {
  const child = spawn(process.execPath, ['client/terminal/mcp.ts', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    send: (line: string) => void child.stdin.write(`${line}\n`),
    next: async () => JSON.parse((await lines.next()).value ?? 'null') as McpMessage,
    stderr: () => stderr,
    end: () => {
      child.stdin.end();
      return closed;
    },
  };
}
function relay(...args: readonly string[]) {
  const run = startRelay(...args);
  started.push(run);
  return run;
}

const HELLO = mcpBody('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const ASK = { name: 'ask_qpilot', arguments: { question: 'Why?', wait_seconds: 600 } };
const notify = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', method, params });

test('passes messages on, answers each, and ends with its input', async () => {
  const { send, next, end, stderr } = relay('--url', it.url);
  send(HELLO);
  expect((await next()).result).toMatchObject({ protocolVersion: '2025-11-25' });
  send(notify('notifications/initialized'));
  send('no message');
  expect((await next()).error?.message).toBe('a line is one JSON message');
  send(mcpBody('tools/list', {}, 2));
  const { id, result } = await next();
  expect(id).toBe(2);
  expect(result?.['tools']).toHaveLength(26);
  send(mcpBody('nope', {}, 3));
  expect(await next()).toMatchObject({ id: 3, error: { code: -32_601 } });
  expect(await end()).toBe(0);
  expect(stderr()).toContain(it.url);
});

test('a cancelled call ends, and its turn can be waited for again', async () => {
  const { send, next } = relay('--url', it.url);
  send(HELLO);
  await next();
  send(mcpBody('tools/call', ASK, 7));
  const turn = /Turn (\S+) of/u.exec((await next()).params?.message ?? '')?.[1];
  send(notify('notifications/cancelled', { requestId: 7 }));
  send(mcpBody('tools/call', { name: 'ask_qpilot', arguments: { turn, stop: true } }, 8));
  let last = await next();
  while (last.result === undefined) last = await next();
  expect(last).toMatchObject({ id: 8, result: { structuredContent: { status: 'CANCELLED', turn } } });
});

test('a server that goes away is named, and what to do', async () => {
  const { send, next, stderr } = relay('--url', it.url);
  send(HELLO);
  await next();
  send(mcpBody('tools/call', ASK, 7));
  await next();
  await it.restart();
  let last = await next();
  while (last.id !== 7) last = await next();
  expect(JSON.stringify(last)).toMatch(/ask again with their turn|cancelled/u);
  send(mcpBody('tools/list', {}, 8));
  expect((await next()).id).toBe(8);

  const nowhere = relay('--url', 'http://127.0.0.1:9');
  nowhere.send(HELLO);
  expect((await nowhere.next()).error?.message).toContain('QPilot at http://127.0.0.1:9: not reached');
  expect(stderr()).not.toContain('Error:');
});

test('a wrong option is named with the usage', async () => {
  const { end, stderr } = relay('--key', 'x');
  expect(await end()).toBe(1);
  expect(stderr()).toContain('Usage: npm run -s mcp');
});
