/** Alerts: rules of a project, what they warn of as data change, who has seen it, and that no server says a thing twice. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { MongoClient } from 'mongodb';
import { mutesIn } from '../../src/app/alerting.ts';
import { createLogger } from '../../src/base/log.ts';
import { evaluateDueRules } from '../../src/services/alerts/alert-work.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { post, type GraphqlAnswer } from '../support/graphql-client.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

/** The app does not look at rules by itself: each step is taken here. */
const NEVER_MS = 3_600_000;
const HOUR_MS = 3_600_000;

let app: TestApp;
let mongo: MongoClient;
let database: OpenDatabase;
let now = DEMO_NOW;
beforeAll(async () => {
  app = await createTestApp({
    demo: true,
    writesCalibration: true,
    projects: ['other'],
    door: headerDoor,
    now: () => now,
    alertTimes: { pauseMs: NEVER_MS },
  });
  mongo = await MongoClient.connect(app.environment['MONGODB_URI'] ?? '');
  database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  await addMembers(app, [
    ['edda', 'demo', 'editor'],
    ['vera', 'demo', 'viewer'],
    ['adam', 'demo', 'admin'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(async () => {
  await Promise.all([mongo.close(), database.close()]);
  await app.stop();
});

const as = (user: string, query: string, variables: object = {}): Promise<GraphqlAnswer> =>
  post(app.url, query, { variables, headers: signedIn(user, user === 'otto' ? 'other' : 'demo') });

async function only<Found>(user: string, query: string, variables: object = {}): Promise<Found> {
  const { data, errors } = await as(user, query, variables);
  const [error] = errors ?? [];
  if (error) return { code: error.extensions?.['code'] } as Found;
  return Object.values(data ?? {})[0] as Found;
}

type Alert = {
  readonly alertId: string;
  readonly partId: string;
  readonly ending: string | null;
  readonly evidence: {
    readonly value: number | null;
    readonly words: string;
    readonly taskId: string | null;
  };
  readonly acknowledgedBy: { readonly name: string } | null;
};
type Rule = {
  readonly ruleId: string;
  readonly text: string;
  readonly outcome: string;
  readonly words: string;
};
const ALERT = 'alertId partId ending evidence { value words taskId } acknowledgedBy { name } note';
const alerts = (user = 'vera', isOpen = true) =>
  only<Alert[]>(user, `query ($isOpen: Boolean!) { alerts(isOpen: $isOpen) { ${ALERT} } }`, { isOpen });
const openParts = async () => (await alerts()).map(({ partId }) => partId).toSorted();
const rules = () => only<Rule[]>('vera', '{ alertRules { ruleId text outcome words } }');
type Saved = { readonly rule: Rule; readonly code?: string; readonly message?: string };
const save = (user: string, input: object) =>
  only<Saved>(
    user,
    `mutation ($input: SaveAlertRuleInput!) { saveAlertRule(input: $input) {
      ... on SaveAlertRulePayload { rule { ruleId text outcome words } } ... on UserError { code message } } }`,
    { input },
  );
const remove = (ruleId: string) =>
  only('edda', `mutation { deleteAlertRule(input: { ruleId: "${ruleId}" }) { __typename } }`);

/** A server that looks at rules; `readsMutes` may hold it up. */
function server(hold: () => Promise<void> = async () => undefined, leaseMs = 60_000) {
  const db = mongo.db(app.environment['MONGODB_DB'] ?? '');
  const calibration = createCalibrationServices({
    store: createMongoCalibrationStore(db),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => now,
  });
  return {
    db: database.db,
    log: createLogger('silent'),
    calibration,
    now: () => now,
    times: { everyMs: 0, leaseMs },
    mutesOf: async (projectId: string, chipId: string) => {
      await hold();
      return mutesIn(database.db, () => now)(projectId, chipId);
    },
  };
}
const evaluate = () => evaluateDueRules(server());

/** Calibrates T1 of a qubit, in μs. */
const calibrate = async (qid: string, value: number): Promise<void> => {
  const db = mongo.db(app.environment['MONGODB_DB'] ?? '');
  await db
    .collection('qubit')
    .updateOne(
      { chip_id: 'demo-64', qid },
      { $set: { 'data.t1.value': value, 'data.t1.calibrated_at': now, 'system_info.updated_at': now } },
    );
};

test('an alert opens, stays, is acknowledged, closes, and opens again when the value falls again', async () => {
  const { rule } = await save('edda', { text: 't1 of Q5 on demo-64 below 3 us' });
  expect(rule).toMatchObject({ text: 't1 of Q5 on demo-64 below 3 μs', outcome: 'NEW' });
  await evaluate();
  expect(await openParts()).toEqual([]);
  expect(await rules()).toMatchObject([{ outcome: 'QUIET', words: expect.stringContaining('no alert') }]);

  await calibrate('5', 2);
  await evaluate();
  const [opened] = await alerts();
  expect(opened).toMatchObject({
    partId: '5',
    acknowledgedBy: null,
    evidence: { value: 2, words: 'T1 of Q05 is 2.00 μs, below 3 μs; measured 2026-05-20 01:00 UTC' },
  });
  await calibrate('5', 1);
  await evaluate();
  expect(await alerts()).toMatchObject([{ alertId: opened!.alertId, evidence: { value: 1 } }]);

  const seen = (user: string, note: string) =>
    only<{ alert?: Alert; code?: string }>(
      user,
      `mutation ($input: AcknowledgeAlertInput!) { acknowledgeAlert(input: $input) {
        ... on AcknowledgeAlertPayload { alert { ${ALERT} } } ... on UserError { code } } }`,
      { input: { alertId: opened!.alertId, note } },
    );
  expect((await seen('edda', 'the magnet is off')).alert).toMatchObject({
    acknowledgedBy: { name: 'edda' },
    note: 'the magnet is off',
  });
  expect((await seen('adam', 'me too')).alert).toMatchObject({ acknowledgedBy: { name: 'edda' } });
  expect((await seen('vera', 'x')).code).toBe('FORBIDDEN');
  expect(await only('vera', '{ alertCounts { open waiting } }')).toEqual({ open: 1, waiting: 0 });

  await calibrate('5', 80);
  await evaluate();
  expect(await openParts()).toEqual([]);
  expect(await alerts('vera', false)).toMatchObject([{ alertId: opened!.alertId, ending: 'RECOVERED' }]);
  await calibrate('5', 2.5);
  await evaluate();
  const again = await alerts();
  expect(again).toMatchObject([{ partId: '5', acknowledgedBy: null }]);
  expect(again[0]?.alertId).not.toBe(opened!.alertId);
  await remove(rule.ruleId);
  expect(await openParts()).toEqual([]);
  await calibrate('5', 80);
});

test('a value that goes away does not close its alert; a mute does', async () => {
  const db = mongo.db(app.environment['MONGODB_DB'] ?? '');
  await calibrate('7', 1);
  const { rule } = await save('edda', { text: 't1 of Q7 on demo-64 below 3 us' });
  await evaluate();
  expect(await openParts()).toEqual(['7']);
  const before = await db.collection('qubit').findOne({ chip_id: 'demo-64', qid: '7' });
  await db.collection('qubit').updateOne({ _id: before!._id }, { $unset: { 'data.t1': '' } });
  await evaluate();
  expect(await openParts()).toEqual(['7']);
  expect(await rules()).toMatchObject([
    { outcome: 'NOTHING', words: 'nothing to judge: 1 qubit not judged: no t1 was ever recorded' },
  ]);
  await db.collection('qubit').replaceOne({ _id: before!._id }, before!);
  const until = new Date(now.getTime() + 24 * HOUR_MS);
  await as(
    'edda',
    `mutation ($until: DateTime!) { mute(input: { chipId: "demo-64", partId: "7", parameter: "t1",
    reason: "known", until: $until }) { __typename } }`,
    { until },
  );
  now = new Date(now.getTime() + HOUR_MS / 4); // mutes are seen by the clock
  await evaluate();
  expect(await openParts()).toEqual([]);
  expect((await alerts('vera', false))[0]).toMatchObject({ partId: '7', ending: 'MUTED' });
  await as(
    'edda',
    'mutation { unmute(input: { chipId: "demo-64", partId: "7", parameter: "t1" }) { __typename } }',
  );
  now = new Date(now.getTime() + HOUR_MS / 4);
  await evaluate();
  expect(await openParts()).toEqual(['7']);
  await remove(rule.ruleId);
  await calibrate('7', 80);
});

test('many servers at once open each alert once, and one that was frozen stores nothing', async () => {
  for (const qid of ['1', '2', '3']) await calibrate(qid, 1);
  const { rule } = await save('edda', { text: 't1 of any qubit on demo-64 below 3 us' });
  let thaw = (): void => undefined;
  let reached = (): void => undefined;
  const frozen = new Promise<void>((resolve) => (thaw = resolve));
  const isReading = new Promise<void>((resolve) => (reached = resolve));
  const slow = evaluateDueRules(
    server(async () => {
      reached();
      await frozen;
    }, 1),
  );
  await isReading;
  // Its lease has run out; of four others one takes the rule over.
  const looked = await until(async () => {
    const counts = await Promise.all([1, 2, 3, 4].map(evaluate));
    return counts.some((count) => count > 0) ? counts : null;
  });
  expect(Math.max(...looked)).toBe(1);
  expect(await openParts()).toEqual(['1', '2', '3']);
  await calibrate('2', 80);
  await evaluate();
  thaw();
  await slow;
  expect(await openParts()).toEqual(['1', '3']); // what the frozen one found is of the past
  await Promise.all([1, 2, 3, 4].map(evaluate));
  expect(await openParts()).toEqual(['1', '3']);
  await remove(rule.ruleId);
  for (const qid of ['1', '3']) await calibrate(qid, 80);
});

test('a preview names what a rule would warn of, and what is wrong with its text', async () => {
  await calibrate('4', 1.5);
  const preview = (text: string) =>
    only(
      'vera',
      `query ($text: String!) { alertPreview(text: $text, chipId: "demo-64") {
      text problem problemAt words parts { label evidence { value } } } }`,
      { text },
    );
  expect(await preview('T1 of any qubit below 2us')).toMatchObject({
    text: 't1 of any qubit on demo-64 below 2 μs',
    problem: null,
    words: expect.stringMatching(/^1 alert of 6\d qubits: Q04/u),
    parts: [{ label: 'Q04', evidence: { value: 1.5 } }],
  });
  expect(await preview('T1 of any qubit belw 2us')).toMatchObject({ text: null, problemAt: 17, parts: [] });
  expect(await preview('t1 of Q999 below 2us')).toMatchObject({
    problem: expect.stringContaining('there is no qubit 999'),
  });
  expect(await preview('t1 of any qubit falls by 1 % within 5 days')).toMatchObject({
    problem: null,
    words: expect.stringMatching(/alerts? of \d+ qubits/u),
  });
  expect(await preview('t1 of any qubit worsens by 5 sigma within 5 days')).toMatchObject({ problem: null });
  expect(await preview('any coupling is missing')).toMatchObject({ problem: null });
  await calibrate('4', 80);
});

test('editors write rules, viewers read them, other projects see nothing, and all of it is in the audit', async () => {
  expect((await save('vera', { text: 't1 of Q5 on demo-64 below 3 us' })).code).toBe('FORBIDDEN');
  expect((await save('edda', { text: 't1 of Q5 on nowhere below 3 us' })).code).toBe('NOT_FOUND');
  expect(await save('edda', { text: 't1 of Q5 below 3' })).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('at character 10: say on which chip'),
  });
  const { rule } = await save('edda', { text: 't1 of Q5 on demo-64 below 3 us' });
  expect(await only('otto', '{ alertRules { ruleId } }')).toEqual([]);
  const changed = await save('adam', {
    ruleId: rule.ruleId,
    text: 'Q5 on demo-64 is disabled',
    isEnabled: false,
  });
  expect(changed.rule.text).toBe('Q5 on demo-64 is disabled');
  expect((await save('otto', { ruleId: rule.ruleId, text: 'Q5 on demo-64 is disabled' })).code).toBe(
    'NOT_FOUND',
  );
  await remove(rule.ruleId);
  expect(await rules()).toEqual([]);
  const { data } = await as('adam', '{ auditLog(first: 50) { nodes { action personName outcome } } }');
  const { nodes } = data!['auditLog'] as { nodes: { action: string }[] };
  const actions = nodes.map(({ action }) => action);
  for (const action of ['saveAlertRule', 'deleteAlertRule', 'acknowledgeAlert'])
    expect(actions).toContain(action);
});
