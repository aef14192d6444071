import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { StartupError } from '../../base/errors.ts';
import type { Db } from './database.ts';
import { MIGRATIONS_20261121 } from './migrations/20261121.ts';
import { MIGRATIONS_20261122 } from './migrations/20261122.ts';
import { MIGRATIONS_20261123_25 } from './migrations/20261123-25.ts';
import { MIGRATIONS_20261126_28 } from './migrations/20261126-28.ts';
import { MIGRATIONS_20261129 } from './migrations/20261129.ts';
import { MIGRATIONS_20261130 } from './migrations/20261130.ts';
import { MIGRATIONS_20261201 } from './migrations/20261201.ts';
import { MIGRATIONS_20261202 } from './migrations/20261202.ts';
import { MIGRATIONS_20261203 } from './migrations/20261203.ts';
import { MIGRATIONS_20261204 } from './migrations/20261204.ts';
import { MIGRATIONS_20261210 } from './migrations/20261210.ts';
import { MIGRATIONS_20261211 } from './migrations/20261211.ts';
import { MIGRATIONS_20261213 } from './migrations/20261213.ts';
import { MIGRATIONS_20261214 } from './migrations/20261214.ts';
import { MIGRATIONS_20261215 } from './migrations/20261215.ts';
import { MIGRATIONS_20261216 } from './migrations/20261216.ts';
import { MIGRATIONS_20261217 } from './migrations/20261217.ts';
import { MIGRATIONS_20261218 } from './migrations/20261218.ts';
import { MIGRATIONS_20261219 } from './migrations/20261219.ts';
import { MIGRATIONS_20261220 } from './migrations/20261220.ts';
import { MIGRATIONS_20261221 } from './migrations/20261221.ts';
import { MIGRATIONS_20261222 } from './migrations/20261222.ts';
import { MIGRATIONS_20261223 } from './migrations/20261223.ts';
import { MIGRATIONS_20261224 } from './migrations/20261224.ts';
import { MIGRATIONS_20261225 } from './migrations/20261225.ts';
import { MIGRATIONS_20261226 } from './migrations/20261226.ts';
import { MIGRATIONS_20261227 } from './migrations/20261227.ts';
import { MIGRATIONS_20261228 } from './migrations/20261228.ts';
import { MIGRATIONS_20261229 } from './migrations/20261229.ts';
import { MIGRATIONS_20261230_03 } from './migrations/20261230-03.ts';
import { MIGRATIONS_20261230_04 } from './migrations/20261230-04.ts';
import { MIGRATIONS_20261230_07 } from './migrations/20261230-07.ts';

/**
 * Run in the order of their names. A released migration is never edited; the next one corrects it. New migrations
 * get a new file, named after its day.
 */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...MIGRATIONS_20261121,
  ...MIGRATIONS_20261122,
  ...MIGRATIONS_20261123_25,
  ...MIGRATIONS_20261126_28,
  ...MIGRATIONS_20261129,
  ...MIGRATIONS_20261130,
  ...MIGRATIONS_20261201,
  ...MIGRATIONS_20261202,
  ...MIGRATIONS_20261203,
  ...MIGRATIONS_20261204,
  ...MIGRATIONS_20261210,
  ...MIGRATIONS_20261211,
  ...MIGRATIONS_20261213,
  ...MIGRATIONS_20261214,
  ...MIGRATIONS_20261215,
  ...MIGRATIONS_20261216,
  ...MIGRATIONS_20261217,
  ...MIGRATIONS_20261218,
  ...MIGRATIONS_20261219,
  ...MIGRATIONS_20261220,
  ...MIGRATIONS_20261221,
  ...MIGRATIONS_20261222,
  ...MIGRATIONS_20261223,
  ...MIGRATIONS_20261224,
  ...MIGRATIONS_20261225,
  ...MIGRATIONS_20261226,
  ...MIGRATIONS_20261227,
  ...MIGRATIONS_20261228,
  ...MIGRATIONS_20261229,
  ...MIGRATIONS_20261230_03,
  ...MIGRATIONS_20261230_04,
  ...MIGRATIONS_20261230_07,
};

/**
 * Brings the tables to the latest shape, in the transaction that it is given or one of its own. Safe to call from several processes at once: an advisory lock lets one work
 * while the others wait. Each run is one transaction.
 * @throws StartupError if the database is newer than this program or a migration failed, which then changed nothing.
 */
export async function migrate(db: Db): Promise<void> {
  await refuseNewer(db);
  requireDone(await migratorOf(db).migrateToLatest());
}

/** Makes the tables of an empty database as they were after a migration. @throws as {@link migrate} */
export async function migrateTo(db: Db, name: string): Promise<void> {
  requireDone(await migratorOf(db).migrateTo(name));
}

const migratorOf = (db: Db): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });

function requireDone({ error, results }: MigrationResultSet): void {
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new StartupError(
    `the tables in Postgres could not be brought up to date${failed ? ` (migration ${failed})` : ''}${error instanceof Error ? `: ${error.message}` : ''}`,
    { cause: error },
  );
}

/** Whether the database has every table of this program; it may have more, of a newer one that was started meanwhile. */
export async function isMigrated(db: Db): Promise<boolean> {
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(MIGRATIONS).every((name) => applied.has(name));
}

/** Of these migrations those that only a newer program has. */
export const unknownMigrations = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !(name in MIGRATIONS));

/** The newest migration that this program knows; their names sort by time. */
export const NEWEST_MIGRATION = Object.keys(MIGRATIONS).toSorted().at(-1) ?? '';

/** @throws StartupError if the database has migrations that this program does not know. */
async function refuseNewer(db: Db): Promise<void> {
  const unknown = unknownMigrations(await appliedMigrations(db));
  if (unknown.length === 0) return;
  throw new StartupError(
    `the database is newer than this program: it has ${unknown.join(', ')}, and this program knows nothing after ${NEWEST_MIGRATION}. Start the version that made it or a later one, or restore a backup that this version can read; nothing was changed`,
  );
}

async function appliedMigrations(db: Db): Promise<readonly string[]> {
  const { rows: tables } = await sql`select to_regclass('kysely_migration') as found`.execute(db);
  if ((tables[0] as { readonly found: unknown } | undefined)?.found === null) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
