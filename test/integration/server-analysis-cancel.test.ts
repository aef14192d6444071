/** A person stops an answer while an analysis runs: from the mutation to the end of the process. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EngineName } from '@qpilot/python-sandbox';
import { BARE_PYTHON } from '../../packages/python-sandbox/test/support/bare-python.ts';
import { describeEngines } from '../../packages/python-sandbox/test/support/engines.ts';
import { BIG_LOOP, busyProcess, isAlive } from '../../packages/python-sandbox/test/support/processes.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { promiseHereMs } from '../support/took.ts';
import { argumentsOf } from '../support/tool-bench.ts';
import { until } from '@qpilot/test-support';
import { bodyOf } from '../support/wire-bodies.ts';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { turn { id } } } }`;
const CANCEL = `mutation ($input: CancelTurnInput!) { cancelTurn(input: $input) {
  ... on CancelTurnPayload { turn { status } } } }`;
const TURN = `query ($id: ID!) { node(id: $id) { ... on Turn { status } } }`;

const TURNS = 3;
const LONGEST_MS = 150;

describeEngines('an analysis of a turn that is cancelled', (engine) => {
  let app: TestApp;
  let model: ModelServer;

  beforeAll(async () => {
    model = await startModelServer((index) => ({
      body: bodyOf('responses', [
        {
          call: [
            `call-${index}`,
            'execute_python_analysis',
            JSON.stringify(argumentsOf('execute_python_analysis', { code: BIG_LOOP })),
          ],
        },
      ]),
    }));
    app = await createTestApp({ demo: true, env: environmentOf(engine, model) });
    await app.app.warmUp();
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
  });

  /**
   * Milliseconds that sending a message takes, and from its cancelling to the end of the process; how the turn ended.
   */
  async function cancelOne(
    index: number,
  ): Promise<{ readonly sentAfterMs: number; readonly endedAfterMs: number; readonly status: unknown }> {
    const input = { content: 'Analyse.', chipId: 'demo-64', clientMessageId: `${engine}-${index}` };
    const askedAt = performance.now();
    const { data } = await post(app.url, SEND, { variables: { input } });
    const sentAfterMs = performance.now() - askedAt;
    const { id } = (data as { sendMessage: { turn: { id: string } } }).sendMessage.turn;
    const pid = await busyProcess(engine);
    const sentAt = performance.now();
    const cancelled = post(app.url, CANCEL, { variables: { input: { turnId: id } } });
    await until(() => !isAlive(pid), { what: 'the end of the process', intervalMs: 1 });
    const endedAfterMs = performance.now() - sentAt;
    await cancelled;
    const status = await until(async () => {
      const answer = await post(app.url, TURN, { variables: { id } });
      const turn = (answer.data as { node: { status: string } }).node;
      return turn.status === 'RUNNING' ? undefined : turn.status;
    });
    return { sentAfterMs, endedAfterMs, status };
  }

  test('has its process killed within 150 ms, time after time', async () => {
    const cancelled = [];
    for (let index = 0; index < TURNS; index++) cancelled.push(await cancelOne(index));
    expect(cancelled.map(({ status }) => status)).toEqual(cancelled.map(() => 'CANCELLED'));
    const controlsMs = cancelled.map(({ sentAfterMs }) => sentAfterMs);
    const fastestMs = Math.min(...cancelled.map(({ endedAfterMs }) => endedAfterMs));
    expect(fastestMs).toBeLessThan(promiseHereMs(LONGEST_MS, controlsMs));
  });
});

const environmentOf = (engine: EngineName, { baseUrl }: ModelServer): Record<string, string> => ({
  SANDBOX_ENGINE: engine,
  SANDBOX_PYTHON: BARE_PYTHON,
  OPENAI_API_KEY: 'sk-test',
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API: 'responses',
});
