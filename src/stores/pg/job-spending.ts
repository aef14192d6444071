/** What jobs have used, for display; `job-claims.ts` and the loop enforce the limits of a run. */
import { sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobSpending } from '../../domain/jobs/job.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf, isReadableBy } from './ids.ts';

type Row = {
  readonly id: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly chargedTokens: number;
  readonly costUsd: number | null;
  readonly isEstimated: boolean;
  readonly runTokens: number;
  readonly runPhases: number;
  readonly runSeconds: number;
  readonly rounds: number;
};

/**
 * What the viewer's jobs have used, in the order of `jobIds`; null for what is unknown. `runSeconds` is the time
 * limit of a run: only the deadline is stored, so the start is computed from it.
 */
export async function findJobSpending(
  db: Db,
  viewer: Viewer,
  jobIds: readonly string[],
  runSeconds: number,
): Promise<(JobSpending | null)[]> {
  const { rows } = await sql<Row>`
    select jobs.id, input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens",
      cached_tokens::float8 as "cachedTokens", charged_tokens::float8 as "chargedTokens", cost_usd as "costUsd",
      exists (select from turns where turns.session_id = jobs.session_id and usage ->> 'estimated' = 'true') as "isEstimated",
      (charged_tokens - tokens_before)::float8 as "runTokens",
      greatest(0, coalesce(newest.phase, 0) - phases_before) as "runPhases",
      greatest(0, coalesce(${runSeconds} + extract(epoch from
        case when jobs.status = 'PROCESSING' then clock_timestamp() else newest.finished_at end - deadline_at
      )::float8, 0)) as "runSeconds",
      coalesce((select max((payload::json ->> 'round')::int) from events
        where events.session_id = jobs.session_id and seq > newest.before_seq and turn_id = newest.turn_id
          and type = 'ToolCallStartedEvent'), (
        select tool_rounds from event_pages where event_pages.session_id = jobs.session_id
          and turn_ids[cardinality(turn_ids)] = newest.turn_id order by last_seq desc limit 1), 0) as "rounds"
    from jobs join sessions on sessions.id = jobs.session_id
    left join lateral (
      select turn_id, phase, before_seq, turns.finished_at from job_turns join turns on turns.id = turn_id
      where job_id = jobs.id order by number desc limit 1
    ) newest on true
    where ${isOneOf('jobs.id', jobIds)} and ${isReadableBy(viewer, 'jobs', 'jobs.session_id')}
  `.execute(db);
  return inOrder(jobIds, rows).map((row) => row && spendingOf(row));
}

const spendingOf = ({ runTokens, runPhases, runSeconds, rounds, id: _id, ...used }: Row): JobSpending => ({
  usage: { ...used, totalTokens: used.inputTokens + used.outputTokens },
  run: { tokens: runTokens, phases: runPhases, seconds: runSeconds, rounds },
});

/** The newest report that each of the viewer's jobs named, in the order of `jobIds`: its path in the workspace. */
export async function findReportPaths(
  db: Db,
  viewer: Viewer,
  jobIds: readonly string[],
): Promise<(string | null)[]> {
  const { rows } = await sql<{ readonly id: string; readonly path: string }>`
    select distinct on (jobs.id) jobs.id, decision ->> 'reportPath' as path
    from jobs join job_turns on job_id = jobs.id join turns on turns.id = turn_id
    where ${isOneOf('jobs.id', jobIds)} and decision ->> 'reportPath' is not null and ${isReadableBy(viewer, 'jobs', 'jobs.session_id')}
    order by jobs.id, number desc
  `.execute(db);
  return inOrder(jobIds, rows).map((row) => row?.path ?? null);
}
