/** Files of jobs, for whom the jobs belong to: what a job may do with them is the workspace's business. */
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobFile } from '../../domain/jobs/job-file.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { findConfinedFolder } from '../../workspace/confined-folder.ts';
import { workspacePath } from '../../workspace/workspace-path.ts';
import { filesFolder, usedBytes, workspaceFolder } from '../../workspace/workspace.ts';
import type { JobsService } from './jobs-service.ts';

/** Files of the viewer's jobs; a foreign job answers like an unknown one. */
export type JobFiles = {
  /** By path; empty for a job that nobody has worked on. */
  list(viewer: Viewer, jobId: string): Promise<readonly JobFile[]>;
  /** Null where there is no such file. */
  read(viewer: Viewer, jobId: string, path: string): Promise<Buffer | null>;
  /** What the whole workspace takes of the disk, history and plan included; 0 for a job that nobody has worked on. */
  usedBytes(viewer: Viewer, jobId: string): Promise<number>;
};

/** Largest file that is sent at once; a workspace holds no larger ones. */
const MAX_BYTES = 200_000_000;

/** Files below `folder`, where each job has a folder named by its id. */
export function createJobFiles(deps: {
  readonly folder: string;
  readonly jobs: Pick<JobsService, 'byIds'>;
}): JobFiles {
  const open = async (viewer: Viewer, jobId: string, folderOf: typeof filesFolder) => {
    const [job] = await deps.jobs.byIds(viewer, [jobId]);
    // The id of the row, not the one that was asked for, becomes part of a path.
    return job ? findConfinedFolder(folderOf(deps.folder, job.id)) : null;
  };
  return {
    async list(viewer, jobId) {
      const files = await (await open(viewer, jobId, filesFolder))?.list();
      return (files ?? []).map((file) => ({ ...file, jobId, projectId: viewer.projectId }));
    },
    async read(viewer, jobId, path) {
      try {
        const folder = await open(viewer, jobId, filesFolder);
        return folder && (await folder.read(workspacePath(path), MAX_BYTES));
      } catch (error) {
        if (error instanceof InvalidInputError) return null;
        throw error;
      }
    },
    async usedBytes(viewer, jobId) {
      const workspace = await open(viewer, jobId, workspaceFolder);
      return workspace === null ? 0 : usedBytes(workspace);
    },
  };
}
