/** Messages about alerts, to a webhook receiver and a mail server on loopback: each once, whatever dies in between. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { MongoClient } from 'mongodb';
import { SMTPServer } from 'smtp-server';
import { channelsOf, mutesIn } from '../../src/app/alerting.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/base/log.ts';
import { evaluateDueRules } from '../../src/services/alerts/alert-work.ts';
import { createSender, enqueueDue, type DeliverDeps } from '../../src/services/alerts/deliver.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { post } from '../support/graphql-client.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

const NEVER_MS = 3_600_000;
const HOUR_MS = 3_600_000;
type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let received: Received[] = [];
let statuses: number[] = [];
let refuses: (path: string) => boolean = () => false;
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ path: request.url ?? '', headers: request.headers, body });
    response
      .writeHead(
        statuses.shift() ?? (refuses(request.url ?? '') ? (request.url === '/gone' ? 404 : 503) : 200),
      )
      .end('x'.repeat(10));
  });
});
let mails: string[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      mails.push(Buffer.concat(chunks).toString());
      done();
    });
  },
});

let app: TestApp;
let mongo: MongoClient;
let database: OpenDatabase;
let now = DEMO_NOW;
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => void mailServer.listen(0, '127.0.0.1', () => resolve()));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  address = `http://${host}`;
  app = await createTestApp({
    demo: true,
    writesCalibration: true,
    door: headerDoor,
    now: () => now,
    alertTimes: { pauseMs: NEVER_MS },
    env: {
      ALERT_PRIVATE_HOSTS: host,
      SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
      SMTP_FROM: 'QPilot <qpilot@lab.example>',
    },
  });
  mongo = await MongoClient.connect(app.environment['MONGODB_URI'] ?? '');
  database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  await addMembers(app, [
    ['edda', 'demo', 'editor'],
    ['adam', 'demo', 'admin'],
  ]);
});
afterAll(async () => {
  await Promise.all([mongo.close(), database.close()]);
  await app.stop();
  await new Promise<void>((resolve) => receiver.close(() => resolve()));
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});
beforeEach(() => {
  received = [];
  mails = [];
  statuses = [];
});

async function only<Found>(user: string, query: string, input?: object): Promise<Found> {
  const { data, errors } = await post(app.url, query, {
    variables: { input },
    headers: signedIn(user, 'demo'),
  });
  const [error] = errors ?? [];
  if (error) return { code: error.extensions?.['code'] } as Found;
  return Object.values(data ?? {})[0] as Found;
}
type Saved = {
  readonly destination: { readonly destinationId: string; readonly target: string };
  readonly secret: string | null;
  readonly code?: string;
  readonly message?: string;
};
const destine = (input: object, user = 'adam') =>
  only<Saved>(
    user,
    `mutation ($input: SaveAlertDestinationInput!) { saveAlertDestination(input: $input) {
      ... on SaveAlertDestinationPayload { destination { destinationId target } secret } ... on UserError { code message } } }`,
    input,
  );
const save = async (rule: string, ...destinationIds: string[]): Promise<string> => {
  const { rule: saved } = await only<{ rule: { ruleId: string } }>(
    'edda',
    `mutation ($input: SaveAlertRuleInput!) { saveAlertRule(input: $input) {
      ... on SaveAlertRulePayload { rule { ruleId } } ... on UserError { code message } } }`,
    { text: rule, destinationIds },
  );
  return saved.ruleId;
};
const removeRule = (ruleId: string) =>
  only('edda', `mutation { deleteAlertRule(input: { ruleId: "${ruleId}" }) { __typename } }`);
type Delivery = {
  readonly state: string;
  readonly alertCount: number;
  readonly attempts: number;
  readonly error: string | null;
};
const deliveries = async (destinationId: string): Promise<Delivery[]> => {
  const all = await only<{ destinationId: string; deliveries: Delivery[] }[]>(
    'edda',
    '{ alertDestinations { destinationId deliveries { state alertCount attempts error } } }',
  );
  return all.find((each) => each.destinationId === destinationId)?.deliveries ?? [];
};

const calibrate = async (qid: string, value: number): Promise<void> => {
  await mongo
    .db(app.environment['MONGODB_DB'] ?? '')
    .collection('qubit')
    .updateOne(
      { chip_id: 'demo-64', qid },
      { $set: { 'data.t1.value': value, 'data.t1.calibrated_at': now, 'system_info.updated_at': now } },
    );
};

const log = createLogger('silent');
const TIMES = { leaseMs: 60_000, backoffMs: NEVER_MS, pauseMs: 10 };
const signal = new AbortController().signal;
const deliverer = (more: Partial<DeliverDeps> = {}): DeliverDeps => ({
  db: database.db,
  channels: channelsOf(readConfig(app.environment)),
  now: () => now,
  log,
  times: TIMES,
  ...more,
});
/** Sends what is due, each message once: what did not arrive is due again after the next call. */
async function send(deps: DeliverDeps = deliverer(), of = signal): Promise<void> {
  await database.db
    .updateTable('alert_deliveries')
    .set({ next_at: new Date(0) })
    .execute();
  const sender = createSender(deps);
  while (!of.aborted && (await sender.step(of)) > 0) await sender.settled();
}
async function evaluate(): Promise<void> {
  const calibration = createCalibrationServices({
    store: createMongoCalibrationStore(mongo.db(app.environment['MONGODB_DB'] ?? '')),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => now,
  });
  const mutesOf = mutesIn(database.db, () => now);
  const times = { everyMs: 0, leaseMs: 60_000 };
  await evaluateDueRules({ db: database.db, log, calibration, mutesOf, now: () => now, times });
}
/** One server: evaluates, makes messages, sends them. */
async function work(): Promise<void> {
  await evaluate();
  await enqueueDue(deliverer());
  await send();
}

test('a signed webhook and a mail are sent once, by many servers at once and again and again', async () => {
  const { destination, secret } = await destine({
    name: 'ops',
    kind: 'WEBHOOK',
    url: `${address}/hook`,
    sendsRecoveries: false,
  });
  const mail = await destine({
    name: 'lab',
    kind: 'EMAIL',
    addresses: ['shift@lab.example'],
    sendsRecoveries: false,
  });
  expect(destination.target).toBe(address.slice(7)); // not the path
  expect(secret).toMatch(/^whsec_/u);
  const ruleId = await save(
    't1 of any qubit on demo-64 below 3 us',
    destination.destinationId,
    mail.destination.destinationId,
  );
  for (const qid of ['3', '9']) await calibrate(qid, 1);
  await Promise.all([work(), work(), work()]);
  await work();
  await work();

  expect(received).toHaveLength(1);
  const [{ path, headers, body }] = received as [Received];
  expect(path).toBe('/hook');
  const key = Buffer.from((secret ?? '').slice(6), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300);
  expect(JSON.parse(body)).toMatchObject({
    id: headers['webhook-id'],
    type: 'alerts.opened',
    projectId: 'demo',
    alerts: [
      { rule: 't1 of any qubit on demo-64 below 3 μs', label: 'Q03', value: 1, unit: 'μs' },
      { label: 'Q09', words: 'T1 of Q09 is 1.00 μs, below 3 μs; measured 2026-05-20 01:00 UTC' },
    ],
  });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('To: shift@lab.example');
  expect(mails[0]).toMatch(/^Subject: QPilot: 2 alerts on demo-64\r$/mu);
  expect(mails[0]).toMatch(/^Message-ID: <[0-9a-f-]{36}@lab.example>\r$/mu);
  expect(await deliveries(destination.destinationId)).toEqual([
    { state: 'SENT', alertCount: 2, attempts: 1, error: null },
  ]);

  // Closed and back within six hours: on the page, in no message; after that it is.
  await calibrate('3', 80);
  await work();
  await calibrate('3', 1);
  await work();
  expect(received).toHaveLength(1);
  now = new Date(now.getTime() + 6 * HOUR_MS);
  await work();
  expect(received).toHaveLength(2);
  expect((JSON.parse(received[1]?.body ?? '') as { alerts: object[] }).alerts).toMatchObject([
    { label: 'Q03' },
  ]);
  await removeRule(ruleId);
  for (const qid of ['3', '9']) await calibrate(qid, 80);
});

test('a message of a server that died before it was sent is sent by another one, once', async () => {
  const { destination } = await destine({
    name: 'slack',
    kind: 'SLACK',
    url: `${address}/slack`,
    sendsRecoveries: false,
  });
  const ruleId = await save('t1 of Q11 on demo-64 below 3 us', destination.destinationId);
  await calibrate('11', 1);
  const dying = new AbortController();
  const dead = deliverer({
    times: { ...TIMES, leaseMs: 1 },
    channels: {
      ...deliverer().channels,
      post: async () => {
        dying.abort();
        throw new Error('the process is gone');
      },
    },
  });
  await evaluate();
  await enqueueDue(dead);
  await send(dead, dying.signal);
  expect(received).toEqual([]);
  await until(async () => {
    await Promise.all([work(), work()]);
    return received.length > 0;
  });
  await work();
  expect(received).toHaveLength(1);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    text: 'QPilot, demo-64: T1 of Q11 is 1.00 μs, below 3 μs',
    blocks: [{ type: 'header' }, { type: 'section' }, { type: 'section' }],
  });
  expect((await deliveries(destination.destinationId))[0]).toMatchObject({ state: 'SENT', attempts: 2 });
  await removeRule(ruleId);
  await calibrate('11', 80);
});

test('a busy receiver is asked again under the same id; one that refuses is not', async () => {
  const { destination } = await destine({
    name: 'busy',
    kind: 'MATTERMOST',
    url: `${address}/secret-path`,
    sendsRecoveries: false,
  });
  const ruleId = await save('t1 of Q12 on demo-64 below 3 us', destination.destinationId);
  await calibrate('12', 1);
  statuses = [503, 429];
  await work();
  expect(await deliveries(destination.destinationId)).toEqual([
    { state: 'WAITING', alertCount: 1, attempts: 1, error: `${address.slice(7)} answered 503` },
  ]);
  await work();
  await work();
  await work();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect((await deliveries(destination.destinationId))[0]).toMatchObject({
    state: 'SENT',
    attempts: 3,
    error: null,
  });

  const refusing = await destine({
    name: 'gone',
    kind: 'TEAMS',
    url: `${address}/secret-path`,
    sendsRecoveries: false,
  });
  const other = await save('t1 of Q12 on demo-64 below 4 us', refusing.destination.destinationId);
  statuses = [404];
  await work();
  await work();
  expect(received).toHaveLength(4);
  expect(await deliveries(refusing.destination.destinationId)).toEqual([
    { state: 'FAILED', alertCount: 1, attempts: 1, error: `${address.slice(7)} answered 404` },
  ]);
  await removeRule(ruleId);
  await removeRule(other);
  await calibrate('12', 80);
});

test('in quiet hours messages wait; then one has all that is still open and that nobody has seen', async () => {
  const hour = String(now.getUTCHours()).padStart(2, '0');
  const next = String((now.getUTCHours() + 1) % 24).padStart(2, '0');
  const { destination } = await destine({
    name: 'night',
    kind: 'WEBHOOK',
    url: `${address}/night`,
    sendsRecoveries: false,
    quietHours: { from: `${hour}:00`, to: `${next}:00`, timeZone: 'UTC' },
  });
  const ruleId = await save('t1 of any qubit on demo-64 below 3 us', destination.destinationId);
  await calibrate('13', 1);
  await work();
  for (const qid of ['14', '15', '16']) await calibrate(qid, 1);
  await work();
  await calibrate('15', 80); // is fine again before the end of the night
  await work();
  const open = await only<{ alertId: string; partId: string }[]>('edda', '{ alerts { alertId partId } }');
  const seen = open.find(({ partId }) => partId === '16')?.alertId;
  await only('edda', `mutation { acknowledgeAlert(input: { alertId: "${seen}" }) { __typename } }`);
  expect(received).toEqual([]);
  now = new Date(now.getTime() + HOUR_MS);
  await work();
  await work();
  expect(received).toHaveLength(1);
  expect((JSON.parse(received[0]?.body ?? '') as { alerts: object[] }).alerts).toMatchObject([
    { label: 'Q13' },
    { label: 'Q14' },
  ]);
  await removeRule(ruleId);
  for (const qid of ['13', '14', '16']) await calibrate(qid, 80);
});

type Recovered = {
  readonly type: string;
  readonly alerts: readonly { readonly label: string; readonly words: string }[];
};
const jsonOf = (at: number): Recovered => JSON.parse(received[at]?.body ?? 'null') as Recovered;

test('what recovers is told once where its opening was told, with the value that ended it and how long it lasted', async () => {
  const hook = (await destine({ name: 'hook', kind: 'WEBHOOK', url: `${address}/own` })).destination;
  const mail = (await destine({ name: 'mail', kind: 'EMAIL', addresses: ['shift@lab.example'] })).destination;
  const silent = (
    await destine({ name: 'silent', kind: 'SLACK', url: `${address}/silent`, sendsRecoveries: false })
  ).destination;
  const ids = [hook, mail, silent].map(({ destinationId }) => destinationId);
  const ruleId = await save('t1 of any qubit on demo-64 below 3 us', ...ids);
  for (const qid of ['20', '21', '22']) await calibrate(qid, 1);
  await work();
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/own', '/silent']);
  [received, mails] = [[], []];

  now = new Date(now.getTime() + 3 * HOUR_MS + 25 * 60_000);
  await calibrate('20', 80);
  await only(
    'edda',
    'mutation { mute(input: { chipId: "demo-64", partId: "22", parameter: "t1", reason: "known", until: "2026-07-01T00:00:00Z" }) { __typename } }',
  );
  await Promise.all([work(), work(), work()]);
  await work();
  expect(received.map(({ path }) => path)).toEqual(['/own']);
  const opened = new Date(now.getTime() - 3 * HOUR_MS - 25 * 60_000);
  const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const words = `T1 of Q20 is 80.00 μs, not below 3 μs; measured ${minute(now)}`;
  const lasted = `open for 3 hours 25 minutes: ${minute(opened)} to ${minute(now)}`;
  expect(jsonOf(0)).toMatchObject({
    type: 'alerts.recovered',
    alerts: [{ label: 'Q20', value: 80, words, openedAt: opened.toISOString(), closedAt: now.toISOString() }],
  });
  expect(jsonOf(0).alerts).toHaveLength(1); // Q21 is open, Q22 is muted
  expect(mails).toHaveLength(1);
  const flat = mails[0]?.replaceAll(/=\r\n/gu, '');
  expect(flat).toContain('recovered');
  expect(flat).toContain(lasted);
  expect(await deliveries(hook.destinationId)).toMatchObject([
    { state: 'SENT', alertCount: 1 },
    { state: 'SENT', alertCount: 3 },
  ]);
  await removeRule(ruleId); // ends the others; that is no recovery
  await work();
  expect(received).toHaveLength(1);
  for (const qid of ['21', '22']) await calibrate(qid, 80);
});

test('a recovery waits for the end of quiet hours, and for the message of its opening; without that there is none', async () => {
  const clock = (at: Date): string => at.toISOString().slice(11, 16);
  const night = {
    from: clock(new Date(now.getTime() + HOUR_MS)),
    to: clock(new Date(now.getTime() + 3 * HOUR_MS)),
    timeZone: 'UTC',
  };
  const { destinationId } = (
    await destine({ name: 'night', kind: 'TEAMS', url: `${address}/night`, quietHours: night })
  ).destination;
  const refusing = (await destine({ name: 'gone', kind: 'MATTERMOST', url: `${address}/gone` })).destination;
  const ruleId = await save('t1 of any qubit on demo-64 below 3 us', destinationId, refusing.destinationId);
  await calibrate('23', 1);
  await evaluate();
  await enqueueDue(deliverer());
  refuses = (path) => path === '/gone' || path === '/night';
  await send(); // Teams is busy: it is tried again; Mattermost takes none
  expect(received).toHaveLength(2);
  await calibrate('23', 80);
  await evaluate();
  await enqueueDue(deliverer());
  expect(await deliveries(destinationId)).toHaveLength(1); // its opening was not sent yet
  refuses = () => false;
  received = [];
  await work();
  await work();
  expect(received.map(({ path }) => path)).toEqual(['/night', '/night']);
  expect(received[0]?.body).toContain('below 3 μs');
  expect(received[0]?.body).not.toContain('80.00');
  expect(received[1]?.body).toContain('80.00');
  expect(received[1]?.body).toContain('recovered');

  // Another one recovers in the night, a third one opens and ends in it.
  received = [];
  await calibrate('24', 1);
  await work();
  expect(received).toHaveLength(2);
  received = [];
  now = new Date(now.getTime() + 2 * HOUR_MS);
  await calibrate('24', 80);
  await calibrate('25', 1);
  await work();
  await calibrate('25', 80);
  await work();
  expect(received.map(({ path }) => path)).toEqual(['/gone', '/gone', '/gone']);
  received = [];
  now = new Date(now.getTime() + 2 * HOUR_MS);
  await work();
  await work();
  expect(received).toHaveLength(1);
  expect(received[0]?.path).toBe('/night');
  expect(received[0]?.body).toContain('T1 of Q24');
  expect(received[0]?.body).not.toContain('Q25');
  await removeRule(ruleId);
});

test('recoveries from before somebody switched them on are not told', async () => {
  const input = { name: 'late', kind: 'WEBHOOK', url: `${address}/late`, sendsRecoveries: false };
  const { destinationId } = (await destine(input)).destination;
  const ruleId = await save('t1 of any qubit on demo-64 below 3 us', destinationId);
  for (const qid of ['26', '27']) await calibrate(qid, 1);
  await work();
  await calibrate('26', 80);
  await work();
  now = new Date(now.getTime() + HOUR_MS);
  await destine({ ...input, destinationId, sendsRecoveries: true });
  await calibrate('27', 80);
  await work();
  expect(received).toHaveLength(2);
  expect(jsonOf(1)).toMatchObject({ type: 'alerts.recovered', alerts: [{ label: 'Q27' }] });
  expect(jsonOf(1).alerts).toHaveLength(1);
  await removeRule(ruleId);
});

test('admins set destinations; private addresses are refused, and secrets are not shown again', async () => {
  expect((await destine({ name: 'x', kind: 'SLACK', url: `${address}/x` }, 'edda')).code).toBe('FORBIDDEN');
  for (const url of [
    'http://127.0.0.1:1/x',
    'http://[::1]/x',
    'http://169.254.169.254/x',
    'http://localhost/x',
    'http://10.1.2.3/x',
  ])
    expect(await destine({ name: 'x', kind: 'SLACK', url })).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('is in a private network'),
    });
  expect(await destine({ name: 'x', kind: 'SLACK', url: 'ftp://lab.example/x' })).toMatchObject({
    message: expect.stringContaining('must be an http or https address'),
  });
  expect(await destine({ name: 'x', kind: 'EMAIL', addresses: ['nobody'] })).toMatchObject({
    code: 'INVALID_INPUT',
  });
  const made = await destine({ name: 'x', kind: 'WEBHOOK', url: `${address}/secret-path` });
  const { destinationId } = made.destination;
  const again = await destine({ destinationId, name: 'y', kind: 'WEBHOOK' });
  expect(again).toEqual({ destination: { destinationId, target: address.slice(7) }, secret: null });
  const tested = await only<{ problem: string | null }>(
    'adam',
    `mutation { testAlertDestination(input: { destinationId: "${destinationId}" }) { ... on TestAlertDestinationPayload { problem } } }`,
  );
  expect(tested).toEqual({ problem: null });
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'test', alerts: [] });
  const shown = await only('adam', '{ alertDestinations { name target kind deliveries { error } } }');
  expect(JSON.stringify(shown)).not.toContain('secret-path');
  const { data } = await post(app.url, '{ auditLog(first: 50) { nodes { action ids { name value } } } }', {
    variables: {},
    headers: signedIn('adam', 'demo'),
  });
  expect(JSON.stringify(data)).not.toContain('secret-path');
  await only(
    'adam',
    `mutation { deleteAlertDestination(input: { destinationId: "${destinationId}" }) { __typename } }`,
  );
  expect(JSON.stringify(await only('adam', '{ alertDestinations { destinationId } }'))).not.toContain(
    destinationId,
  );
});
