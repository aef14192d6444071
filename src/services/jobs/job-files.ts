/** Files of jobs for people who may read the jobs. */
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobFile } from '../../domain/jobs/job-file.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { findConfinedFolder } from '../../workspace/confined-folder.ts';
import { workspacePath } from '../../workspace/workspace-path.ts';
import { filesFolder, usedBytes, workspaceFolder } from '../../workspace/workspace.ts';
import type { JobsService } from './jobs.ts';

/** Files of the viewer's jobs; a foreign job looks like an unknown one. */
export type JobFiles = ReturnType<typeof createJobFiles>;

/** Largest file that is sent at once; a workspace holds no larger ones. */
const MAX_BYTES = 200_000_000;

/** Files below `folder`, where each job has a folder named by its id. */
export function createJobFiles(deps: { readonly folder: string; readonly jobs: Pick<JobsService, 'byIds'> }) {
  const open = async (viewer: Viewer, jobId: string, folderOf: typeof filesFolder) => {
    const [job] = await deps.jobs.byIds(viewer, [jobId]);
    // The path is built from the id in the row, never from the requested one.
    return job ? findConfinedFolder(folderOf(deps.folder, job.id)) : null;
  };
  return {
    /** By path; empty for a job without a workspace. */
    async list(viewer: Viewer, jobId: string): Promise<readonly JobFile[]> {
      const files = await (await open(viewer, jobId, filesFolder))?.list();
      return (files ?? []).map((file) => ({ ...file, jobId, projectId: viewer.projectId }));
    },
    /** Null when there is no such file. */
    async read(viewer: Viewer, jobId: string, path: string): Promise<Buffer | null> {
      try {
        const folder = await open(viewer, jobId, filesFolder);
        return folder && (await folder.read(workspacePath(path), MAX_BYTES));
      } catch (error) {
        if (error instanceof InvalidInputError) return null;
        throw error;
      }
    },
    /** Disk use of the whole workspace, including history and plan; 0 for a job without one. */
    async usedBytes(viewer: Viewer, jobId: string): Promise<number> {
      const workspace = await open(viewer, jobId, workspaceFolder);
      return workspace === null ? 0 : usedBytes(workspace);
    },
  };
}
