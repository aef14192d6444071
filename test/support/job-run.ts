import { until } from '@qpilot/test-support';
import { post } from './graphql-client.ts';

const CREATE = `mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename
  ... on CreateJobPayload { job { id } } ... on UserError { message } } }`;
const JOB = 'query ($id: ID!) { job(id: $id) { status error { code message } } }';

type Ended = { readonly status: string; readonly error: unknown };

/** Creates a job and waits for its end. */
export async function runJob(url: string, about: object): Promise<Ended> {
  const input = { expertId: 'researcher', idempotencyKey: crypto.randomUUID(), ...about };
  const { data } = await post(url, CREATE, { variables: { input } });
  const { createJob } = data as { createJob: { job: { id: string } } };
  return until(
    async () => {
      const found = await post(url, JOB, { variables: { id: createJob.job.id } });
      const { job } = found.data as { job: Ended };
      return ['CREATED', 'PROCESSING'].includes(job.status) ? null : job;
    },
    { what: 'the end of the job', intervalMs: 50 },
  );
}
