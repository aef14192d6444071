import { Client } from 'pg';
import { z } from 'zod';
import { clockFinding } from './clock.ts';
import { queueFinding } from './queue.ts';
import { findingsOf, type Finding } from './finding.ts';

/** Older ones are out of support and were never tried. */
const OLDEST_POSTGRES = 14;
const TIMEOUT_MS = 5_000;

const facts = z.object({
  version: z.string(),
  clock: z.date(),
  may_make_tables: z.boolean(),
  migrations: z.string().nullable(),
});

/** What is asked of Postgres; to_regclass finds nothing without an error. */
const FACTS = `
  select current_setting('server_version') as version,
         clock_timestamp() as clock,
         coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_make_tables,
         to_regclass('kysely_migration')::text as migrations`;

/** Where conversations are kept: whether it answers, is new enough, agrees on the time, and may be written to. Reads only. */
export async function postgresFindings(url: string): Promise<readonly Finding[]> {
  const say = findingsOf('conversations (PostgreSQL)');
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A connection that breaks while nothing runs says so by an event, and an event that nobody hears ends the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return [
      say.problem(`it cannot be used: ${reasonOf(error)}`, 'check DATABASE_URL, and that the server runs'),
    ];
  }
  try {
    const read = async () => facts.parse((await client.query(FACTS)).rows[0]);
    const { version, may_make_tables: mayMakeTables, migrations } = await read();
    const isOld = Number.parseInt(version, 10) < OLDEST_POSTGRES;
    return [
      isOld
        ? say.problem(
            `version ${version}`,
            `QPilot needs PostgreSQL ${OLDEST_POSTGRES} or later: upgrade that server`,
          )
        : say.ok(`version ${version}`),
      await clockFinding(say, async () => (await read()).clock),
      await tablesFinding(client, { mayMakeTables, isMigrated: migrations !== null }),
      await queueFinding(client),
    ];
  } finally {
    await client.end();
  }
}

async function tablesFinding(
  client: Client,
  { mayMakeTables, isMigrated }: { readonly mayMakeTables: boolean; readonly isMigrated: boolean },
): Promise<Finding> {
  const say = findingsOf('conversations (PostgreSQL)');
  if (!mayMakeTables) {
    return say.problem(
      'the user of DATABASE_URL may not make tables',
      'grant it CREATE on the schema: the server makes and updates its own tables at start',
    );
  }
  if (!isMigrated) return say.ok('no tables of QPilot yet; the server makes them at its first start');
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name desc',
  );
  return say.ok(`${rows.length} migrations applied, the last is ${rows[0]?.name ?? 'none'}`);
}

/** In words without the address: those of the server name users and databases, never passwords. */
function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  switch (code) {
    case '28P01':
    case '28000':
      return 'it refuses the user or the password';
    case '3D000':
      return 'there is no database of that name';
    default:
      return `nothing answers${code === '' ? '' : ` (${code})`}`;
  }
}
