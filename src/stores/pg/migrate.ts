import { type Migration, Migrator } from 'kysely/migration';
import { StartupError } from '../../base/errors.ts';
import type { Db } from './database.ts';
import * as sessions from './migrations/20261121-1-sessions.ts';
import * as liveCalls from './migrations/20261121-2-live-calls.ts';
import * as uploads from './migrations/20261121-3-uploads.ts';
import * as branches from './migrations/20261122-1-branches.ts';
import * as ratings from './migrations/20261122-2-ratings.ts';
import * as deletions from './migrations/20261122-3-deletions.ts';
import * as assessments from './migrations/20261122-4-assessments.ts';
import * as keptFreshness from './migrations/20261122-5-kept-freshness.ts';
import * as tokenUsage from './migrations/20261122-6-token-usage.ts';
import * as messageImages from './migrations/20261122-7-message-images.ts';
import * as summaries from './migrations/20261122-8-summaries.ts';
import * as stepRecords from './migrations/20261122-9-step-records.ts';
import * as dailyUploads from './migrations/20261123-1-daily-uploads.ts';
import * as turnTraces from './migrations/20261123-2-turn-traces.ts';
import * as builder from './migrations/20261124-1-builder.ts';
import * as savedExperts from './migrations/20261125-1-saved-experts.ts';
import * as jobs from './migrations/20261126-1-jobs.ts';
import * as jobDrafts from './migrations/20261127-1-job-drafts.ts';
import * as turnNotices from './migrations/20261128-1-turn-notices.ts';
import * as openedDrafts from './migrations/20261128-2-opened-drafts.ts';
import * as turnAsOf from './migrations/20261128-3-turn-as-of.ts';

/** In order of their names; a migration that was released is never edited, the next one mends it. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '20261121-1-sessions': sessions,
  '20261121-2-live-calls': liveCalls,
  '20261121-3-uploads': uploads,
  '20261122-1-branches': branches,
  '20261122-2-ratings': ratings,
  '20261122-3-deletions': deletions,
  '20261122-4-assessments': assessments,
  '20261122-5-kept-freshness': keptFreshness,
  '20261122-6-token-usage': tokenUsage,
  '20261122-7-message-images': messageImages,
  '20261122-8-summaries': summaries,
  '20261122-9-step-records': stepRecords,
  '20261123-1-daily-uploads': dailyUploads,
  '20261123-2-turn-traces': turnTraces,
  '20261124-1-builder': builder,
  '20261125-1-saved-experts': savedExperts,
  '20261126-1-jobs': jobs,
  '20261127-1-job-drafts': jobDrafts,
  '20261128-1-turn-notices': turnNotices,
  '20261128-2-opened-drafts': openedDrafts,
  '20261128-3-turn-as-of': turnAsOf,
};

/**
 * Brings the tables to the latest shape. Safe to call from several processes at once: an advisory lock lets one work
 * while the others wait. Each run is one transaction.
 * @throws StartupError if the database is newer than this program or a migration failed, which then changed nothing.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new StartupError(
    `the tables in Postgres could not be brought up to date${failed ? ` (migration ${failed})` : ''}${error instanceof Error ? `: ${error.message}` : ''}`,
    { cause: error },
  );
}
