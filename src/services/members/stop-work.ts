import { backgroundViewer } from '../../domain/conversation/session.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findOpenWork } from '../../stores/pg/sharing.ts';
import type { CopilotService } from '../copilot/copilot.ts';
import type { JobsService } from '../jobs/jobs.ts';

export type StopWorkDeps = {
  readonly db: Db;
  readonly jobs: Pick<JobsService, 'cancel'>;
  readonly copilot: Pick<CopilotService, 'cancelTurn'>;
};

/** Cancels what runs or waits for somebody in a project, in their name: jobs, and turns of conversations and the builder. */
export const createStopWork =
  ({ db, jobs, copilot }: StopWorkDeps) =>
  async (who: { readonly userId: string; readonly projectId: string }): Promise<void> => {
    const viewer = backgroundViewer(who.userId, who.projectId, 'JOB');
    const { jobIds, turnIds } = await findOpenWork(db, who);
    const reason = 'The member was removed from the project.';
    await Promise.all([
      ...jobIds.map((jobId) => jobs.cancel(viewer, jobId)),
      ...turnIds.map((turnId) => copilot.cancelTurn(viewer, { turnId, reason })),
    ]);
  };
