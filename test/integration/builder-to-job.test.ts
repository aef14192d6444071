/** Each artifact tool, from the model's call to the job's instructions, settings, name and file. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ArtifactToolName } from '../../src/domain/artifacts/artifact-calls.ts';
import { builderClient, type SessionView } from '../support/builder-client.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { until } from '@qpilot/test-support';
import { bodyOf, type Said } from '../support/wire-bodies.ts';

type JobView = {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly expert: { readonly expertId: string } | null;
  readonly effectiveInstructions: { readonly text: string; readonly source: string };
  readonly configOverride: object | null;
  readonly resolvedConfig: { readonly llm: object; readonly tools: Readonly<Record<string, string[]>> };
  readonly builderSession: {
    readonly id: string;
    readonly status: string;
    readonly job: { readonly id: string };
  };
  readonly files: readonly { readonly path: string; readonly url: string }[];
};
const JOB = `id status description expert { expertId } effectiveInstructions { text source } configOverride resolvedConfig
  builderSession { id status job { id } } files { path url }`;

const says = (...parts: readonly Said[]): Reply => ({ body: bodyOf('responses', parts) });
const asksForReview: Said = {
  call: ['ends', 'request_review', JSON.stringify({ question: 'Is this right?', report: null })],
};

let model: ModelServer;
let app: TestApp;
let client: ReturnType<typeof builderClient>;
/** What the builder's model answers next; phases of jobs ask for a review at once. */
let replies: Reply[] = [];

beforeAll(async () => {
  model = await startModelServer((index) => {
    const { tools = [] } = model.requests[index] as { tools?: readonly { readonly name: string }[] };
    const isPhase = tools.some(({ name }) => name === 'request_review');
    return isPhase ? says(asksForReview) : (replies.shift() ?? says({ text: 'Done.' }));
  });
  app = await createTestApp({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API: 'responses',
      COPILOT_MODEL: 'any-model',
      BUILDER_MODEL: 'any-model',
    },
  });
  client = builderClient(app.url);
});
afterAll(async () => {
  await app.stop();
  await model.close();
});

/** A turn in which the model makes one call; returns the session after it and the events of the call. */
async function build(tool: ArtifactToolName, args: object, more: object) {
  replies = [says({ call: ['c', tool, JSON.stringify(args)] }), says({ text: 'Done.' })];
  const sent = await client.send('Please', { expertId: 'researcher', ...more });
  const events = await client.turn(sent);
  const session = (await client.session(sent.session.id))!;
  return { session, told: events.filter(({ __typename }) => __typename === 'ArtifactEvent') };
}

/** The job that is made with the session as it stands, once its only phase has ended. */
async function work(session: SessionView, more: object = {}): Promise<JobView> {
  const { createJob } = (await client.ask(
    `mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename ... on UserError { message }
      ... on CreateJobPayload { job { id } } } }`,
    {
      input: {
        description: session.artifacts.description ?? 'A job',
        builderSessionId: session.id,
        idempotencyKey: crypto.randomUUID(),
        ...more,
      },
    },
  )) as { createJob: { __typename: string; job: { id: string } } };
  expect(createJob).toMatchObject({ __typename: 'CreateJobPayload' });
  return until(
    async () => {
      const { job } = (await client.ask(`query ($id: ID!) { job(id: $id) { ${JOB} } }`, {
        id: createJob.job.id,
      })) as { job: JobView };
      return job.status === 'PENDING_REVIEW' ? job : null;
    },
    { what: 'the job to wait for a review' },
  );
}

async function textOf({ files }: JobView, name: string): Promise<string> {
  const file = files.find(({ path }) => path === name)!;
  return (await fetch(`${app.url}${file.url}`)).text();
}

const before = { instructions: '# Drift\n\nCheck T1.', description: 'Before' };

test.each<[ArtifactToolName, object, string]>([
  ['update_instructions', { content: '# New\n\nCheck T2: $$T_2$$ 😀' }, '# New\n\nCheck T2: $$T_2$$ 😀'],
  [
    'edit_instructions',
    { old_text: 'Check T1', new_text: 'Compare $& and T2' },
    '# Drift\n\nCompare $& and T2.',
  ],
  [
    'insert_instructions',
    { content: '## Task\nQ7 only.', line: null },
    '# Drift\n\nCheck T1.\n## Task\nQ7 only.',
  ],
])('what %s writes is what the job is told, letter by letter', async (tool, args, text) => {
  const { session, told } = await build(tool, args, { artifacts: before });
  expect(told).toMatchObject([{ tool, outcome: 'APPLIED', revisionBefore: 1, revisionAfter: 2 }]);
  expect(session.artifacts.instructions).toBe(text);
  const job = await work(session);
  expect(job).toMatchObject({
    description: 'Before',
    expert: { expertId: 'researcher' },
    effectiveInstructions: { text, source: 'INLINE' },
    configOverride: null,
    builderSession: { id: session.id, status: 'LINKED', job: { id: job.id } },
  });
  expect(await textOf(job, 'instructions.md')).toContain(text);
});

const CHANGES = {
  llm: { model: null, temperature: 0.2, reasoning_level: null },
  tools: [{ category: 'timeseries', tools: [] }],
  clear: null,
};

/** The tools that a phase offered its model. */
const offered = (): readonly string[] => {
  const phase = model.requests.findLast(({ tools }) => JSON.stringify(tools).includes('request_review'));
  return (phase as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);
};

const configOfExpert = async (): Promise<JobView['resolvedConfig']> => {
  const { expert } = (await client.ask('{ expert(expertId: "researcher") { config { json } } }', {})) as {
    expert: { config: { json: JobView['resolvedConfig'] } };
  };
  return expert.config.json;
};

test.each([
  ['that nobody set before', async () => null],
  ['that were sent as a whole', configOfExpert],
])('what update_config changes of settings %s is what the job is set to', async (_what, settings) => {
  const artifacts = { ...before, config: await settings() };
  const { session, told } = await build('update_config', CHANGES, { artifacts });
  expect(told).toMatchObject([{ outcome: 'APPLIED' }]);
  const job = await work(session);
  expect(job.configOverride).toEqual({ llm: { temperature: 0.2 }, tools: { timeseries: [] } });
  const { llm, tools } = await configOfExpert();
  expect(job.resolvedConfig).toEqual({
    llm: { ...llm, temperature: 0.2 },
    tools: { ...tools, timeseries: [] },
  });
  expect(offered()).toContain('rank_qubits');
  expect(offered()).not.toContain('compare_periods');
});

test('what update_description writes is what the job is called', async () => {
  const { session, told } = await build(
    'update_description',
    { content: 'Drift of Q7' },
    { artifacts: before },
  );
  expect(told).toMatchObject([{ outcome: 'APPLIED' }]);
  const job = await work(session);
  expect(job.description).toBe('Drift of Q7');
  expect(await textOf(job, 'instructions.md')).toContain(before.instructions);
});

test('what is sent with the job goes before what the builder wrote, and another expert may carry it out', async () => {
  const { session } = await build('update_config', CHANGES, { artifacts: before });
  const job = await work(session, {
    expertId: 'writer',
    instructions: 'Sent.',
    configOverride: { llm: { temperature: 1 } },
  });
  expect(job).toMatchObject({
    expert: { expertId: 'writer' },
    effectiveInstructions: { text: 'Sent.', source: 'INLINE' },
    configOverride: { llm: { temperature: 1 } },
  });
  expect(await client.send('More', { sessionId: session.id })).toMatchObject({
    __typename: 'SessionLinkedError',
  });
});
