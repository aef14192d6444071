/** Calls that run long: how they end before their turn does. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import {
  callTool,
  mcp,
  mcpBody,
  mcpText,
  MCP_HEADERS,
  messagesIn,
  structuredIn,
} from '../support/mcp-client.ts';
import { auth, becomeOwner } from '../support/people.ts';

/** A turn that lasts until it is cancelled. */
const answerTurn: AnswerTurn = async ({ emit, signal }) => {
  emit({ type: 'status', phase: 'THINKING', text: 'It takes its time' });
  await delay(600_000, null, { signal, ref: false }).catch(() => {});
  throw signal.reason;
};

let it: TestApp;
let owner: string;
let headers: Record<string, string>;
let keyId: string;
beforeAll(async () => {
  it = await createTestApp({ answerTurn, env: { AUTH_MODE: 'accounts' }, recheckMs: 50 });
  owner = await becomeOwner(it);
  const body = { name: 'assistant', days: 1, role: 'viewer', projectId: 'demo' };
  const made = await auth(it.url, '/keys', { body, cookie: owner });
  headers = { authorization: `Bearer ${String(made.body['key'])}` };
  keyId = String(made.body['id']);
});
afterAll(() => it.stop());

/** Asks, and hears of the turn; `end` waits for what else comes. */
async function asking(sent: Readonly<Record<string, string>> = headers, id: number | string = 1) {
  const response = await fetch(`${it.url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...sent },
    body: mcpBody(
      'tools/call',
      { name: 'ask_qpilot', arguments: { question: 'Why?', wait_seconds: 600 } },
      id,
    ),
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
const stop = (turn: string) => callTool(it.url, 'ask_qpilot', { turn, stop: true }, headers);
const stateOf = async (turn: string) =>
  (await callTool(it.url, 'ask_qpilot', { turn, wait_seconds: 0 }, headers)).result?.structuredContent;

test('a call returns when its time is up, and the turn goes on until somebody stops it', async () => {
  const args = { question: 'Why?', wait_seconds: 0 };
  const { turn, status, answer } = structuredIn(await callTool(it.url, 'ask_qpilot', args, headers));
  expect([status, answer]).toEqual(['RUNNING', null]);
  const stopped = await stop(String(turn));
  expect(stopped.result?.structuredContent).toMatchObject({ status: 'CANCELLED', turn });
});

test('a cancelled call ends at once, in its session alone, and the turn goes on', async () => {
  const opened = await mcp(it.url, 'initialize', INITIALIZE, headers);
  const session = { ...headers, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const call = await asking(session, 7);
  const cancel = (sent: Readonly<Record<string, string>>) =>
    mcpText(
      it.url,
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }),
      sent,
    );
  expect((await cancel({ ...session, 'mcp-session-id': 'another' })).status).toBe(202);
  expect(await stateOf(call.turn)).toMatchObject({ status: 'RUNNING' });
  expect((await cancel(session)).status).toBe(202);
  expect(await call.end()).toBeUndefined();
  expect(await stateOf(call.turn)).toMatchObject({ status: 'RUNNING' });
  await stop(call.turn);
});

test('a person has a number of calls at once, and further ones are refused with a time to wait', async () => {
  const calls = await Promise.all(Array.from({ length: 2 }, (_, id) => asking(headers, id)));
  const again = () => callTool(it.url, 'ask_qpilot', { turn: calls[0]?.turn, wait_seconds: 600 }, headers);
  const waiting = Array.from({ length: 20 }, again);
  let refusals = 0;
  const { promise: allRefused, resolve } = Promise.withResolvers<void>();
  for (const call of waiting) {
    void call.then(({ result }) => {
      const text = result?.content?.[0]?.text ?? '';
      if (text.startsWith('RATE_LIMITED: too many of your calls run at once')) refusals += 1;
      if (refusals === 6) resolve();
    });
  }
  await allRefused;
  await Promise.all(calls.map(({ turn }) => stopByOwner(turn)));
  const ended = await Promise.all(waiting);
  const statuses = ended.map(({ result }) => result?.structuredContent?.['status'] ?? 'refused');
  expect(statuses.filter((status) => status === 'refused')).toHaveLength(6);
  expect(statuses.filter((status) => status === 'CANCELLED')).toHaveLength(14);
  await Promise.all(calls.map(({ end }) => end()));
});

/** By the web client, which has no part in those places. */
async function stopByOwner(turnId: string): Promise<void> {
  const query = `mutation { cancelTurn(input: { turnId: "${turnId}" }) { __typename } }`;
  const response = await fetch(`${it.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  expect(JSON.stringify(await response.json())).not.toContain('errors');
}

test('a call ends, saying why, once its key is revoked', async () => {
  const call = await asking();
  await auth(it.url, '/keys/remove', { body: { id: keyId }, cookie: owner });
  const result = await call.end();
  expect(result?.isError).toBe(true);
  expect(result?.content?.[0]?.text).toContain('UNAUTHENTICATED');
  expect((await mcp(it.url, 'tools/list', {}, headers)).status).toBe(401);
});

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
