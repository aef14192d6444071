/** With a PostgreSQL that we did not start: Debian's, which is older than the embedded one, also behind a PgBouncer. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { StartupError } from '../../src/base/errors.ts';
import { requireOwnSessions } from '../../src/stores/pg/pooler.ts';
import { createTestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { runJob } from '../support/job-run.ts';
import {
  machinePostgresMissing,
  startMachinePostgres,
  type MachinePostgres,
} from '../support/machine-postgres.ts';

const IGNORED =
  'ignore_startup_parameters = options,lock_timeout,statement_timeout,idle_in_transaction_session_timeout';

if (machinePostgresMissing !== null) {
  describe.skip(`a PostgreSQL of this machine (skipped: ${machinePostgresMissing})`, () => {
    test('is not here', () => undefined);
  });
} else describe('a PostgreSQL of this machine', withPostgres);

function withPostgres(): void {
  let postgres: MachinePostgres;
  beforeAll(async () => void (postgres = await startMachinePostgres()), 60_000);
  afterAll(() => postgres.stop());

  const startOn = (url: string, demo = false) => createTestApp({ demo, env: { DATABASE_URL: url } });

  test('gets its tables, answers a question, carries a job, and has both after a restart', async () => {
    const app = await startOn(postgres.url, true);
    try {
      const SEND = `mutation { sendMessage(input: { content: "Which qubit has the shortest T1?", clientMessageId: "1" }) {
        ... on SendMessagePayload { session { id } } } }`;
      const sent = await post(app.url, SEND);
      const { session } = sent.data!['sendMessage'] as { session: { id: string } };
      type Read = { copilotSession: { messages: { nodes: { role: string; text: string }[] } } };
      const READ = `query ($id: ID!) { copilotSession(id: $id) { messages { nodes { role text } } } }`;
      const read = async () => {
        const { data, errors } = await post(app.url, READ, { variables: { id: session.id } });
        if (errors.length > 0) throw new Error(JSON.stringify(errors));
        return (data as Read).copilotSession.messages.nodes;
      };
      const answered = await until(
        async () => {
          const nodes = await read();
          return nodes.some(({ role }) => role === 'ASSISTANT') ? nodes : null;
        },
        { what: 'the answer' },
      );
      expect(answered.at(-1)!.text).toMatch(/T1/);
      const job = { description: 'Report T1 of Q0 to Q3.', chipId: 'demo-64' };
      expect(await runJob(app.url, job)).toMatchObject({ status: 'COMPLETED', error: null });
      await app.restart();
      expect(await read()).toEqual(answered);
      const { data } = await post(app.url, '{ jobs { nodes { status description } } }');
      expect(data).toMatchObject({
        jobs: { nodes: [{ status: 'COMPLETED', description: job.description }] },
      });
    } finally {
      await app.stop();
    }
  });

  test.each([
    ['as it is installed', []],
    ['that ignores settings of connections', [IGNORED]],
  ])('is refused behind a PgBouncer in transaction mode %s, with the reason', async (_how, settings) => {
    const url = await postgres.bouncer(['pool_mode = transaction', ...settings]);
    const refused = startOn(url);
    await expect(refused).rejects.toThrow(StartupError);
    await expect(refused).rejects.toThrow(
      /leads to a connection pooler \(such as PgBouncer\).*set DATABASE_URL/,
    );
  });

  test.each([
    ['as it is installed', []],
    ['that ignores settings of connections', [IGNORED]],
  ])(
    'is refused behind a PgBouncer in session mode %s for its settings, not for its sessions',
    async (_how, settings) => {
      const refused = requireOwnSessions(await postgres.bouncer(['pool_mode = session', ...settings]));
      await expect(refused).rejects.toThrow(
        /does not pass on the settings of a connection.*set DATABASE_URL/,
      );
      await expect(refused).rejects.not.toThrow(/no sessions of our own/);
    },
  );

  test('is refused behind one whose sessions have our settings, but are shared', async () => {
    const settings = ['pool_mode = transaction', 'default_pool_size = 1', IGNORED];
    const url = await postgres.bouncer(settings, "connect_query='set lock_timeout = 2001'");
    await expect(requireOwnSessions(url)).rejects.toThrow(/connection pooler/);
  });

  test('is taken without anything in between', async () => {
    await expect(requireOwnSessions(postgres.url)).resolves.toBeUndefined();
  });
}
