import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { bareEnvironment } from '../support/bare-environment.ts';
import { heldTurns } from '../support/chat.ts';
import { createTestApp } from '../support/create-test-app.ts';
import { createTestDatabase, createTestMongo } from '../support/databases.ts';
import { post } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';
import { connect } from '../support/websocket-client.ts';

const SEND = `mutation { sendMessage(input: { content: "Hi", clientMessageId: "1" }) {
  ... on SendMessagePayload { session { id } turn { id } } } }`;
type Sent = { session: { id: string }; turn: { id: string } };

test('a stop closes sockets at once and lets the running turn end before the stores are closed', async () => {
  const held = heldTurns();
  const testApp = await createTestApp({ answerTurn: held.answerTurn, runnerTimes: { drainMs: 10_000 } });
  const { data } = await post(testApp.url, SEND);
  const { turn, session } = data!['sendMessage'] as Sent;
  const running = await held.of({ id: Buffer.from(turn.id, 'base64url').toString().replace('Turn:', '') });
  const raw = await connect(testApp.url);
  const query = 'subscription ($sessionId: ID!) { copilotEvents(sessionId: $sessionId) { __typename } }';
  raw.send({ id: '1', type: 'subscribe', payload: { query, variables: { sessionId: session.id } } });
  await raw.next();

  let stopped = false;
  const stopping = testApp.app.stop().then(() => (stopped = true));
  expect(await raw.closed).toBe(1001);
  await expect(post(testApp.url, '{ __typename }')).rejects.toThrow('ECONNREFUSED');
  expect(stopped).toBe(false);
  running.say('To the end.');
  running.finish();
  await stopping;

  await testApp.restart();
  const turnQuery = 'query ($id: ID!) { node(id: $id) { ... on Turn { status message { text } } } }';
  const after = await post(testApp.url, turnQuery, { variables: { id: turn.id } });
  expect(after.data).toEqual({ node: { status: 'COMPLETED', message: { text: 'To the end.' } } });
  await testApp.stop();
});

describe('the process', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()));
  });

  /** Runs `start.js` with only the given environment. */
  const run = (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['start.js'], {
      env: { ...bareEnvironment, LOG_LEVEL: 'error', ...env },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    }
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    return { child, ended, printed: () => printed };
  };

  const onTestStores = async () => {
    const [database, mongo, dataDir] = await Promise.all([
      createTestDatabase(),
      createTestMongo(),
      mkdtemp(join(tmpdir(), 'qpilot-process-')),
    ]);
    cleanUps.push(database.drop, mongo.drop, () => rm(dataDir, { recursive: true, force: true }));
    const stores = { DATABASE_URL: database.url, MONGODB_URI: mongo.uri, MONGODB_DB: mongo.dbName };
    return { ...stores, DATA_DIR: dataDir, PORT: '0' };
  };

  test('says where it is and how to ask, and ends cleanly on SIGTERM', async () => {
    const { child, ended, printed } = run(await onTestStores());
    await until(() => printed().includes('Ctrl-C'));
    expect(printed()).toMatch(/QPilot is ready: http:\/\/127\.0\.0\.1:\d+/);
    expect(printed()).toContain('no model is configured');
    const url = /http:\S+/.exec(printed())![0];
    expect((await post(url, '{ __typename }')).data).toEqual({ __typename: 'Query' });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('with settings that cannot be used says in plain words which, and does not start', async () => {
    const { ended, printed } = run({ PORT: 'eighty', HOST: '0.0.0.0' });
    expect(await ended).toBe(1);
    expect(printed()).toMatch(/^QPilot cannot start: .*\n {2}PORT="eighty"/);
    expect(printed()).not.toContain('    at ');
  });

  test('with a port that is taken says so in one line and closes what it opened', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise((resolve) => other.close(resolve)));
    const { port } = other.address() as AddressInfo;
    const { ended, printed } = run({ ...(await onTestStores()), PORT: String(port) });
    expect(await ended).toBe(1);
    expect(printed()).toBe(
      `QPilot cannot start: port ${port} is taken by another program; set PORT to a free one\n`,
    );
  });

  test('with a database that does not answer says which one, without its address', async () => {
    const stores = await onTestStores();
    const { ended, printed } = run({ ...stores, MONGODB_URI: 'mongodb://ada:secret@127.0.0.1:9/' });
    expect(await ended).toBe(1);
    expect(printed()).toBe('QPilot cannot start: the MongoDB that MONGODB_URI names does not answer\n');
  });
});
