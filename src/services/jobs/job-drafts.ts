/** Drafts of jobs: a model may propose one; only a user turns it into a job, by `createJob`. */
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobDraft } from '../../domain/jobs/job.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { resolveJobConfig } from '../../experts/resolve-config.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findJobDrafts, insertJobDraft, openJobDraft, type NewJobDraft } from '../../stores/pg/job-drafts.ts';
import type { ExpertsService } from '../experts/experts.ts';

/** The viewer's drafts. */
export type JobDrafts = ReturnType<typeof createJobDrafts>;

/** Drafts in Postgres. */
export const createJobDrafts = (deps: {
  readonly db: Db;
  readonly experts: Pick<ExpertsService, 'find' | 'list'>;
}) => ({
  /**
   * Stores a draft that could be submitted as it is.
   * @throws NotFoundError naming the known experts; InvalidInputError for an invalid configuration
   */
  async create(viewer: Viewer, draft: NewJobDraft): Promise<JobDraft> {
    const expert = await deps.experts.find(viewer, draft.expertId);
    if (expert === null) {
      const known = await deps.experts.list(viewer, { search: null, tag: null });
      const ids = known.map(({ expertId }) => expertId).join(', ');
      throw new NotFoundError(`there is no expert ${draft.expertId}; there are ${ids}`);
    }
    if (expert.loadError !== null) {
      throw InvalidInputError.at(['expert_id'], `${draft.expertId} cannot be used: ${expert.loadError}`);
    }
    resolveJobConfig({ layers: expert.layers, uploadedYaml: null, override: draft.configOverride });
    return insertJobDraft(deps.db, viewer, draft);
  },
  /** In the order of `ids`; null for an unknown one and another viewer's. */
  byIds: (viewer: Viewer, ids: readonly string[]) => findJobDrafts(deps.db, viewer, ids),
  /** A draft for the form, which is kept for good from then on; null as in `byIds`. */
  open: (viewer: Viewer, id: string) => openJobDraft(deps.db, viewer, id),
});
