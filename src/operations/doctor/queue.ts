import type { Client } from 'pg';
import { z } from 'zod';
import { JOBS_QUEUE, QUEUE_SCHEMA } from '../../stores/pg/job-queue.ts';
import { findingsOf, type Finding } from './finding.ts';

const counts = z.object({
  waiting: z.number(),
  active: z.number(),
  oldest_minutes: z.number().nullable(),
});

/** An entry that waits longer has nobody who would take it. */
const LONG_WAIT_MINUTES = 10;

const COUNTS = `select count(*) filter (where state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    (extract(epoch from now() - min(created_on) filter (where state in ('created', 'retry'))) / 60)::float8 as oldest_minutes
  from ${QUEUE_SCHEMA}.job where name = $1`;

/** How long the line of jobs is. A server that has never run has no queue yet. */
export async function queueFinding(client: Client): Promise<Finding> {
  const say = findingsOf('queue of jobs');
  const { rows: found } = await client.query<{ is_made: boolean }>(
    'select to_regclass($1) is not null as is_made',
    [`${QUEUE_SCHEMA}.job`],
  );
  if (found[0]?.is_made !== true) return say.ok('not there yet; the server makes it at its first start');
  const { rows } = await client.query(COUNTS, [JOBS_QUEUE]);
  const { waiting, active, oldest_minutes: oldest } = counts.parse(rows[0]);
  const line = `${waiting} waiting, ${active} being worked on`;
  if (oldest === null) return say.ok(line);
  const wait = `${line}; the oldest has waited ${Math.round(oldest)} minutes`;
  return oldest < LONG_WAIT_MINUTES
    ? say.ok(wait)
    : say.problem(wait, 'start workers with npm run worker, or raise JOBS_AT_ONCE of the server');
}
