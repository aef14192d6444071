/** Reports of jobs that were written before the search knew them: read from their files, some in each sweep. */
import { InvalidInputError } from '../../base/errors.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findUnkeptReports, keepReport } from '../../stores/pg/job-turns.ts';
import { findConfinedFolder } from '../../workspace/confined-folder.ts';
import { filesFolder } from '../../workspace/workspace.ts';
import { workspacePath } from '../../workspace/workspace-path.ts';

const BATCH = 100;
/** A longer file is no report that anybody reads. */
const MAX_BYTES = 5_000_000;

/** Returns of how many jobs; of a file that is gone nothing is kept, and it is not looked for again. */
export async function keepOlderReports(db: Db, folder: string): Promise<number> {
  const named = await findUnkeptReports(db, BATCH);
  for (const { jobId, path } of named) {
    await keepReport(db, jobId, await textOf(filesFolder(folder, jobId), path));
  }
  return named.length;
}

async function textOf(folder: string, path: string): Promise<string> {
  try {
    const files = await findConfinedFolder(folder);
    return (await files?.read(workspacePath(path), MAX_BYTES))?.toString() ?? '';
  } catch (error) {
    if (error instanceof InvalidInputError) return '';
    throw error;
  }
}
