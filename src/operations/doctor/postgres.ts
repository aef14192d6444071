import { Client } from 'pg';
import { z } from 'zod';
import { clockFinding } from './clock.ts';
import { JOBS_QUEUE, QUEUE_SCHEMA } from '../../stores/pg/job-queue.ts';
import { findingsOf, type Finding } from './finding.ts';

/** Older versions are out of support and untested. */
const OLDEST_POSTGRES = 14;
const TIMEOUT_MS = 5_000;

const facts = z.object({
  version: z.string(),
  clock: z.date(),
  may_make_tables: z.boolean(),
  migrations: z.string().nullable(),
  room: z.int(),
  used: z.int(),
});

/** to_regclass returns null instead of failing. */
const FACTS = `
  select current_setting('server_version') as version,
         clock_timestamp() as clock,
         coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_make_tables,
         to_regclass('kysely_migration')::text as migrations,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room,
         (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`;

/** Examines the conversation database: connection, version, clock, permissions, job queue. Read-only. */
export async function postgresFindings(url: string, poolSize: number): Promise<readonly Finding[]> {
  const report = findingsOf('conversations (PostgreSQL)');
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // An unhandled 'error' event, emitted when an idle connection breaks, would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return [
      report.problem(
        `connection failed: ${reasonOf(error)}`,
        'check DATABASE_URL, and that the server is running',
      ),
    ];
  }
  try {
    const read = async () => facts.parse((await client.query(FACTS)).rows[0]);
    const { version, may_make_tables: mayMakeTables, migrations, room, used } = await read();
    const isOld = Number.parseInt(version, 10) < OLDEST_POSTGRES;
    return [
      isOld
        ? report.problem(
            `version ${version}`,
            `QPilot needs PostgreSQL ${OLDEST_POSTGRES} or later: upgrade that server`,
          )
        : report.ok(`version ${version}`),
      connectionsFinding({ poolSize, room, used }),
      await clockFinding(report, async () => (await read()).clock),
      await tablesFinding(client, { mayMakeTables, isMigrated: migrations !== null }),
      await queueFinding(client),
    ];
  } finally {
    await client.end();
  }
}

/** Of each process besides its pool: the job queue 4, leases 1, wake-ups 1. */
const OTHER_CONNECTIONS = 6;

function connectionsFinding({ poolSize, room, used }: Record<'poolSize' | 'room' | 'used', number>): Finding {
  const report = findingsOf('conversations (PostgreSQL)');
  const each = poolSize + OTHER_CONNECTIONS;
  const text = `each process uses up to ${each} connections (DATABASE_CONNECTIONS ${poolSize}, and ${OTHER_CONNECTIONS} more); the server takes ${room}, ${used} are in use`;
  return each > room
    ? report.problem(text, 'raise max_connections of the server, or lower DATABASE_CONNECTIONS')
    : report.ok(text);
}

async function tablesFinding(
  client: Client,
  { mayMakeTables, isMigrated }: { readonly mayMakeTables: boolean; readonly isMigrated: boolean },
): Promise<Finding> {
  const report = findingsOf('conversations (PostgreSQL)');
  if (!mayMakeTables) {
    return report.problem(
      'the user of DATABASE_URL may not create tables',
      'grant it CREATE on the schema: the server creates and updates its tables at start',
    );
  }
  if (!isMigrated) return report.ok('no QPilot tables yet; the first start creates them');
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name desc',
  );
  return report.ok(`${rows.length} migrations applied, the last is ${rows[0]?.name ?? 'none'}`);
}

/** Never contains the address. */
function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  switch (code) {
    case '28P01':
    case '28000':
      return 'wrong user or password';
    case '3D000':
      return 'the database does not exist';
    default:
      return `no answer${code === '' ? '' : ` (${code})`}`;
  }
}

const queueCounts = z.object({
  waiting: z.number(),
  active: z.number(),
  oldest_minutes: z.number().nullable(),
});

/** A job that waits longer has no worker. */
const LONG_WAIT_MINUTES = 10;

const QUEUE_COUNTS = `select count(*) filter (where state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    (extract(epoch from now() - min(created_on) filter (where state in ('created', 'retry'))) / 60)::float8 as oldest_minutes
  from ${QUEUE_SCHEMA}.job where name = $1`;

/** Length of the job queue, which exists after the first start of a server. */
async function queueFinding(client: Client): Promise<Finding> {
  const report = findingsOf('job queue');
  const { rows: found } = await client.query<{ is_made: boolean }>(
    'select to_regclass($1) is not null as is_made',
    [`${QUEUE_SCHEMA}.job`],
  );
  if (found[0]?.is_made !== true) return report.ok('does not exist yet; the first start creates it');
  const { rows } = await client.query(QUEUE_COUNTS, [JOBS_QUEUE]);
  const { waiting, active, oldest_minutes: oldest } = queueCounts.parse(rows[0]);
  const line = `${waiting} waiting, ${active} in progress`;
  if (oldest === null) return report.ok(line);
  const wait = `${line}; the oldest has waited ${Math.round(oldest)} minutes`;
  return oldest < LONG_WAIT_MINUTES
    ? report.ok(wait)
    : report.problem(wait, 'start workers with npm run worker, or raise JOBS_AT_ONCE on the server');
}
