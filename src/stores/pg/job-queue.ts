/**
 * The queue of jobs: pg-boss, in our own Postgres under a schema of its own. It decides who takes a job and notices when
 * that one is gone; what working on a job means, it does not know.
 *
 * Why pg-boss and not graphile-worker: a lost worker is noticed by missed heartbeats within seconds, where
 * graphile-worker frees a job four hours after it was locked; each job comes with an AbortSignal that fires when it was
 * taken away; a job is put in line inside our own transaction, so that none is queued that does not exist and none exists that is not
 * queued; and LISTEN/NOTIFY wakes a worker at once, with polling behind it where a wake-up is lost. It opens connections again after
 * Postgres was away.
 *
 * An entry names a job and its run. A worker that dies loses its entry, which is given to another one once; then it goes
 * to the queue of lost entries, whose worker fails the job.
 */
import { fromKysely, type Job as Entry, PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import type { Tx } from './database.ts';
import { isUnavailable } from './unavailable.ts';

/** Name of the schema that pg-boss keeps its tables in. */
export const QUEUE_SCHEMA = 'qpilot_queue';
/** Entries that wait or are being worked on. */
export const JOBS_QUEUE = 'jobs';
/** Entries whose workers were lost too often. */
const LOST_QUEUE = 'jobs-lost';

const entryData = z.object({ jobId: z.uuid(), run: z.int() });
/** What an entry says: which run of which job. */
export type QueuedRun = z.infer<typeof entryData>;

/** Times of the queue, in seconds; pg-boss takes no shorter heartbeat than ten. */
export type QueueTimes = {
  readonly heartbeatSeconds: number;
  /** Between looks for workers that are gone. */
  readonly superviseSeconds: number;
  /** Between looks for entries, behind the wake-ups; nobody is woken for one that a lost worker left. */
  readonly pollSeconds: number;
};

const DEFAULT_TIMES: QueueTimes = { heartbeatSeconds: 10, superviseSeconds: 5, pollSeconds: 2 };

/** Longer than any run may take; a heartbeat tells of a lost worker long before. */
const EXPIRE_SECONDS = 12 * 3600;

/** Works on an entry; `signal` fires when it was given to another worker. */
export type HandleRun = (run: QueuedRun, signal: AbortSignal) => Promise<void>;

/** The queue as one process uses it. */
export type JobQueue = Awaited<ReturnType<typeof openJobQueue>>;

/** Opens the queue; creates or updates its tables. The caller closes it. */
export async function openJobQueue(options: {
  readonly url: string;
  readonly log: Logger;
  readonly times?: Partial<QueueTimes>;
}) {
  const { log } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: 'qpilot queue',
    schema: QUEUE_SCHEMA,
    max: 4,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: times.superviseSeconds,
    monitorIntervalSeconds: times.superviseSeconds,
  });
  boss.on('error', (error) => {
    if (isUnavailable(error)) log.warn({ err: error }, 'Postgres is away from the queue of jobs');
    else log.error({ err: error }, 'the queue of jobs failed');
  });
  boss.on('warning', (warning) => log.warn({ warning }, 'the queue of jobs is slow'));
  await boss.start();
  await boss.createQueue(LOST_QUEUE, { notify: true, retryLimit: 20, retryDelay: 5 });
  const settings = {
    notify: true,
    retryLimit: 1,
    retryDelay: 0,
    heartbeatSeconds: times.heartbeatSeconds,
    expireInSeconds: EXPIRE_SECONDS,
    deadLetter: LOST_QUEUE,
  };
  await boss.createQueue(JOBS_QUEUE, settings);
  await boss.updateQueue(JOBS_QUEUE, settings); // where an older version of ours made it
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
          heartbeatRefreshSeconds: times.heartbeatSeconds / 4,
        },
        ([entry]) => handleEntry(entry, handle),
      );
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

/** How long an entry may take to be told as done once the worker has let go of it. */
const CLOSE_MS = 5_000;
