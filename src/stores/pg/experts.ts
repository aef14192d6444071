import { sql } from 'kysely';
import type { JsonObject } from '../../domain/visuals.ts';
import { type Db, transact } from './database.ts';
import { lockName } from './named-lock.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';

/** An expert saved in a project, without its instructions. */
export type SavedExpertRow = {
  readonly expertId: string;
  readonly displayName: string;
  /** Null: derived from the configuration, like icon and color. */
  readonly description: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  readonly tags: readonly string[];
  /** One layer over the defaults. */
  readonly config: JsonObject;
  /** Starts at 1 and grows by one with each save. */
  readonly version: number;
  /** Who saved this version. */
  readonly authorId: string;
  /** Who made it. */
  readonly createdBy: string;
  readonly savedAt: Date;
};

/** The same with its instructions. */
export type SavedExpert = SavedExpertRow & { readonly instructions: string };

const LISTED = [
  'expert_id',
  'display_name',
  'description',
  'icon',
  'color',
  'tags',
  'config',
  'version',
  'author_id',
  'created_by',
  'saved_at',
] as const;

/** All of a project, by id; instructions may be long and are not read. */
export async function listSavedExperts(db: Db, projectId: string): Promise<readonly SavedExpertRow[]> {
  const rows = await db
    .selectFrom('saved_experts')
    .select(LISTED)
    .where('project_id', '=', projectId)
    .orderBy('expert_id')
    .execute();
  return rows.map(camelKeys);
}

/** The existing ones among `expertIds`, unordered. */
export async function findSavedExperts(
  db: Db,
  projectId: string,
  expertIds: readonly string[],
): Promise<readonly SavedExpert[]> {
  if (expertIds.length === 0) return [];
  const rows = await db
    .selectFrom('saved_experts')
    .select([...LISTED, 'instructions'])
    .where('project_id', '=', projectId)
    .where('expert_id', 'in', [...expertIds])
    .execute();
  return rows.map(camelKeys);
}

/** The writable part of an expert. */
export type ExpertToSave = Omit<SavedExpert, 'version' | 'savedAt' | 'createdBy'>;

/** Which expert to change: a version (null: any), by its author (null: anybody). */
export type WhichExpert = { readonly version: number | null; readonly createdBy: string | null };

/** Stores a new expert; null, without a change, if the project has one of that id or already `most` of them. */
export function insertSavedExpert(
  db: Db,
  projectId: string,
  expert: ExpertToSave,
  most: number,
): Promise<SavedExpert | null> {
  return transact(db, async (tx) => {
    await lockName(tx, `experts of ${projectId}`);
    const { count } = await tx
      .selectFrom('saved_experts')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= most) return null;
    const row = await tx
      .insertInto('saved_experts')
      .values({ ...toColumns(expert), project_id: projectId, created_by: expert.authorId, version: 1 })
      .onConflict((conflict) => conflict.columns(['project_id', 'expert_id']).doNothing())
      .returning([...LISTED, 'instructions'])
      .executeTakeFirst();
    return row === undefined ? null : camelKeys(row);
  });
}

/** Replaces it by a new version; null if there is no such one. */
export async function replaceSavedExpert(
  db: Db,
  projectId: string,
  expert: ExpertToSave,
  which: WhichExpert & { readonly version: number },
): Promise<SavedExpert | null> {
  const row = await db
    .updateTable('saved_experts')
    .set({ ...toColumns(expert), version: which.version + 1, saved_at: sql<Date>`now()` })
    .where(isExpert(projectId, expert.expertId, which))
    .returning([...LISTED, 'instructions'])
    .executeTakeFirst();
  return row === undefined ? null : camelKeys(row);
}

/** Removes it; false if there is no such one. */
export async function deleteSavedExpert(
  db: Db,
  projectId: string,
  expertId: string,
  which: WhichExpert,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_experts')
    .where(isExpert(projectId, expertId, which))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const isExpert = (projectId: string, expertId: string, { version, createdBy }: WhichExpert) =>
  sql<boolean>`project_id = ${projectId} and expert_id = ${expertId}
    and version = coalesce(${version}::int, version) and created_by = coalesce(${createdBy}::text, created_by)`;

const toColumns = ({ tags, config, ...expert }: ExpertToSave) => ({
  ...snakeKeys(expert),
  tags: JSON.stringify(tags),
  config: JSON.stringify(config),
});
