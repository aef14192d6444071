import { backgroundViewer } from '../../domain/conversation/session.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findOpenWork, type WorkOf } from '../../stores/pg/sharing.ts';
import type { CopilotService } from '../copilot/copilot.ts';
import type { JobsService } from '../jobs/jobs.ts';

export type StopWorkDeps = {
  readonly db: Db;
  readonly jobs: Pick<JobsService, 'cancel'>;
  readonly copilot: Pick<CopilotService, 'cancelTurn'>;
};

/** Cancels the jobs and turns of somebody that run or wait. */
export type StopWork = (who: WorkOf, reason: string) => Promise<void>;

/** Cancels in their name: jobs, and turns of conversations and the builder. */
export const createStopWork =
  ({ db, jobs, copilot }: StopWorkDeps): StopWork =>
  async (who, reason) => {
    const open = await findOpenWork(db, who);
    const viewerIn = (projectId: string) => backgroundViewer(who.userId, projectId, 'JOB');
    await Promise.all([
      ...open.jobs.map(({ id, projectId }) => jobs.cancel(viewerIn(projectId), id)),
      ...open.turns.map(({ id, projectId }) =>
        copilot.cancelTurn(viewerIn(projectId), { turnId: id, reason }),
      ),
    ]);
  };
