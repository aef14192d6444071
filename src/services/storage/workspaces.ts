/** Removes workspaces of jobs: of one that was deleted at once, of those that ended long ago in sweeps. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'uuid';
import { type Db, transact } from '../../stores/pg/database.ts';
import { lockForgottenJobs } from '../../stores/pg/expired.ts';
import { systemCode } from '../../workspace/system-code.ts';
import { workspaceFolder } from '../../workspace/workspace.ts';

/** Ends the name of a folder that is being removed, whose job has none any more. */
const REMOVED = '.removed';
const BATCH = 100;

/** Removes the workspaces below `folder`; `db` is what holds their jobs. */
export type Workspaces = ReturnType<typeof createWorkspaces>;

/**
 * A folder is removed only for a job that this database had: servers with other databases may use the same data
 * folder. What is left by a process that ends in the middle goes with the next sweep.
 */
export function createWorkspaces({ db, folder }: { readonly db: Db; readonly folder: string }) {
  const remove = (name: string): Promise<void> => rm(join(folder, name), { recursive: true, force: true });
  return {
    folder,
    /** Of a job that was deleted. */
    remove: (jobId: string): Promise<void> =>
      rm(workspaceFolder(folder, jobId), { recursive: true, force: true }),
    /** Of jobs that were deleted, or ended `days` ago (null: of none of these); returns how many. */
    async removeForgotten(days: number | null): Promise<number> {
      const names = await readdir(folder).catch(noneIfMissing);
      const left = names.filter((name) => name.endsWith(REMOVED));
      for (const name of left) await remove(name);
      const ids = names.filter((name) => validate(name));
      let removed = left.length;
      for (let from = 0; from < ids.length; from += BATCH) {
        const forgotten = await putAside(db, folder, ids.slice(from, from + BATCH), days);
        for (const id of forgotten) await remove(`${id}${REMOVED}`);
        removed += forgotten.length;
      }
      return removed;
    },
  };
}

/** Renames under the lock of the job's row, so that a retry finds all of a workspace or none. */
function putAside(
  db: Db,
  folder: string,
  ids: readonly string[],
  days: number | null,
): Promise<readonly string[]> {
  return transact(db, async (tx) => {
    const forgotten = await lockForgottenJobs(tx, ids, days);
    for (const id of forgotten) {
      await rename(workspaceFolder(folder, id), join(folder, `${id}${REMOVED}`)).catch(noneIfMissing);
    }
    return forgotten;
  });
}

function noneIfMissing(error: unknown): [] {
  if (systemCode(error) === 'ENOENT') return [];
  throw error;
}
