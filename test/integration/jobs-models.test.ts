/**
 * A job that a provider's model works on: what the model is sent, over HTTP, and what its calls leave in the
 * workspace.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { readEverything } from '../support/stored-rows.ts';
import { until } from '@qpilot/test-support';
import { bodyOf } from '../support/wire-bodies.ts';

const CREATE = `mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename
  ... on CreateJobPayload { job { id } } ... on UserError { message } } }`;
const JOB = `query ($id: ID!) { job(id: $id) { status result { text } files { path sizeBytes url }
  report { markdown file { path url } }
  usage { inputTokens outputTokens cachedTokens totalTokens costUsd estimated }
  limits { tokens { ...L } phases { ...L } roundsPerPhase { ...L } seconds { ...L } workspaceBytes { ...L } } } }
  fragment L on JobLimit { used limit }`;

type File = { readonly path: string; readonly sizeBytes: number; readonly url: string };
type Job = {
  readonly status: string;
  readonly result: { readonly text: string } | null;
  readonly files: readonly File[];
  readonly report: { readonly markdown: string | null; readonly file: File } | null;
  readonly usage: object;
  readonly limits: Readonly<Record<string, { readonly used: number; readonly limit: number }>>;
};

const call = (id: string, name: string, args: object) => ({
  body: bodyOf('responses', [{ call: [id, name, JSON.stringify(args)] }]),
});

const scriptOf = () => [
  call('plan', 'next_phase_todos', { goal: 'Know T1 of Q3', todos: ['Write down T1 of Q3'] }),
  { body: bodyOf('responses', [{ text: 'Planned.' }]) },
  call('read', 'get_qubit_params', { qid: '3', chip_id: null }),
  call('write', 'write_file', { path: 'report.md', content: '# T1 of Q3' }),
  call('done', 'todo_complete', { todo_id: 1, result: 'Written down.' }),
  { body: bodyOf('responses', [{ text: 'Worked.' }]) },
  call('end', 'finish_job', { report: 'report.md', summary: 'T1 of Q3 is written down.' }),
  { body: bodyOf('responses', [{ text: 'Finished.' }]) },
];

let app: TestApp;
let model: ModelServer;
let job: Job;

/** Runs a job on a model to its end. */
async function runJob(key: string, llm: object): Promise<Job> {
  const input = {
    description: 'What is T1 of Q3?',
    expertId: 'researcher',
    chipId: 'demo-64',
    idempotencyKey: key,
    configOverride: { llm: { temperature: 0.25, reasoning_level: 'low', ...llm } },
  };
  const { data } = await post(app.url, CREATE, { variables: { input } });
  const { createJob } = data as { createJob: { job: { id: string } } };
  return until(
    async () => {
      const found = await post(app.url, JOB, { variables: { id: createJob.job.id } });
      const { job: now } = found.data as { job: Job };
      return ['CREATED', 'PROCESSING'].includes(now.status) ? null : now;
    },
    { what: 'the end of the job', intervalMs: 100 },
  );
}

beforeAll(async () => {
  model = await startModelServer([...scriptOf(), ...scriptOf(), ...scriptOf()]);
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses' };
  app = await createTestApp({ demo: true, env });
  job = await runJob('one', {});
});
afterAll(async () => {
  await app.stop();
  await model.close();
});

test('every request has the temperature of its configuration, and no reasoning for a model without it', () => {
  expect(model.requests.length).toBeGreaterThan(3);
  for (const { temperature, reasoning } of model.requests) {
    expect({ temperature, reasoning }).toEqual({ temperature: 0.25, reasoning: undefined });
  }
});

test('what its calls wrote is the report, and a file to download', async () => {
  expect(job).toMatchObject({ status: 'COMPLETED', result: { text: 'Finished.' } });
  expect(job.report).toMatchObject({ markdown: '# T1 of Q3', file: { path: 'report.md' } });
  expect(job.files.map(({ path }) => path)).toContain('report.md');
  expect(await (await fetch(`${app.url}${job.report!.file.url}`)).text()).toBe('# T1 of Q3');
});

test('it says what it cost and what it used of its limits', () => {
  // Eight calls of 100 tokens in and 20 out each.
  expect(job.usage).toMatchObject({
    inputTokens: 800,
    outputTokens: 160,
    totalTokens: 960,
    estimated: false,
  });
  expect(job.usage).toMatchObject({ costUsd: expect.closeTo(0.00288) });
  expect(job.limits).toEqual({
    tokens: { used: 960, limit: 500_000 },
    phases: { used: 3, limit: 8 },
    roundsPerPhase: { used: 1, limit: 40 },
    seconds: { used: expect.any(Number), limit: 1_800 },
    workspaceBytes: { used: expect.any(Number), limit: 200_000_000 },
  });
  const ofFiles = job.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  expect(job.limits['workspaceBytes']!.used).toBeGreaterThan(ofFiles);
  expect(job.limits['seconds']!.used).toBeGreaterThan(0);
  expect(job.limits['seconds']!.used).toBeLessThan(60);
});

test('a model that reasons gets its effort in every request, and no temperature, which it refuses', async () => {
  const before = model.requests.length;
  expect(await runJob('two', { model: 'o4-mini' })).toMatchObject({ status: 'COMPLETED' });
  const requests = model.requests.slice(before);
  expect(requests.length).toBeGreaterThan(3);
  for (const request of requests) {
    expect(request).toMatchObject({ model: 'o4-mini', reasoning: { effort: 'low' } });
    expect(request).not.toHaveProperty('temperature');
  }
});

test('a model that is not offered here is reported in an event, and the default one answers', async () => {
  const before = model.requests.length;
  expect(await runJob('three', { model: 'model-of-nobody' })).toMatchObject({ status: 'COMPLETED' });
  const asked = model.requests.slice(before).map((request) => request['model']);
  expect(new Set(asked)).toEqual(new Set(['gpt-4.1']));
  expect(await readEverything(app.environment['DATABASE_URL']!)).toContain(
    'The model model-of-nobody has no provider here; gpt-4.1 is used instead.',
  );
});
