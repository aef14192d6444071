/**
 * Messages about turns and jobs that end: rows of the statement that ends them, so none is lost and none is made twice.
 * Where no destination of the project wants them, nothing is made.
 */
import { sql } from 'kysely';
import type { DestinationEvent } from '../../domain/alerts/destination.ts';

/** SQL that inserts one delivery per subscribed destination for each row of the CTE `ended`; `facts`: an {@link EndedWork} as SQL. */
const deliveriesOf = (about: DestinationEvent, facts: string) => `
  insert into alert_deliveries
    (id, project_id, destination_id, about, ended, state, attempts, next_at, created_at)
  select gen_random_uuid(), d.project_id, d.id, '${about}', ${facts}, 'WAITING', 0, clock_timestamp(), clock_timestamp()
  from ended join sessions s on s.id = ended.session_id
    join alert_destinations d
      on d.project_id = ended.project_id and d.disabled_at is null and '${about}' = any(d.events)`;

const SHARED_FACTS = `'conversationId', ended.session_id, 'status', ended.status, 'errorCode', ended.error ->> 'code',
  'createdAt', ended.created_at, 'startedAt', ended.started_at`;

/** Of rows of `turns`; phases are left to the message of their job. */
export const TURN_DELIVERIES = sql.raw(
  `${deliveriesOf(
    'TURN_ENDED',
    `json_build_object(${SHARED_FACTS}, 'turnId', ended.id, 'kind', s.kind, 'finishedAt', ended.finished_at,
    'model', ended.usage ->> 'model', 'usage', ended.usage)`,
  )} where s.kind <> 'JOB'`,
);

/** Of rows of `jobs`. One that awaits a review has ended its run, too. */
export const JOB_DELIVERIES = sql.raw(
  deliveriesOf(
    'JOB_ENDED',
    `json_build_object(${SHARED_FACTS}, 'jobId', ended.id, 'run', ended.run, 'expertId', ended.expert_id,
      'chipId', ended.chip_id, 'finishedAt', coalesce(ended.finished_at, now()),
      'model', (select usage ->> 'model' from turns
        where session_id = ended.session_id and usage is not null order by number desc limit 1),
      'usage', case when s.input_tokens + s.output_tokens > 0 then json_build_object(
        'inputTokens', s.input_tokens, 'outputTokens', s.output_tokens, 'cachedTokens', s.cached_tokens,
        'totalTokens', s.input_tokens + s.output_tokens, 'costUsd', s.cost_usd) end)`,
  ),
);
