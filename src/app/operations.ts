/** What a process shows of itself to who runs it: whether it is ready, and its metrics. */
import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { DiskFullError } from '../base/errors.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import type { Logger } from '../base/log.ts';
import { createGauges } from '../base/metrics.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import type { Config } from '../config/config.ts';
import { probe, type HealthCheck } from '../server/health.ts';
import { startOperationsServer, type OperationsServer, type Shown } from '../server/operations-server.ts';
import { isMigrated } from '../stores/pg/migrate.ts';
import { OPEN_JOBS, countWaiting } from '../stores/pg/waiting-work.ts';
import type { Infrastructure } from './stores.ts';
import type { Worker } from './worker.ts';

/** Opens the port for metrics and probes where the configuration has one; `resources` closes it. */
export async function openOperations(
  { metrics }: Config,
  log: Logger,
  resources: ResourceStack,
): Promise<OperationsServer | null> {
  if (metrics === null) return null;
  const server = await startOperationsServer({ ...metrics, log });
  resources.defer(() => server.close());
  return server;
}

/** What new work needs. A full disk is no reason to turn requests away: what is stored can still be read. */
export const readyChecks = (
  infrastructure: Pick<Infrastructure, 'mongo' | 'database'>,
  stopping: AbortSignal,
): Readonly<Record<string, HealthCheck>> => ({
  ...storeChecks(infrastructure),
  migrations: async () => {
    if (!(await isMigrated(infrastructure.database.db))) throw new Error('tables are missing');
  },
  draining: async () => stopping.throwIfAborted(),
});

const storeChecks = ({ mongo, database }: Pick<Infrastructure, 'mongo' | 'database'>) => ({
  mongo: (signal: AbortSignal) => mongo.command({ ping: 1 }, { signal }),
  postgres: () => sql`select 1`.execute(database.db),
});

/** Sets every gauge. What cannot be read now is left out of the scrape; the store that fails is shown as such. */
export function measuresOf(
  infrastructure: Infrastructure,
  { runner, answering, eventLog }: Pick<Worker, 'runner' | 'answering' | 'eventLog'>,
  sockets: () => number,
): Pick<Shown, 'measure' | 'gauges'> {
  const gauges = createGauges();
  const measure = async (): Promise<void> => {
    const { database, log } = infrastructure;
    const { sandbox } = answering.deps;
    gauges.turnsRunning.set(runner.running);
    gauges.subscriptions.set(eventLog.followers);
    gauges.sockets.set(sockets());
    const { totalCount, idleCount, waitingCount } = database.pool;
    gauges.postgresConnections.set({ state: 'idle' }, idleCount);
    gauges.postgresConnections.set({ state: 'busy' }, totalCount - idleCount);
    gauges.postgresWaiting.set(waitingCount);
    const tries = [
      async () => {
        for (const [store, state] of Object.entries(await probe(storeChecks(infrastructure)))) {
          gauges.storeUp.set({ store }, state === 'ok' ? 1 : 0);
        }
      },
      async () => {
        gauges.turnsWaiting.reset();
        gauges.jobs.reset();
        const { turns, jobs } = await countWaiting(database.db);
        gauges.turnsWaiting.set(turns);
        for (const status of OPEN_JOBS) gauges.jobs.set({ status }, jobs[status] ?? 0);
      },
      async () => {
        const load = await sandbox.load();
        gauges.sandboxProcesses.set({ state: 'warm' }, load?.warm ?? 0);
        gauges.sandboxProcesses.set({ state: 'busy' }, load?.busy ?? 0);
        gauges.sandboxWaiting.set(load?.waiting ?? 0);
        gauges.sandboxRefused.set(load?.refused ?? 0);
      },
    ];
    const failures = (await Promise.allSettled(tries.map((attempt) => attempt()))).flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    for (const error of failures) log.debug({ err: error }, 'a gauge could not be read');
  };
  return { measure, gauges: gauges.registry };
}

/** Below it, nothing that an answer keeps is sure of its place. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/** Rejects while the disk of the data folder, or that of Postgres, has no room. */
export async function requireRoom(
  dataDir: string,
  database: Pick<OpenDatabase, 'isDiskFull'>,
): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir).catch(() => ({ bavail: 1, bsize: LEAST_FREE_BYTES })); // not made yet
  if (database.isDiskFull() || bavail * bsize < LEAST_FREE_BYTES) throw new DiskFullError();
}
