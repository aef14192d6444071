/** One person, and what they have here: rows of Postgres and files of the data folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import { PLACES } from './places.ts';

/** Somebody with data here: of an account, or only an id that data have, as without sign-in (`local`). */
export type Somebody = { readonly id: string; readonly name: string | null; readonly email: string | null };

/** How many rows of a table, or files of a folder, are of somebody. */
export type Count = { readonly where: string; readonly count: number; readonly stays: string | null };

/** Files of somebody in the data folder. */
export type OwnFiles = {
  /** Uploaded tables, by id. */
  readonly uploads: readonly string[];
  /** Jobs with a workspace. */
  readonly jobs: readonly string[];
};

/**
 * Finds somebody by id, address or exact name.
 * @throws NotFoundError; ConflictError for a name or an address that several have
 */
export async function findPerson(client: Client, who: string): Promise<Somebody> {
  const { rows } = await client.query<Somebody>(
    `select id, name, address as email from auth."user" where id = $1 or lower(address) = lower($1) or name = $1 order by id`,
    [who],
  );
  const byId = rows.find(({ id }) => id === who);
  const [found, ...others] = byId === undefined ? rows : [byId];
  if (others.length > 0) {
    const ids = rows.map(({ id, name, email }) => `${id} (${name}, ${email ?? 'no address'})`).join(', ');
    throw new ConflictError(`${rows.length} people are called ${who}; name one by id or address: ${ids}`);
  }
  if (found !== undefined) return found;
  const counts = await countRows(client, who);
  if (counts.length === 0)
    throw new NotFoundError(`nobody here has the id, address or name ${who}, and no data have it as an id`);
  return { id: who, name: null, email: null };
}

/** What somebody has in each table; tables without anything are left out. */
export async function countRows(client: Client, id: string): Promise<readonly Count[]> {
  const counts: Count[] = [];
  for (const { table, where, stays } of PLACES) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${where}`,
      [id],
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) counts.push({ where: fileName(table), count, stays });
  }
  return counts;
}

/** What somebody has in the data folder. */
export async function findFiles(client: Client, id: string, dataDir: string): Promise<OwnFiles> {
  const idsOf = async (table: string): Promise<readonly string[]> => {
    const { rows } = await client.query<{ id: string }>(`select id from ${table} where viewer_id = $1`, [id]);
    return rows.map((row) => row.id);
  };
  const there = async (ids: readonly string[], pathOf: (id: string) => string): Promise<string[]> => {
    const found: string[] = [];
    for (const each of ids)
      if (
        await stat(pathOf(each)).then(
          () => true,
          () => false,
        )
      )
        found.push(each);
    return found;
  };
  return {
    uploads: await there(await idsOf('uploads'), (each) => uploadFile(dataDir, each)),
    jobs: await there(await idsOf('jobs'), (each) => workspace(dataDir, each)),
  };
}

export const uploadFile = (dataDir: string, id: string): string => join(dataDir, 'uploads', `${id}.parquet`);
export const workspace = (dataDir: string, jobId: string): string => join(dataDir, 'jobs', jobId);
/** A table's name without quotes. */
export const fileName = (table: string): string => table.replaceAll('"', '');

/** The files as counts. */
export const countFiles = ({ uploads, jobs }: OwnFiles): readonly Count[] =>
  [
    { where: 'uploads/', count: uploads.length, stays: null },
    { where: 'jobs/', count: jobs.length, stays: null },
  ].filter(({ count }) => count > 0);
