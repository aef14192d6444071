/** What an operator can look back at: a line for each model call, tool call and turn, and the same from the database. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../src/base/log.ts';
import { until } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { bodyOf } from '../support/wire-bodies.ts';

const SECRET_WORDS = 'a question that no log may repeat';
const replies: readonly Reply[] = [
  { body: bodyOf('responses', [{ call: ['c1', 'get_chip_summary', '{"chip_id":"demo-64"}'] }]) },
  { body: bodyOf('responses', [{ text: 'words of the model' }]) },
  { status: 401, error: { message: 'wrong key', code: 'invalid_api_key' } },
];

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

describe('of a good turn and one that fails', () => {
  let model: ModelServer;
  let app: TestApp;
  let sessionId: string;
  const written: string[] = [];
  const lines = (msg: string): Line[] =>
    written.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg);

  beforeAll(async () => {
    model = await startModelServer(replies);
    const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', COPILOT_MODEL: 'any-model' };
    const log = createLogger('info', { write: (line: string) => void written.push(line) });
    app = await createTestApp({ demo: true, env, log });
    for (const [index, content] of [SECRET_WORDS, 'again'].entries()) {
      const { data } = await post(
        app.url,
        `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { ... on SendMessagePayload { session { id } } } }`,
        { variables: { input: { content, clientMessageId: `m${index}`, chipId: 'demo-64' } } },
      );
      ({ id: sessionId } = (data as { sendMessage: { session: { id: string } } }).sendMessage.session);
      await until(() => lines('a turn ended').length > index, { what: `the end of turn ${index + 1}` });
    }
  });
  afterAll(async () => {
    await app?.stop();
    await model?.close();
  });

  test('the log has a line for each model call, tool call and turn, and no words', () => {
    expect(lines('a model was asked')).toMatchObject([
      { purpose: 'ANSWER', model: 'any-model', reason: 'calls', calls: 1, error: null },
      { reason: 'stop', calls: 0, error: null, inputTokens: expect.any(Number) },
      { reason: null, error: 'AUTH' },
    ]);
    expect(lines('a tool was called')).toMatchObject([
      { tool: 'get_chip_summary', status: 'OK', error: null },
    ]);
    const ends = lines('a turn ended');
    expect(ends).toMatchObject([
      { kind: 'COPILOT', status: 'COMPLETED', error: null, model: 'any-model', rounds: 2, viewerId: 'local' },
      { status: 'FAILED', error: 'MODEL_AUTH' },
    ]);
    for (const line of [...lines('a model was asked'), ...lines('a tool was called'), ...ends]) {
      expect(line).toMatchObject({ turnId: expect.any(String), sessionId: expect.any(String) });
    }
    expect(written.join('')).not.toMatch(/no log may repeat|words of the model/);
  });

  test('the API has them newest first, with their model calls', async () => {
    const query = `query ($failedOnly: Boolean) { viewer { newestTurns(first: 5, failedOnly: $failedOnly) {
      status error { code } modelCalls { number purpose model endReason error toolCalls inputTokens } } } }`;
    const newest = async (variables: object) => {
      const { data } = await post(app.url, query, { variables });
      return (data as { viewer: { newestTurns: unknown } }).viewer.newestTurns;
    };
    const failed = {
      status: 'FAILED',
      error: { code: 'MODEL_AUTH' },
      modelCalls: [{ number: 1, endReason: null, toolCalls: 0, error: expect.stringMatching(/./) }],
    };
    expect(await newest({})).toMatchObject([
      failed,
      { status: 'COMPLETED', modelCalls: [{ endReason: 'calls', toolCalls: 1 }, { endReason: 'stop' }] },
    ]);
    expect(await newest({ failedOnly: true })).toMatchObject([failed]);
  });

  test('npm run turns lists them, by conversation and with their model calls where asked', async () => {
    const turns = async (...args: readonly string[]) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['src/operations/cli/turns.ts', ...args],
        { env: { ...process.env, ...app.environment } },
      );
      return stdout.trimEnd().split('\n');
    };
    const all = await turns();
    expect(all).toEqual([
      expect.stringMatching(/FAILED MODEL_AUTH {2}any-model {2}1 model call {2}0 tool calls/),
      expect.stringMatching(
        /COMPLETED {2}any-model {2}2 model calls {2}1 tool call {2}\d+ \(\d+ cached\) \+ \d+ tokens/,
      ),
    ]);
    expect(await turns('--failed', '--calls')).toEqual([
      all[0],
      expect.stringMatching(/^ {4}1\. answer by any-model {2}failed: /),
    ]);
    expect(await turns('--session', sessionId, '--last', '1')).toEqual([all[0]]);
    expect(JSON.parse((await turns('--json')).join('\n'))).toMatchObject([
      { error: 'MODEL_AUTH' },
      { error: null },
    ]);
    await expect(turns('--last', 'many')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--last is many; give a number above 0'),
    });
  });
});
