import { type Selectable, sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { AttachedDatasource, Job, JobStatus } from '../../domain/jobs/job.ts';
import { noteIds } from './audited-act.ts';
import type { Db, Tx } from './database.ts';
import { notify } from './events.ts';
import { inGroups, inOrder, inOrderOf, isOf, isOneOf, isOwnedBy, isReadableBy, type Whose } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** Channel of wake-ups for changed jobs; the payload is the project's id. */
export const JOBS_CHANNEL = 'qpilot_jobs';

/** A job to be stored; its session exists. */
export type NewJob = Omit<
  Job,
  'status' | 'error' | 'reviewNote' | 'reviewCall' | 'run' | 'createdAt' | 'startedAt' | 'finishedAt'
> & {
  readonly idempotencyKey: string;
  readonly requestHash: string;
  readonly datasources: readonly AttachedDatasource[];
};

/** Stores a job that waits for its first worker. */
export async function insertJob(tx: Tx, job: NewJob): Promise<Job> {
  const { datasources, configOverride, resolvedConfig, context, ...fields } = job;
  noteIds({ jobId: job.id });
  const row = await tx
    .insertInto('jobs')
    .values({
      ...snakeKeys(fields),
      config_override: configOverride && JSON.stringify(configOverride),
      resolved_config: JSON.stringify(resolvedConfig),
      context: context && JSON.stringify(context),
      status: 'CREATED',
    })
    .returning(JOB_COLUMNS)
    .executeTakeFirstOrThrow();
  for (const [position, datasource] of datasources.entries()) {
    await tx
      .insertInto('job_datasources')
      .values({ job_id: job.id, position, snapshot: JSON.stringify(datasource) })
      .execute();
  }
  await notify(tx, JOBS_CHANNEL, job.projectId);
  return rowToJob(row);
}

/** Jobs that the viewer may read, in the order of `ids`. */
export async function findJobs(db: Db, viewer: Viewer, ids: readonly string[]): Promise<(Job | null)[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(JOB_COLUMNS)
    .where(isOneOf('id', ids))
    .where(isReadableBy(viewer, 'jobs', 'jobs.session_id'))
    .execute();
  return inOrder(ids, rows.map(rowToJob));
}

/** Jobs that the viewer may read by their sessions; null for other sessions. */
export async function findJobsOfSessions(
  db: Db,
  viewer: Viewer,
  sessionIds: readonly string[],
): Promise<(Job | null)[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(JOB_COLUMNS)
    .where(isOneOf('session_id', sessionIds))
    .where(isReadableBy(viewer, 'jobs', 'jobs.session_id'))
    .execute();
  return inOrderOf(sessionIds, rows.map(rowToJob), ({ sessionId }) => sessionId);
}

/** A job of the viewer; null for one of others. */
export async function findOwnJob(db: Db, viewer: Viewer, id: string): Promise<Job | null> {
  const row = await ofViewer(db, viewer)
    .where(isOneOf('id', [id]))
    .executeTakeFirst();
  return row ? rowToJob(row) : null;
}

/** The viewer's job with this idempotency key, and the hash of the request that created it. */
export async function findJobByKey(
  db: Db,
  viewer: Viewer,
  key: string,
): Promise<{ readonly job: Job; readonly requestHash: string } | null> {
  const row = await ofViewer(db, viewer)
    .select('request_hash')
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row ? { job: rowToJob(row), requestHash: row.request_hash } : null;
}

/** How many jobs of the viewer are waiting or in progress. */
export async function countOpenJobs(db: Db, viewer: Viewer): Promise<number> {
  const { open } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<string>().as('open'))
    .where(isOwnedBy(viewer))
    .where('status', 'in', ['CREATED', 'PROCESSING'])
    .executeTakeFirstOrThrow();
  return Number(open);
}

/** Where a page of jobs continues: after the one with these values. */
export type JobPosition = { readonly createdAt: Date; readonly id: string };

/** Up to `limit` jobs, newest first; `statuses` null: of any. */
export async function listJobs(
  db: Db,
  viewer: Viewer,
  page: {
    readonly whose?: Whose;
    readonly limit: number;
    readonly after: JobPosition | null;
    readonly statuses: readonly JobStatus[] | null;
  },
): Promise<Job[]> {
  const jobs =
    (page.whose ?? 'own') === 'own'
      ? ofViewer(db, viewer)
      : db
          .selectFrom('jobs')
          .select(JOB_COLUMNS)
          .where(
            sql<boolean>`session_id in (
              select id from sessions where kind = 'JOB' and ${isOf(viewer, 'shared', 'sessions')})`,
          );
  let query = jobs.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(page.limit);
  if (page.statuses) query = query.where('status', 'in', [...page.statuses]);
  if (page.after) {
    const { createdAt, id } = page.after;
    query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(createdAt, id)));
  }
  return (await query.execute()).map(rowToJob);
}

/** A snapshot of a job; `mark` changes whenever the job does. */
export type MarkedJob = { readonly job: Job; readonly mark: string };

/** How far back {@link listChangedJobs} looks; longer than any transaction that changes a job. */
const CHANGED_WITHIN = sql`interval '2 minutes'`;

/** The viewer's recently changed jobs, the latest change last. */
export async function listChangedJobs(db: Db, viewer: Viewer): Promise<MarkedJob[]> {
  const rows = await ofViewer(db, viewer)
    .select(sql<string>`changed_at::text`.as('mark'))
    .where('changed_at', '>', sql<Date>`clock_timestamp() - ${CHANGED_WITHIN}`)
    .orderBy('changed_at')
    .execute();
  return rows.map((row) => ({ job: rowToJob(row), mark: `${row.mark} ${row.status}` }));
}

/** The data sources of the viewer's jobs, in the order of `jobIds`. */
export async function findJobDatasources(
  db: Db,
  viewer: Viewer,
  jobIds: readonly string[],
): Promise<(readonly AttachedDatasource[])[]> {
  const rows = await db
    .selectFrom('job_datasources')
    .innerJoin('jobs', 'jobs.id', 'job_id')
    .select(['job_id', 'snapshot'])
    .where(isOneOf('job_id', jobIds))
    .where(isReadableBy(viewer, 'jobs', 'jobs.session_id'))
    .orderBy('position')
    .execute();
  const groups = inGroups(jobIds, rows, (row) => row.job_id);
  return groups.map((group) => group.map(({ snapshot }) => snapshot));
}

/** Columns of a job, without what only workers need. */
export const JOB_COLUMNS = [
  'id',
  'session_id',
  'project_id',
  'viewer_id',
  'expert_id',
  'expert_hash',
  'description',
  'instructions',
  'instructions_source',
  'config_override',
  'resolved_config',
  'chip_id',
  'context',
  'status',
  'error',
  'review_note',
  'review_call',
  'run',
  'created_at',
  'started_at',
  'finished_at',
] as const;

const ofViewer = (db: Db, viewer: Viewer) =>
  db.selectFrom('jobs').select(JOB_COLUMNS).where(isOwnedBy(viewer));

/** A row as a domain object. */
export function rowToJob(row: Pick<Selectable<Database['jobs']>, (typeof JOB_COLUMNS)[number]>): Job {
  return camelKeys(Object.fromEntries(JOB_COLUMNS.map((column) => [column, row[column]])) as typeof row);
}
