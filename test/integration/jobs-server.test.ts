/** Jobs as clients see them: made, followed and downloaded over the server, worked on by the offline analyst. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';
import { subscribe } from '../support/websocket-client.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ demo: true, projects: ['other'] });
});
afterAll(() => testApp.stop());

async function ask<Data>(query: string, variables: object = {}, project = 'demo'): Promise<Data> {
  const headers = { 'x-project-id': project };
  const { data, errors } = await post(testApp.url, query, { variables, headers });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data as Data;
}

type Created = { createJob: { __typename: string; job: { id: string } } };
type File = { path: string; url: string };
type Found = { job: { status: string; result: { text: string }; files: File[] } | null };
type Outcome = { result: { __typename: string } };

const CREATE = `mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename
  ... on CreateJobPayload { job { id status lastSeq } } ... on UserError { code message }
  ... on InvalidInputError { issues { path } } } }`;
const JOB = `query ($id: ID!) { job(id: $id) { status error { code message } expert { expertId }
  effectiveInstructions { source } resolvedConfig lastSeq result { text } turn { status } datasources { id }
  builderSession { id } chip { chipId } files { path sizeBytes url } } }`;

const create = (input: object) =>
  ask<Created>(CREATE, {
    input: { description: 'Which qubits drifted?', idempotencyKey: crypto.randomUUID(), ...input },
  });

/** Of every file of the shipped configuration. */
async function configHash(): Promise<string> {
  const folder = fileURLToPath(new URL('../../config', import.meta.url));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

test('a job is carried by the offline analyst to a report that can be downloaded, and changes no expert', async () => {
  const config = await configHash();
  const { createJob } = await create({ expertId: 'researcher', chipId: 'demo-64' });
  expect(createJob).toMatchObject({ __typename: 'CreateJobPayload', job: { status: 'CREATED', lastSeq: 0 } });
  const { id } = createJob.job;
  const job = await until(
    async () => {
      const { job: found } = await ask<Found>(JOB, { id });
      return !found || ['CREATED', 'PROCESSING'].includes(found.status) ? null : found;
    },
    { what: 'the end of the job', intervalMs: 100 },
  );
  expect(job).toMatchObject({
    status: 'COMPLETED',
    error: null,
    expert: { expertId: 'researcher' },
    effectiveInstructions: { source: 'EXPERT' },
    turn: { status: 'COMPLETED' },
    chip: { chipId: 'demo-64' },
    datasources: [],
    builderSession: null,
  });
  expect(job.result.text).not.toBe('');
  const report = job.files.find(({ path }) => path === 'report.md')!;
  const answer = await fetch(`${testApp.url}${report.url}`);
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  expect(await answer.text()).toContain('demo-64');
  expect((await fetch(`${testApp.url}${report.url.replace('/demo/', '/other/')}`)).status).toBe(404);
  expect(await ask('query ($id: ID!) { node(id: $id) { __typename } }', { id })).toEqual({
    node: { __typename: 'Job' },
  });
  expect(await configHash()).toBe(config);
});

/** A text as a form, after the GraphQL multipart request specification. */
async function uploadText(content: string): Promise<string> {
  const query = `mutation ($input: CreateUploadInput!) { createUpload(input: $input) {
    ... on CreateUploadPayload { upload { id } } } }`;
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { input: { kind: 'TEXT', file: null } } }));
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  form.set('0', new Blob([content], { type: 'text/markdown' }), 'instructions.md');
  const headers = { 'x-project-id': 'demo', 'graphql-require-preflight': '1' };
  const response = await fetch(`${testApp.url}/graphql`, { method: 'POST', headers, body: form });
  const { data } = (await response.json()) as { data: { createUpload: { upload: { id: string } } } };
  return data.createUpload.upload.id;
}

const TEXT = `query ($id: ID!) { job(id: $id) { status effectiveInstructions { text source } } }`;
const EVENTS = `subscription ($jobId: ID!, $afterSeq: Int) { jobEvents(jobId: $jobId, afterSeq: $afterSeq) {
  __typename ... on SequencedEvent { seq } } }`;
const UPDATED = 'subscription { jobUpdated { id status } }';

test('a job with uploaded instructions is followed over sockets that drop, and by nobody else', async () => {
  const text = 'Say which qubits drifted.\r\n\n## Task\n日本語 😀\n';
  const params = { projectId: 'demo' };
  const changes = subscribe(testApp.url, UPDATED, {}, params);
  const first = changes.next();
  const { createJob } = await create({
    expertId: 'calibrator',
    chipId: 'demo-64',
    instructionsUploadId: await uploadText(text),
  });
  const { id } = createJob.job;
  expect(await ask(TEXT, { id })).toMatchObject({
    job: { effectiveInstructions: { text, source: 'UPLOAD' } },
  });
  const seqs: number[] = [];
  let afterSeq = 0;
  let isOver = false;
  for (let socket = 1; !isOver; socket += 1) {
    // The first sockets are left after five events each; the next one goes on behind the last event that was seen.
    let taken = 0;
    for await (const { data } of subscribe(testApp.url, EVENTS, { jobId: id, afterSeq }, params)) {
      const event = data!['jobEvents'] as { __typename: string; seq: number };
      seqs.push((afterSeq = event.seq));
      isOver = event.__typename === 'TurnFinishedEvent';
      taken += 1;
      if (isOver || (socket <= 3 && taken === 5)) break;
    }
  }
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  const states = [(await first).value?.data, (await changes.next()).value?.data];
  await changes.return(undefined);
  expect(states).toMatchObject([{ jobUpdated: { id } }, { jobUpdated: { id } }]);

  await ask('mutation ($id: ID!) { cancelJob(input: { jobId: $id }) { __typename } }', { id });
  const foreign = subscribe(testApp.url, EVENTS, { jobId: id }, { projectId: 'other' });
  expect((await foreign.next()).value?.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  await foreign.return(undefined);
});

test('a phase of a job is not asked again as a message of a chat', async () => {
  const { createJob } = await create({ expertId: 'writer', chipId: 'demo-64' });
  const { id } = createJob.job;
  const turnId = await until(async () => {
    const { job } = await ask<{ job: { turn: { id: string } | null } }>(
      'query ($id: ID!) { job(id: $id) { turn { id } } }',
      { id },
    );
    return job.turn?.id;
  });
  await ask('mutation ($id: ID!) { cancelJob(input: { jobId: $id }) { __typename } }', { id });
  const retry = `mutation ($turnId: ID!) { result: retryTurn(input: { turnId: $turnId, clientMessageId: "r1" }) {
    __typename ... on UserError { message } } }`;
  expect(await ask(retry, { turnId })).toEqual({
    result: { __typename: 'ConflictError', message: expect.stringContaining('retryJob') },
  });
});

describe('what cannot be done says so in its result', () => {
  test('a job with a wrong setting, with its path', async () => {
    const { createJob } = await create({
      expertId: 'researcher',
      configOverride: { llm: { temperature: -1 } },
    });
    expect(createJob).toMatchObject({
      __typename: 'InvalidInputError',
      issues: [{ path: ['input', 'configOverride', 'llm', 'temperature'] }],
    });
  });

  const move = (mutation: string, fields: string) =>
    `mutation ($id: ID!) { result: ${mutation}(input: { jobId: $id${fields} }) { __typename } }`;
  test.each([
    ['cancelJob', '', 'CancelJobPayload'],
    ['retryJob', '', 'RetryJobPayload'],
    ['reviewJob', ', verdict: APPROVE', 'ConflictError'],
  ])(
    '%s answers with its payload or an error, and in another project as for an unknown job',
    async (name, fields, type) => {
      const { createJob } = await create({ expertId: 'researcher', description: 'wait' });
      const { id } = createJob.job;
      if (name === 'retryJob') await ask(move('cancelJob', ''), { id });
      expect((await ask<Outcome>(move(name, fields), { id }, 'other')).result.__typename).toBe(
        'NotFoundError',
      );
      expect((await ask<Outcome>(move(name, fields), { id })).result.__typename).toBe(type);
      await ask(move('cancelJob', ''), { id });
      expect((await ask<Found>(JOB, { id }, 'other')).job).toBeNull();
    },
  );
});

test('a job is deleted with its files over the server, which shows what is stored', async () => {
  const { createJob } = await create({ expertId: 'researcher', chipId: 'demo-64' });
  const { id } = createJob.job;
  const ended = await until(
    async () => {
      const { job } = await ask<Found>(JOB, { id });
      return job?.status === 'COMPLETED' ? job : null;
    },
    { what: 'the end of the job', intervalMs: 100 },
  );
  const SIZES = `{ viewer { storage { freeBytes kinds { kind bytes keptDays } } } }`;
  type Sizes = { viewer: { storage: { kinds: { kind: string; bytes: number; keptDays: number | null }[] } } };
  const workspaces = async () =>
    (await ask<Sizes>(SIZES)).viewer.storage.kinds.find(({ kind }) => kind === 'WORKSPACES');
  const before = await workspaces();
  expect(before).toMatchObject({ keptDays: null });
  const DELETE = `mutation ($id: ID!) { result: deleteJob(input: { jobId: $id }) { __typename
    ... on DeleteJobPayload { deletedJobId } ... on UserError { code } } }`;
  expect(await ask<Outcome>(DELETE, { id }, 'other')).toMatchObject({ result: { code: 'NOT_FOUND' } });
  const payload = { result: { __typename: 'DeleteJobPayload', deletedJobId: id } };
  expect(await ask<Outcome>(DELETE, { id })).toEqual(payload);
  expect(await ask<Outcome>(DELETE, { id })).toEqual(payload);
  expect(await ask<Found>(JOB, { id })).toEqual({ job: null });
  expect((await fetch(`${testApp.url}${ended.files[0]!.url}`)).status).toBe(404);
  expect((await workspaces())!.bytes).toBeLessThan(before!.bytes);
});
