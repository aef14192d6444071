/** Drafts of jobs: a model may propose one, and only a user makes a job of it, by `createJob`. */
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobDraft } from '../../domain/jobs/job-draft.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { resolveJobConfig } from '../../experts/resolve-config.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findJobDrafts, insertJobDraft, openJobDraft, type NewJobDraft } from '../../stores/pg/job-drafts.ts';
import type { ExpertsService } from '../experts/experts.ts';

/** Drafts of the viewer. */
export type JobDrafts = {
  /**
   * Keeps a draft that could be submitted as it is.
   * @throws NotFoundError naming the experts that there are; InvalidInputError for a configuration that cannot be.
   */
  create(viewer: Viewer, draft: NewJobDraft): Promise<JobDraft>;
  /** In the order of `ids`, null for what is unknown or another viewer's. */
  byIds(viewer: Viewer, ids: readonly string[]): Promise<readonly (JobDraft | null)[]>;
  /** One to be looked at in the form, which is never removed after that; null as {@link JobDrafts.byIds}. */
  open(viewer: Viewer, id: string): Promise<JobDraft | null>;
};

/** Drafts in Postgres. */
export const createJobDrafts = (deps: {
  readonly db: Db;
  readonly experts: Pick<ExpertsService, 'find' | 'list'>;
}): JobDrafts => ({
  async create(viewer, draft) {
    const expert = await deps.experts.find(viewer, draft.expertId);
    if (expert === null) {
      const known = (await deps.experts.list(viewer, { search: null, tag: null }))
        .map(({ expertId }) => expertId)
        .join(', ');
      throw new NotFoundError(`there is no expert ${draft.expertId}; there are ${known}`);
    }
    if (expert.loadError !== null) {
      const message = `${draft.expertId} cannot be used: ${expert.loadError}`;
      throw new InvalidInputError([{ path: ['expert_id'], message }]);
    }
    resolveJobConfig({ layers: expert.layers, uploadedYaml: null, override: draft.configOverride });
    return insertJobDraft(deps.db, viewer, draft);
  },
  byIds: (viewer, ids) => findJobDrafts(deps.db, viewer, ids),
  open: (viewer, id) => openJobDraft(deps.db, viewer, id),
});
