/**
 * Webhooks between processes: servers that are killed around a delivery lose no message, and the receivers of the
 * documentation take what is genuine, also while another one is frozen.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startChild, until, type Child } from '@qpilot/test-support';
import { v4 as uuid } from 'uuid';
import { bareEnvironment } from '../support/bare-environment.ts';
import { callsOf, type Fields } from '../support/calls.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { freePort } from '../support/free-port.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const SERVER = fileURLToPath(new URL('../support/app-process.ts', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url));
const NEVER_MS = 3_600_000;
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

let app: TestApp;
let receiver: WebhookReceiver;
let folder: string;
const children: Child[] = [];
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  app = await createTestApp({
    demo: true,
    alertTimes: { pauseMs: NEVER_MS }, // it sends nothing itself
    env: { ALERT_PRIVATE_HOSTS: '127.0.0.1' },
  });
  folder = await mkdtemp(join(tmpdir(), 'qpilot-webhooks-'));
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
  for (const { destinationId } of (await read('{ alertDestinations { destinationId } }')) as never as {
    destinationId: string;
  }[])
    await only(
      'local',
      `mutation { deleteAlertDestination(input: { destinationId: "${destinationId}" }) { __typename } }`,
    );
  receiver.received.length = 0;
});
afterAll(async () => {
  await app.stop();
  await receiver.close();
  await rm(folder, { recursive: true });
});

const { only } = callsOf(() => app.url);
const read = (query: string) => only('local', query);

/** Another server on the same data, which looks for messages so often. */
async function startServer(pauseMs: number, leaseMs = 60_000): Promise<{ url: string; child: Child }> {
  const env = { ...bareEnvironment, ...app.environment, PORT: '0' };
  const child = startChild(SERVER, [String(pauseMs), String(leaseMs)], { env });
  children.push(child);
  return { url: await child.nextLine(), child };
}

async function save(url: string): Promise<{ readonly secret: string }> {
  const input = { name: url, kind: 'WEBHOOK', url, events: ['TURN_ENDED'] };
  const query = `mutation ($input: SaveAlertDestinationInput!) { saveAlertDestination(input: $input) {
    ... on SaveAlertDestinationPayload { secret } ... on UserError { message } } }`;
  return (await only('local', query, { input })) as never;
}

/** Asks a server, and waits until the turn has ended. */
async function ask(url: string): Promise<string> {
  const sent = await callsOf(() => url).change(
    'local',
    'sendMessage',
    { content: 'Which qubits does demo-64 have?', clientMessageId: uuid() },
    '... on SendMessagePayload { turn { id } }',
  );
  const { id } = (sent as { turn: { id: string } }).turn;
  const ended = async () =>
    (await read(`{ node(id: "${id}") { ... on Turn { finishedAt } } }`))?.['finishedAt'];
  await until(ended, { what: 'the end of the turn' });
  return id;
}

const deliveries = async () => {
  const all = await read('{ alertDestinations { deliveries { state attempts turnId } } }');
  return (all as never as { deliveries: Fields[] }[]).flatMap((each) => each.deliveries);
};

test('a server that is killed between the end of a turn and its delivery leaves it to others, who send it once', async () => {
  await save(`${receiver.url}/hook`);
  const doomed = await startServer(NEVER_MS);
  const turnId = await ask(doomed.url);
  await doomed.child.end('SIGKILL');
  expect(receiver.received).toEqual([]);
  expect(await deliveries()).toEqual([{ state: 'WAITING', attempts: 0, turnId }]);
  await Promise.all([startServer(20), startServer(20)]);
  await until(async () => (await deliveries())[0]?.['state'] === 'SENT', { what: 'the delivery' });
  expect(await deliveries()).toEqual([{ state: 'SENT', attempts: 1, turnId }]);
  expect(receiver.received.map(({ message }) => message.turn?.['turnId'])).toEqual([turnId]);
});

test('a server that is killed while it delivers leaves that to another one, under the same id', async () => {
  receiver.answer('/stuck', null);
  await save(`${receiver.url}/stuck`);
  const doomed = await startServer(20, 500);
  const turnId = await ask(doomed.url);
  await until(() => receiver.received.length > 0, { what: 'the first attempt' });
  await doomed.child.end('SIGKILL');
  receiver.answer('/stuck', 204);
  await startServer(20);
  await until(async () => (await deliveries())[0]?.['state'] === 'SENT', { what: 'the delivery' });
  expect(new Set(receiver.received.map(({ message }) => message.id)).size).toBe(1);
  expect((await deliveries())[0]).toMatchObject({ turnId, state: 'SENT' });
});

/** The receiver of the documentation in a language, on a port of its own. */
async function documented(language: 'js' | 'python', port: number): Promise<string> {
  const [, code = ''] =
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'u').exec(await readFile(PAGE, 'utf8')) ?? [];
  expect(code).toContain('8099');
  const path = join(folder, language === 'js' ? 'receiver.mjs' : 'receiver.py');
  await writeFile(path, code.replaceAll('8099', String(port)));
  return path;
}
/** Runs Python from Node, so that both receivers are children of the same kind. */
const RUNNER = `import { spawn } from 'node:child_process';
const child = spawn('python3', [process.argv[2]], { stdio: ['ignore', 'inherit', 'inherit'] });
process.on('SIGTERM', () => child.kill());
child.on('close', () => process.exit());`;

async function startReceiver(language: 'js' | 'python', port: number, secret: string): Promise<Child> {
  const path = await documented(language, port);
  const env = { ...bareEnvironment, WEBHOOK_SECRET: secret };
  const runner = join(folder, 'run-python.mjs');
  if (language === 'python') await writeFile(runner, RUNNER);
  const child = language === 'js' ? startChild(path, [], { env }) : startChild(runner, [path], { env });
  expect(await child.nextLine()).toBe('listening');
  return child;
}

test.each(['js', ...(hasPython ? (['python'] as const) : [])] as const)(
  'the receiver of the documentation in %s takes what is genuine once, and nothing that is forged or old',
  async (language) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { secret } = await save(url);
    await save(`${receiver.url}/copy`);
    const child = await startReceiver(language, port, secret);
    try {
      await startServer(20);
      await ask(app.url);
      expect(await child.nextLine()).toBe('turn.ended COMPLETED');
      await until(() => receiver.received.length > 0, { what: 'the copy' });
      const [copy] = receiver.received;
      // Signed with another secret, without a signature, and of long ago.
      const headers = { 'content-type': 'application/json' };
      for (const more of [
        { ...pick(copy!.headers) },
        {},
        { ...pick(copy!.headers), 'webhook-timestamp': '1700000000' },
      ])
        expect(
          (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: copy!.body })).status,
        ).toBe(401);
    } finally {
      await child.end('SIGTERM');
    }
  },
);
const pick = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );

test('a receiver whose process is frozen holds up no other, and gets its message once it goes on', async () => {
  const port = await freePort();
  const { secret } = await save(`http://127.0.0.1:${port}/`);
  await save(`${receiver.url}/other`);
  const frozen = await startReceiver('js', port, secret);
  try {
    frozen.process.kill('SIGSTOP');
    await startServer(20);
    for (let asked = 1; asked <= 3; asked += 1) await ask(app.url);
    await until(() => receiver.received.length === 3, { what: 'all messages to the other one' });
    const waiting = (await deliveries()).filter(({ state }) => state === 'WAITING');
    expect(waiting.map(({ attempts }) => attempts)).toEqual(expect.arrayContaining([0, 0, 1]));
    frozen.process.kill('SIGCONT');
    for (let told = 1; told <= 3; told += 1) expect(await frozen.nextLine()).toBe('turn.ended COMPLETED');
  } finally {
    frozen.process.kill('SIGCONT');
    await frozen.end('SIGTERM');
  }
});
