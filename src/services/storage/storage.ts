/** How much room each kind of data takes, and the sweeps that bound it. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedNext } from '../../base/shared-next.ts';
import type { Db } from '../../stores/pg/database.ts';
import {
  removeKeptResults,
  removeOldNotes,
  removeOldSessions,
  removeOpenedDrafts,
  removeStepRecords,
} from '../../stores/pg/expired.ts';
import { packEvents } from '../../stores/pg/event-pages.ts';
import { removeOldAudit } from '../../stores/pg/audit-log.ts';
import { removeOldAlerts } from '../../stores/pg/alerts.ts';
import { removeOldDeliveries } from '../../stores/pg/delivery-log.ts';
import { removeUnopenedDrafts } from '../../stores/pg/job-drafts.ts';
import { indexBacklog } from '../../stores/pg/search.ts';
import { tableSizes } from '../../stores/pg/table-sizes.ts';
import { systemCode } from '../../workspace/system-code.ts';
import { removeOrphans } from '../builder/builder-orphans.ts';
import { ALERT_LIMITS } from '../../domain/alerts/alert.ts';
import type { Swept } from '../sweeper.ts';
import type { Uploads } from '../uploads.ts';
import { STORED_KINDS, type Retention, type StoredKind, type StoredKindName } from './kinds.ts';
import { keepOlderReports } from './older-reports.ts';
import type { Workspaces } from './workspaces.ts';

export type StorageDeps = {
  readonly db: Db;
  readonly dataDir: string;
  readonly retention: Retention;
  readonly uploads: Pick<Uploads, 'removeUnused' | 'removeOrphaned'>;
  readonly workspaces: Pick<Workspaces, 'removeForgotten' | 'folder'>;
};

/** The room that one kind takes. */
export type KindSize = {
  readonly kind: StoredKindName;
  readonly bytes: number;
  /** Null: for ever, or until somebody deletes it. */
  readonly keptDays: number | null;
};

/** The room that everything takes. */
export type StorageSizes = {
  readonly kinds: readonly KindSize[];
  /** On the disk of the data folder. */
  readonly freeBytes: number;
};

/** What is stored, for the settings page and the doctor. */
export type Storage = { sizes(): Promise<StorageSizes> };

/** Measures what is stored; callers that ask meanwhile get the next measurement. */
export const createStorage = (deps: Pick<StorageDeps, 'db' | 'dataDir' | 'retention'>): Storage => ({
  sizes: sharedNext(() => measure(deps)),
});

async function measure({
  db,
  dataDir,
  retention,
}: Pick<StorageDeps, 'db' | 'dataDir' | 'retention'>): Promise<StorageSizes> {
  const tables = await tableSizes(db);
  const all = tables.reduce((sum, table) => sum + table.bytes, 0);
  const kinds: KindSize[] = [];
  for (const [kind, { tables: names, entries, period }] of kindEntries()) {
    const inTables = tables.filter((table) => names.some((name) => isOf(table, name)));
    let bytes = inTables.reduce((sum, table) => sum + table.bytes, 0);
    for (const entry of entries) bytes += await bytesBelow(join(dataDir, entry));
    if (kind === 'SYSTEM') bytes -= Math.min(bytes, all); // files of tables are among those of the embedded PostgreSQL
    kinds.push({ kind, bytes, keptDays: typeof period === 'string' ? retention[period] : period });
  }
  const { bavail, bsize } = await statfs(dataDir);
  return { kinds, freeBytes: bavail * bsize };
}

const kindEntries = () => Object.entries(STORED_KINDS) as [StoredKindName, StoredKind][];

/** Whether a table is the one of this name, or one of a whole schema (`schema.*`). */
export const isOf = (
  { schema, name }: { readonly schema: string | null; readonly name: string },
  listed: string,
): boolean => (schema === null ? name === listed : `${schema}.*` === listed);

/** Of all files; what is removed meanwhile counts nothing. */
async function bytesBelow(path: string): Promise<number> {
  const found = await stat(path).catch(nothingIfMissing);
  if (found === null || !found.isDirectory()) return found?.size ?? 0;
  const entries = (await readdir(path, { withFileTypes: true }).catch(nothingIfMissing)) ?? [];
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isDirectory() || entry.isFile()) bytes += await bytesBelow(join(path, entry.name));
  }
  return bytes;
}

function nothingIfMissing(error: unknown): null {
  if (systemCode(error) === 'ENOENT') return null;
  throw error;
}

/** What is removed without being asked, each a batch at a time. */
export function sweepsOf({ db, retention, uploads, workspaces }: StorageDeps): readonly Swept[] {
  const { audit, conversations, jobs, keptResults, stepRecords } = retention;
  const sessions = (kind: 'COPILOT' | 'JOB', days: number) => async (): Promise<number> => {
    const removed = await removeOldSessions(db, { kind, days });
    await uploads.removeOrphaned(removed.flat());
    return removed.length;
  };
  /** Nothing is swept without a period. */
  const after = (days: number | null, what: string, remove: (days: number) => Promise<number>): Swept[] =>
    days === null ? [] : [{ what, removeSome: () => remove(days) }];
  return [
    { what: 'words of older conversations', removeSome: () => indexBacklog(db), done: 'indexed' },
    {
      what: 'words of older reports',
      removeSome: () => keepOlderReports(db, workspaces.folder),
      done: 'indexed',
    },
    ...after(conversations, 'old conversations', (days) => sessions('COPILOT', days)()),
    ...after(conversations, 'old proposed jobs', (days) => removeOpenedDrafts(db, days)),
    ...after(jobs, 'old jobs', (days) => sessions('JOB', days)()),
    ...after(stepRecords, 'records of model calls', (days) => removeStepRecords(db, days)),
    { what: 'rows of quiet logs', removeSome: () => packEvents(db) },
    ...after(audit, 'old records of the audit', (days) => removeOldAudit(db, days)),
    ...after(keptResults, 'kept results', (days) => removeKeptResults(db, days)),
    {
      what: 'workspaces of deleted or old jobs',
      removeSome: () => workspaces.removeForgotten(retention.workspaces),
    },
    { what: 'unused uploads', removeSome: () => uploads.removeUnused() },
    { what: 'proposed jobs that nobody opened', removeSome: () => removeUnopenedDrafts(db) },
    { what: 'abandoned builder sessions', removeSome: () => removeOrphans(db) },
    {
      what: 'old alerts',
      removeSome: () => removeOldAlerts(db, ALERT_LIMITS.keptDays),
    },
    {
      what: 'old messages to destinations',
      removeSome: () =>
        removeOldDeliveries(db, { alertDays: ALERT_LIMITS.keptDays, endedDays: ALERT_LIMITS.endedKeptDays }),
    },
    { what: 'old counters', removeSome: () => removeOldNotes(db) },
  ];
}
