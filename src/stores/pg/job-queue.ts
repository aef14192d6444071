/**
 * The queue of jobs: pg-boss, in our own Postgres under a schema of its own. It decides which worker takes a job;
 * it does not know what the work is.
 *
 * Why pg-boss and not graphile-worker: each job comes with an AbortSignal that fires when it is given to another
 * worker; a job is queued inside our own transaction, so jobs and entries always match; and LISTEN/NOTIFY wakes a
 * worker at once, with polling as a fallback. It reconnects after an outage of Postgres.
 *
 * Lost workers are noticed by our own sweep: pg-boss takes no heartbeat shorter than ten seconds, knows no process, and
 * would count an outage of Postgres as the loss of every worker.
 *
 * An entry names a job and its run. The entry of a worker that dies is given to another worker once; after that
 * it moves to the queue of lost entries, and the worker there fails the job.
 */
import { sql } from 'kysely';
import { fromKysely, type Job as Entry, PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import { isProcessGone } from '../../base/process-identity.ts';
import { connectionSettings, transact, type ConnectionLimits, type Db, type Tx } from './database.ts';
import { isUnavailable } from './unavailable.ts';

/** Name of the schema that pg-boss keeps its tables in. */
export const QUEUE_SCHEMA = 'qpilot_queue';
/** Entries that wait or are in progress. */
export const JOBS_QUEUE = 'jobs';
/** Entries that lost their worker too often. */
const LOST_QUEUE = 'jobs-lost';

const entryData = z.object({ jobId: z.uuid(), run: z.int() });
/** The content of an entry: which run of which job. */
export type QueuedRun = z.infer<typeof entryData>;

/** Times of the queue, in seconds. */
export type QueueTimes = {
  readonly heartbeatSeconds: number;
  /** A worker whose heartbeat is as old is lost. */
  readonly lostSeconds: number;
  /** Between polls for entries; the entry of a lost worker causes no wake-up. */
  readonly pollSeconds: number;
};

/** As the leases of turns. */
const DEFAULT_TIMES: QueueTimes = { heartbeatSeconds: 0.8, lostSeconds: 3.5, pollSeconds: 1 };

/** Of its connections. Servers that start at once make its tables one after the other, so they may wait for longer. */
const LIMITS: ConnectionLimits = { lockMs: 10_000, idleMs: 2_000, statementMs: 20_000, answerMs: 25_000 };

/** Longer than any run may take; a lost worker is noticed long before. */
const EXPIRE_SECONDS = 12 * 3600;
/** An entry waits for its worker as long as its job does: pg-boss would drop it after two weeks. */
const WAIT_SECONDS = 10 * 365 * 86_400;
/** What an ended entry is good for is in its job. */
const KEPT_SECONDS = 86_400;

/** Works on an entry; `signal` fires when it is given to another worker. */
export type HandleRun = (run: QueuedRun, signal: AbortSignal) => Promise<void>;

/** The queue as one process uses it. */
export type JobQueue = Awaited<ReturnType<typeof openJobQueue>>;

/** Opens the queue; creates or updates its tables. The caller closes it. */
export async function openJobQueue(options: {
  readonly url: string;
  readonly log: Logger;
  readonly times?: Partial<QueueTimes>;
  readonly limits?: Partial<ConnectionLimits>;
}) {
  const { log } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const boss = new PgBoss({
    ...connectionSettings(options.url, { ...LIMITS, ...options.limits }),
    application_name: 'qpilot queue',
    schema: QUEUE_SCHEMA,
    max: 4,
    schedule: false,
    useListenNotify: true,
  });
  boss.on('error', (error) => {
    if (isUnavailable(error)) log.warn({ err: error }, 'the job queue cannot reach Postgres');
    else log.error({ err: error }, 'the job queue failed');
  });
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue is slow'));
  await boss.start();
  const kept = { notify: true, retentionSeconds: WAIT_SECONDS, deleteAfterSeconds: KEPT_SECONDS };
  const lost = { ...kept, retryLimit: 20, retryDelay: 5 };
  const settings = {
    ...kept,
    retryLimit: 1,
    retryDelay: 0,
    heartbeatSeconds: EXPIRE_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deadLetter: LOST_QUEUE,
  };
  for (const [name, how] of [[LOST_QUEUE, lost] as const, [JOBS_QUEUE, settings] as const]) {
    await boss.createQueue(name, how);
    await boss.updateQueue(name, how); // where an older version of ours made it
  }
  const busy = new Set<Promise<void>>();
  const handleEntry = async (entry: Entry<QueuedRun> | undefined, handle: HandleRun): Promise<void> => {
    if (entry === undefined) return;
    const work = handle(entryData.parse(entry.data), entry.signal);
    busy.add(work);
    await work.finally(() => busy.delete(work));
  };
  return {
    /** Enqueues a run; it is visible once the transaction commits. */
    async put(tx: Tx, run: QueuedRun): Promise<void> {
      await boss.send(JOBS_QUEUE, run, { db: fromKysely(tx) });
    },
    /** Works on up to `concurrency` entries at once. A rejection counts as a lost worker. */
    async work(concurrency: number, handle: HandleRun): Promise<void> {
      await boss.work<QueuedRun>(
        JOBS_QUEUE,
        {
          localConcurrency: concurrency,
          pollingIntervalSeconds: times.pollSeconds,
          notifyPollingIntervalSeconds: times.pollSeconds,
          heartbeatRefreshSeconds: times.heartbeatSeconds,
        },
        ([entry]) => handleEntry(entry, handle),
      );
    },
    /**
     * Takes entries from lost workers: those whose process is gone and, if others `couldRenew`, those whose heartbeat is
     * too old.
     */
    async takeFromLost(db: Db, couldRenew: boolean): Promise<void> {
      const held = await heldEntries(db, times.lostSeconds);
      for (const { id, worker, attempt, isLate } of held) {
        if (!(worker !== null && isProcessGone(worker)) && !(isLate && couldRenew)) continue;
        await transact(db, async (tx) => {
          if (!(await lockAttempt(tx, { id, attempt }))) return;
          await boss.fail(JOBS_QUEUE, id, { message: 'its worker was lost' }, { db: fromKysely(tx) });
          log.warn({ entryId: id, worker }, 'took a job from a worker that was lost');
        });
      }
    },
    /** Handles entries that lost too many workers. */
    async workOnLost(handle: HandleRun): Promise<void> {
      await boss.work<QueuedRun>(LOST_QUEUE, { pollingIntervalSeconds: 10 }, ([entry]) =>
        handleEntry(entry, handle),
      );
    },
    /** Takes no more entries; those in progress go on. */
    async takeNoMore(): Promise<void> {
      await Promise.all([
        boss.offWork(JOBS_QUEUE, { wait: false }),
        boss.offWork(LOST_QUEUE, { wait: false }),
      ]);
    },
    /** Waits for the entries in progress, which the worker brings to an end, and closes the connections. */
    async close(): Promise<void> {
      await Promise.allSettled(busy);
      await boss.stop({ graceful: true, timeout: CLOSE_MS });
    },
  };
}

/** An entry that a worker holds; `attempt` counts its workers. `worker`: the process, once it has claimed the job. */
type HeldEntry = {
  readonly id: string;
  readonly attempt: number;
  readonly worker: string | null;
  readonly isLate: boolean;
};

const ENTRIES = sql.table(`${QUEUE_SCHEMA}.job`);

/** Nobody could send a heartbeat in the first moments of a Postgres that started anew. */
async function heldEntries(db: Db, lostSeconds: number): Promise<readonly HeldEntry[]> {
  const { rows } = await sql<HeldEntry>`
    select entry.id, entry.retry_count as attempt,
      case when jobs.claimed_at >= entry.started_on then jobs.worker end as worker,
      greatest(entry.heartbeat_on, pg_postmaster_start_time()) < now() - ${lostSeconds} * interval '1 second'
        as "isLate"
    from ${ENTRIES} as entry left join jobs on jobs.id = (entry.data ->> 'jobId')::uuid
    where entry.name = ${JOBS_QUEUE} and entry.state = 'active'`.execute(db);
  return rows;
}

/** Whether the entry is still at this attempt; it then stays so until the transaction ends. */
async function lockAttempt(tx: Tx, { id, attempt }: Pick<HeldEntry, 'id' | 'attempt'>): Promise<boolean> {
  const { rows } = await sql`
    select from ${ENTRIES}
    where name = ${JOBS_QUEUE} and id = ${id} and state = 'active' and retry_count = ${attempt}
    for update skip locked`.execute(tx);
  return rows.length > 0;
}

/** How long marking an entry as done may take after its worker has returned. */
const CLOSE_MS = 5_000;
