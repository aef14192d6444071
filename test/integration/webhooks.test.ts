/** Messages about turns and jobs that ended: once to each destination that wants them, without words, whatever others do. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { v4 as uuid } from 'uuid';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { channelsOf } from '../../src/app/alerting.ts';
import { createLogger } from '../../src/base/log.ts';
import { readConfig } from '../../src/config/config.ts';
import { createSender, type DeliverDeps } from '../../src/services/alerts/deliver.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { claimDeliveries } from '../../src/stores/pg/delivery-queue.ts';
import { removeOldDeliveries } from '../../src/stores/pg/delivery-log.ts';
import { completed, text } from '../support/activities.ts';
import { callsOf, type Fields } from '../support/calls.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { forgetMinute } from '../support/forget-minute.ts';
import { addMembers, headerDoor } from '../support/signed-in.ts';
import { isGenuine, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const NEVER_MS = 3_600_000;
const USAGE = {
  inputTokens: 100,
  outputTokens: 20,
  cachedTokens: 10,
  totalTokens: 120,
  costUsd: 0.5,
  model: 'm-1',
};

/** Answers of conversations; `fail` fails, and jobs run until they are cancelled. */
const answerTurn: AnswerTurn = async ({ session, question, emit, signal }) => {
  if (session.kind === 'JOB') await new Promise((_, reject) => signal.addEventListener('abort', reject));
  emit(text(`the answer to ${question.text}`));
  return question.text.endsWith('fail')
    ? {
        ...completed,
        status: 'FAILED',
        error: { code: 'MODEL_UNAVAILABLE', message: 'words of an error', retryable: true },
      }
    : { ...completed, model: 'm-1', usage: USAGE };
};

const mails: string[] = [];
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
let database: OpenDatabase;
let receiver: WebhookReceiver;
beforeAll(async () => {
  await new Promise<void>((resolve) => void mailServer.listen(0, '127.0.0.1', () => resolve()));
  receiver = await startWebhookReceiver();
  app = await createTestApp({
    answerTurn,
    door: headerDoor,
    alertTimes: { pauseMs: NEVER_MS }, // only the senders of the tests send
    projects: ['other'],
    env: {
      ALERT_PRIVATE_HOSTS: '127.0.0.1',
      SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
      SMTP_FROM: 'QPilot <qpilot@lab.example>',
    },
  });
  database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  await addMembers(app, [
    ['adam', 'demo', 'admin'],
    ['anna', 'demo', 'editor'],
    ['vera', 'demo', 'viewer'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(async () => {
  await database.close();
  await app.stop();
  await receiver.close();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});
beforeEach(async () => {
  receiver.received.length = 0;
  mails.length = 0;
  await forgetMinute(app.environment['DATABASE_URL'] ?? '');
  for (const { destinationId } of (await only(
    'adam',
    '{ alertDestinations { destinationId } }',
  )) as never as {
    destinationId: string;
  }[])
    await only(
      'adam',
      `mutation { deleteAlertDestination(input: { destinationId: "${destinationId}" }) { __typename } }`,
    );
});

const { as, only, change } = callsOf(() => app.url);

type Destination = {
  readonly destinationId: string;
  readonly failingSince: string | null;
  readonly disabledReason: string | null;
  readonly deliveries: readonly Fields[];
};
type Saved = { readonly secret: string; readonly destination: Destination; readonly message?: string };
const LOG = `destinationId failingSince disabledReason deliveries {
  deliveryId about state attempts responseCode error nextAt turnId jobId }`;

const save = async (path: string, more: object = {}): Promise<Saved> =>
  (await only(
    'adam',
    `mutation ($input: SaveAlertDestinationInput!) { saveAlertDestination(input: $input) {
      ... on SaveAlertDestinationPayload { secret destination { ${LOG} } } ... on UserError { code message } } }`,
    {
      input: {
        name: path,
        kind: 'WEBHOOK',
        url: `${receiver.url}${path}`,
        events: ['TURN_ENDED', 'JOB_ENDED'],
        ...more,
      },
    },
  )) as never;
const logOf = async (id: string, user = 'adam'): Promise<Destination> => {
  const all = (await only(user, `{ alertDestinations { ${LOG} } }`)) as never as Destination[];
  return all.find(({ destinationId }) => destinationId === id)!;
};

type Asked = { readonly sessionId: string; readonly turnId: string };
/** Anna asks something; the turn has ended. */
async function ask(content: string, sessionId: string | null = null): Promise<Asked> {
  const { session, turn } = (await change(
    'anna',
    'sendMessage',
    { content, sessionId, clientMessageId: uuid() },
    '... on SendMessagePayload { session { id } turn { id } }',
  )) as { session: { id: string }; turn: { id: string } };
  const isOver = async () =>
    (await only('anna', `{ node(id: "${turn.id}") { ... on Turn { finishedAt } } }`))?.['finishedAt'];
  await until(isOver, { what: 'the end of the turn' });
  return { sessionId: session.id, turnId: turn.id };
}

/** Anna's job, cancelled in its first phase; its id. */
async function cancelledJob(): Promise<string> {
  const created = (await change(
    'anna',
    'createJob',
    { description: 'secret plan', expertId: 'researcher', chipId: null, idempotencyKey: uuid() },
    '... on CreateJobPayload { job { id } }',
  )) as { job: { id: string } };
  const { id } = created.job;
  const statusOf = async () => (await only('anna', `{ job(id: "${id}") { status } }`))?.['status'];
  await until(async () => (await statusOf()) === 'PROCESSING', { what: 'the first phase' });
  await change('anna', 'cancelJob', { jobId: id });
  await until(async () => (await statusOf()) === 'CANCELLED', { what: 'the end of the job' });
  await until(
    async () => (await only('anna', `{ job(id: "${id}") { turn { finishedAt } } }`))?.['turn'] !== null,
  );
  return id;
}

const deliverer = (more: Partial<DeliverDeps> = {}): DeliverDeps => ({
  db: database.db,
  channels: channelsOf(readConfig(app.environment)),
  now: () => new Date(),
  log: createLogger('silent'),
  times: { leaseMs: 60_000, backoffMs: NEVER_MS, pauseMs: 10 },
  ...more,
});
/** One server: sends all that is due. */
async function send(): Promise<void> {
  const sender = createSender(deliverer());
  while ((await sender.step(new AbortController().signal)) > 0) await sender.settled();
}
/** Lets pauses and rests be over. */
const later = async (): Promise<void> => {
  await database.db
    .updateTable('alert_deliveries')
    .set({ next_at: new Date(0) })
    .execute();
  await database.db.updateTable('alert_destinations').set({ rests_until: null }).execute();
};

test('many servers send one signed webhook for a turn, with ids of the API and without its text', async () => {
  const { secret, destination } = await save('/hook');
  await save('/jobs-only', { events: ['JOB_ENDED'] });
  await save('/nothing', { events: [] });
  const { sessionId, turnId } = await ask('secret question');
  await Promise.all([send(), send(), send()]);
  await send();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  const [first] = receiver.received;
  expect(isGenuine(first!, secret)).toBe(true);
  expect(first!.body).not.toMatch(/secret|anna|answer/u);
  const [delivery] = (await logOf(destination.destinationId, 'vera')).deliveries;
  expect(delivery).toEqual({
    deliveryId: first!.headers['webhook-id'],
    about: 'TURN_ENDED',
    state: 'SENT',
    attempts: 1,
    responseCode: 204,
    error: null,
    nextAt: null,
    turnId,
    jobId: null,
  });
  expect(first!.message).toMatchObject({
    id: delivery?.['deliveryId'],
    type: 'turn.ended',
    version: 1,
    projectId: 'demo',
    url: expect.stringContaining(`/projects/demo/copilot/${sessionId}?turn=${turnId}`),
    turn: {
      turnId,
      conversationId: sessionId,
      kind: 'COPILOT',
      status: 'COMPLETED',
      errorCode: null,
      model: 'm-1',
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 10, totalTokens: 120, costUsd: 0.5 },
    },
  });
  expect(Number(first!.message.turn?.['durationMs'])).toBeGreaterThanOrEqual(0);
  expect(await only('anna', `{ node(id: "${turnId}") { id } }`)).toEqual({ id: turnId });
  expect(await only('vera', `{ node(id: "${turnId}") { id } }`)).toBeNull(); // the log opens nothing
});

test('one that failed has the code of its error; a title is included only while the project may read it', async () => {
  await save('/hook');
  const { sessionId } = await ask('secret question to fail');
  await change('anna', 'shareSession', { sessionId, visibility: 'LINK' });
  await ask('again', sessionId);
  await send();
  expect(receiver.received.map(({ message }) => message.turn)).toEqual([
    expect.objectContaining({ status: 'FAILED', errorCode: 'MODEL_UNAVAILABLE', usage: null }),
    expect.objectContaining({ status: 'COMPLETED' }),
  ]);
  expect(JSON.stringify(receiver.received)).not.toMatch(/secret|words of an error/u);
  await change('anna', 'shareSession', { sessionId, visibility: 'PROJECT' });
  await ask('once more', sessionId);
  await send();
  expect(receiver.received[2]?.message.turn).toMatchObject({ title: 'secret question to fail' });
  await ask('and again', sessionId);
  await change('anna', 'shareSession', { sessionId, visibility: 'PRIVATE' });
  await send();
  expect(receiver.received[3]?.message.turn).not.toHaveProperty('title');
});

test('a job that ends is told in JSON, a chat and a mail, its phases are not; turns are for JSON alone', async () => {
  await save('/hook');
  await save('/slack', { kind: 'SLACK', events: ['JOB_ENDED'] });
  await save('/mail', { kind: 'EMAIL', url: null, addresses: ['shift@lab.example'], events: ['JOB_ENDED'] });
  expect((await save('/x', { kind: 'TEAMS' })).message).toContain(
    'only a WEBHOOK can subscribe to TURN_ENDED',
  );
  const id = await cancelledJob();
  await send();
  await send();
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hook', '/slack']);
  const told = receiver.received.find(({ path }) => path === '/hook');
  expect(told?.message).toMatchObject({
    type: 'job.ended',
    job: { jobId: id, run: 1, status: 'CANCELLED', expertId: 'researcher', chipId: null, model: null },
  });
  const slack = receiver.received.find(({ path }) => path === '/slack');
  expect(slack?.message).toMatchObject({ text: 'QPilot: job was cancelled' });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatch(/^Subject: QPilot: job was cancelled\r$/mu);
  expect(JSON.stringify([receiver.received, mails])).not.toContain('secret');
});

test('of other projects nothing is told, and without a destination that wants it nothing is stored', async () => {
  await save('/hook', { events: ['JOB_ENDED'] });
  const count = async () => (await database.db.selectFrom('alert_deliveries').select('id').execute()).length;
  const before = await count();
  await ask('hello');
  expect(await count()).toBe(before);
});

test('a destination that answers 410 is switched off with the reason; what waits fails, and a test switches it on', async () => {
  const { destination } = await save('/gone');
  const { destinationId } = destination;
  receiver.answer('/gone', 410);
  for (const words of ['one', 'two', 'three']) await ask(words);
  await send();
  expect(receiver.received).toHaveLength(1);
  const off = await logOf(destinationId);
  const reason = `${new URL(receiver.url).host} answered 410`;
  expect(off.disabledReason).toBe(reason);
  expect(off.deliveries.map(({ state, error, responseCode }) => [state, error, responseCode])).toEqual([
    ['FAILED', 'its destination was switched off', null],
    ['FAILED', 'its destination was switched off', null],
    ['FAILED', reason, 410],
  ]);
  await ask('four');
  expect((await logOf(destinationId)).deliveries).toHaveLength(3); // nothing more is made
  const [{ deliveryId }] = off.deliveries as [{ deliveryId: string }];
  const sendAgain = async (user: string, id: string) => {
    const { data, errors } = await as(
      user,
      `mutation ($input: AlertDeliveryInput!) { sendAlertDeliveryAgain(input: $input) {
        ... on SendAlertDeliveryAgainPayload { delivery { deliveryId state attempts } } ... on UserError { code message } } }`,
      { input: { deliveryId: id } },
    );
    return errors[0]?.extensions ?? data?.['sendAlertDeliveryAgain'];
  };
  expect(await sendAgain('adam', deliveryId)).toEqual({
    code: 'CONFLICT',
    message: `the destination is switched off: ${reason}; send a test or save it to switch it on`,
  });
  receiver.answer('/gone', 204);
  const input = { destinationId };
  const tested = await only(
    'adam',
    'mutation ($input: AlertDestinationInput!) { testAlertDestination(input: $input) { ... on TestAlertDestinationPayload { problem } } }',
    { input },
  );
  expect(tested).toEqual({ problem: null });
  expect(await logOf(destinationId)).toMatchObject({ disabledReason: null, failingSince: null });
  expect(await sendAgain('anna', deliveryId)).toMatchObject({ code: 'FORBIDDEN' });
  expect(await sendAgain('otto', deliveryId)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await sendAgain('adam', 'nonsense')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await sendAgain('adam', deliveryId)).toEqual({
    delivery: { deliveryId, state: 'WAITING', attempts: 0 },
  });
  receiver.received.length = 0;
  await send();
  expect(receiver.received.map(({ message }) => message.id)).toEqual([deliveryId]);
  await sendAgain('adam', deliveryId); // also one that arrived
  await send();
  expect(receiver.received.map(({ message }) => message.id)).toEqual([deliveryId, deliveryId]);
});

test('one that fails rests after three failures in a row, is switched off after a day, and works again once one arrives', async () => {
  const { destination } = await save('/busy');
  const { destinationId } = destination;
  receiver.answer('/busy', 503);
  for (const words of ['one', 'two', 'three', 'four']) await ask(words);
  await send();
  expect(receiver.received).toHaveLength(3); // the fourth waits with the others
  const resting = await logOf(destinationId);
  expect(resting.failingSince).not.toBeNull();
  expect(resting.deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['WAITING', 0],
    ['WAITING', 1],
    ['WAITING', 1],
    ['WAITING', 1],
  ]);
  for (const { nextAt } of resting.deliveries)
    expect(Date.parse(String(nextAt))).toBeGreaterThan(Date.now() + 60_000);
  receiver.answer('/busy', 302); // a redirect is no arrival, and final
  await later();
  await send();
  expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere');
  expect((await logOf(destinationId)).deliveries.filter(({ state }) => state === 'FAILED')).toMatchObject([
    { responseCode: 302 },
  ]);
  receiver.answer('/busy', 204);
  await later();
  await send();
  expect((await logOf(destinationId)).failingSince).toBeNull();

  receiver.answer('/busy', 503);
  await ask('five');
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  for (let failed = 1; failed <= 7; failed += 1) {
    await later();
    await send();
    await database.db.updateTable('alert_destinations').set({ failing_since: dayAgo }).execute();
  }
  expect((await logOf(destinationId)).disabledReason).toBeNull();
  await later();
  await send();
  const host = new URL(receiver.url).host;
  expect(await logOf(destinationId)).toMatchObject({
    disabledReason: `nothing arrived for 24 hours; last: ${host} answered 503`,
    deliveries: [{ state: 'FAILED', attempts: 8 }, {}, {}, {}, {}],
  });
  const saved = await save('/busy', { destinationId, events: null });
  expect(saved.destination).toMatchObject({ disabledReason: null });
  receiver.answer('/busy', 204);
  await ask('six'); // it is still told of turns
  await send();
  expect((await logOf(destinationId)).deliveries[0]).toMatchObject({ state: 'SENT', about: 'TURN_ENDED' });
});

test('one that fails now and then is not starved: it rests no longer than nothing has arrived', async () => {
  const { destination } = await save('/moody');
  receiver.answer('/moody', 503);
  for (let failed = 1; failed <= 6; failed += 1) {
    if (failed <= 3) await ask(`number ${failed}`);
    await later();
    await send();
  }
  const restOf = async () => {
    const { rows } = await sql<{ rest: number; failing: number; failures: number }>`
      select extract(epoch from rests_until - clock_timestamp())::float8 as rest,
        extract(epoch from clock_timestamp() - failing_since)::float8 as failing, failures
      from alert_destinations where id = ${destination.destinationId}::uuid`.execute(database.db);
    return rows[0]!;
  };
  const { rest, failing, failures } = await restOf();
  expect(failures).toBeGreaterThan(5);
  expect(rest).toBeLessThanOrEqual(Math.max(failing, NEVER_MS / 40 / 1_000));
  await database.db
    .updateTable('alert_destinations')
    .set({ failing_since: new Date(Date.now() - 3_600_000) })
    .execute();
  await later();
  await send();
  expect((await restOf()).rest).toBeGreaterThan(290);
});

test('a message about an alert goes before all that wait to tell of turns', async () => {
  const { destination } = await save('/both');
  for (const words of ['one', 'two', 'three']) await ask(words);
  const id = uuid();
  await database.db
    .insertInto('alert_deliveries')
    .values({
      id,
      project_id: 'demo',
      destination_id: destination.destinationId,
      about: 'OPENED',
      state: 'WAITING',
      attempts: 0,
      next_at: new Date(),
      created_at: new Date(),
    })
    .execute();
  const [first] = await claimDeliveries(database.db, { claim: uuid(), leaseMs: 60_000, most: 1, quiet: [] });
  expect(first).toMatchObject({ id, about: 'OPENED' });
});

test('one that does not answer holds up no other, and has one message at a time, whatever servers send', async () => {
  await save('/slow');
  await save('/fast');
  receiver.answer('/slow', null);
  for (const words of ['one', 'two', 'three']) await ask(words);
  const ending = new AbortController();
  const servers = [createSender(deliverer()), createSender(deliverer())];
  const at = (path: string) => receiver.received.filter((each) => each.path === path).length;
  const working = servers.map(async (sender) => {
    while (!ending.signal.aborted) await sender.step(ending.signal);
    await sender.settled();
  });
  await until(() => at('/fast') === 3, { what: 'all messages to the fast one' });
  expect(at('/slow')).toBe(1);
  receiver.answer('/slow', 204);
  await until(() => at('/slow') === 3, { what: 'all messages to the slow one' });
  expect([receiver.mostAtOnce('/slow'), receiver.mostAtOnce('/fast')]).toEqual([1, 1]);
  const isSent = async () =>
    (await database.db.selectFrom('alert_deliveries').select('id').where('state', '=', 'WAITING').execute())
      .length === 0;
  await until(isSent, { what: 'the end of the last attempt' });
  ending.abort();
  await Promise.all(working);
});

test('what fails here, because no mail server is set, does not count against the destination', async () => {
  const { destination } = await save('/mail', {
    kind: 'EMAIL',
    url: null,
    addresses: ['ada@lab.example'],
    events: ['JOB_ENDED'],
  });
  await cancelledJob();
  const channels = { ...channelsOf(readConfig(app.environment)), mail: null };
  const sender = createSender(deliverer({ channels }));
  await sender.step(new AbortController().signal);
  await sender.settled();
  const { failingSince, deliveries } = await logOf(destination.destinationId);
  expect(deliveries).toMatchObject([
    { state: 'WAITING', error: 'this server sends no mail; an operator sets SMTP_URL' },
  ]);
  expect(failingSince).toBeNull();
});

test('in quiet hours messages wait, and go afterwards', async () => {
  const at = new Date('2026-05-20T23:00:00Z');
  await save('/night', { quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' } });
  await ask('one');
  const sendAt = async (now: Date): Promise<void> => {
    const sender = createSender(deliverer({ now: () => now }));
    while ((await sender.step(new AbortController().signal)) > 0) await sender.settled();
  };
  await sendAt(at);
  expect(receiver.received).toEqual([]);
  await sendAt(new Date('2026-05-21T07:00:00Z'));
  expect(receiver.received).toHaveLength(1);
});

test('the log shows as many messages as it is asked for, and forgets those of turns after 30 days', async () => {
  const { destination } = await save('/hook');
  const { destinationId } = destination;
  for (const words of ['one', 'two', 'three']) await ask(words);
  await send();
  const log = (args: string) =>
    only('adam', `{ alertDestinations { deliveries(${args}) { state } } }`) as Promise<never>;
  expect(await log('first: 2')).toEqual([{ deliveries: [{ state: 'SENT' }, { state: 'SENT' }] }]);
  expect(await log('state: WAITING')).toEqual([{ deliveries: [] }]);
  const { errors } = await as('adam', '{ alertDestinations { deliveries(first: 101) { state } } }');
  expect(errors[0]?.message).toContain('must be 1 to 100');
  const days = { alertDays: 365, endedDays: 30 };
  const age = (to: number, state: 'SENT' | 'WAITING') =>
    database.db
      .updateTable('alert_deliveries')
      .set({ created_at: new Date(Date.now() - to * 86_400_000) })
      .where('destination_id', '=', destinationId)
      .where('state', '=', state)
      .execute();
  await age(29, 'SENT');
  await removeOldDeliveries(database.db, days);
  expect((await logOf(destinationId)).deliveries).toHaveLength(3);
  await ask('four');
  await age(31, 'SENT');
  await age(31, 'WAITING');
  await removeOldDeliveries(database.db, days);
  expect((await logOf(destinationId)).deliveries).toMatchObject([{ state: 'WAITING' }]);
});
