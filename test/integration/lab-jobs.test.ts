/** Jobs that use tools of the lab's MCP servers: what writes waits for a review, and is then made once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import {
  startFridge,
  untilServersAreThere,
  writeLabSettings,
  type LabServer,
} from '../support/lab-servers.ts';
import { accessTo } from '../support/model-access.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { bodyOf, type Said } from '../support/wire-bodies.ts';

let folder: string;
let fridge: LabServer;
let model: ModelServer;
let app: TestApp;
/** What the model says next, response by response. */
let said: (readonly Said[])[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-lab-'));
  fridge = await startFridge();
  model = await startModelServer((): Reply => ({
    body: bodyOf('responses', said.shift() ?? [{ text: 'Well.' }]),
  }));
  const servers = [{ name: 'fridge', url: fridge.url, projects: 'all', tools: ['*'], reads: ['read_log'] }];
  const file = await writeLabSettings(folder, servers);
  app = await createTestApp({ demo: true, env: { ...accessTo('responses', model), QPILOT_CONFIG: file } });
  await untilServersAreThere(app.url);
});
afterAll(async () => {
  await app.stop();
  await Promise.all([model.close(), fridge.close(), rm(folder, { recursive: true, force: true })]);
});

const CREATE = `mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename
  ... on CreateJobPayload { job { id } } ... on UserError { message } } }`;
const JOB = `query ($id: ID!) { job(id: $id) { status run reviewNote
  reviewCall { server serverTool arguments approvedBy } } }`;
const REVIEW = `mutation ($input: ReviewJobInput!) { reviewJob(input: $input) { __typename
  ... on ReviewJobPayload { job { status } } ... on UserError { code message } } }`;

type Job = {
  readonly status: string;
  readonly reviewCall: object | null;
  readonly reviewNote: string | null;
};

const call = (name: string, args: object): readonly Said[] => [
  { call: [`c${Math.random()}`, name, JSON.stringify(args)] },
];
const HEAT = call('fridge__set_heater', { milliwatts: 2.5 });
const read = async (id: string): Promise<Job> =>
  ((await post(app.url, JOB, { variables: { id } })).data as { job: Job }).job;
const reaches = (id: string, status: string): Promise<Job> =>
  until(
    async () => {
      const job = await read(id);
      return job.status === status ? job : null;
    },
    { what: `the job is ${status}`, intervalMs: 50 },
  );
const review = async (input: object) =>
  (await post(app.url, REVIEW, { variables: { input } })).data?.['reviewJob'] as Record<string, unknown>;

async function create(key: string, ...lines: readonly (readonly Said[])[]): Promise<string> {
  said = [...lines];
  const input = { description: 'Warm it up', chipId: 'demo-64', idempotencyKey: key };
  const { data } = await post(app.url, CREATE, { variables: { input } });
  return (data as { createJob: { job: { id: string } } }).createJob.job.id;
}

test('a call that writes waits for a review, and is made once a person approves it, once', async () => {
  const id = await create('approved', HEAT, [{ text: 'I asked.' }]);
  const waiting = await reaches(id, 'PENDING_REVIEW');
  expect(waiting.reviewCall).toEqual({
    server: 'fridge',
    serverTool: 'set_heater',
    arguments: { milliwatts: 2.5 },
    approvedBy: null,
  });
  expect(waiting.reviewNote).toContain('May the job call set_heater');
  expect(fridge.calls).toEqual([]);
  // The same call twice: the second is asked about again.
  said = [HEAT, HEAT, [{ text: 'I asked again.' }]];
  expect(await review({ jobId: id, verdict: 'SEND_BACK', approveCall: true })).toMatchObject({
    job: { status: 'CREATED' },
  });
  await until(async () => fridge.calls.length > 0 && (await read(id)).status === 'PENDING_REVIEW');
  expect(fridge.calls).toEqual([{ tool: 'set_heater', args: { milliwatts: 2.5 } }]);
  expect((await read(id)).reviewCall).toMatchObject({ approvedBy: null });
  const prompts = JSON.stringify(model.requests.at(-1));
  expect(prompts).toContain('Approved, once: fridge__set_heater');
  expect(await review({ jobId: id, verdict: 'APPROVE' })).toMatchObject({ job: { status: 'COMPLETED' } });
  expect(await review({ jobId: id, verdict: 'SEND_BACK', approveCall: true })).toMatchObject({
    code: 'CONFLICT',
  });
});

test('a call that is sent back with a note, or made with other arguments, is not approved', async () => {
  const before = fridge.calls.length;
  const id = await create('declined', HEAT, [{ text: 'I asked.' }]);
  await reaches(id, 'PENDING_REVIEW');
  said = [HEAT, [{ text: 'I asked again.' }]];
  await review({ jobId: id, verdict: 'SEND_BACK', note: 'Not now.' });
  await until(async () => said.length === 0 && (await read(id)).status === 'PENDING_REVIEW');
  said = [call('fridge__set_heater', { milliwatts: 5 }), [{ text: 'More.' }]];
  await review({ jobId: id, verdict: 'SEND_BACK', approveCall: true });
  await until(async () => said.length === 0 && (await read(id)).status === 'PENDING_REVIEW');
  expect((await read(id)).reviewCall).toMatchObject({ arguments: { milliwatts: 5 } });
  expect(fridge.calls.length).toBe(before);
});

test('a review that is about no call approves none', async () => {
  const id = await create('question', call('request_review', { question: 'Which one?', report: null }), [
    { text: 'I asked.' },
  ]);
  expect((await reaches(id, 'PENDING_REVIEW')).reviewCall).toBeNull();
  expect(await review({ jobId: id, verdict: 'SEND_BACK', approveCall: true })).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('asks about no call'),
  });
  expect(await review({ jobId: id, verdict: 'APPROVE', approveCall: true })).toMatchObject({
    code: 'INVALID_INPUT',
  });
});
