/** Gives a job to another editor, whatever its state; its owner from then on is that editor alone. */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { atLeast } from '../../domain/members/role.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { notify } from '../../stores/pg/events.ts';
import { findOwnJob, JOBS_CHANNEL } from '../../stores/pg/jobs.ts';
import type { Members } from '../../stores/pg/members.ts';
import { lockSession } from '../../stores/pg/sessions.ts';
import { giveJob } from '../../stores/pg/sharing.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { holdJob, unknownJob } from './change-job.ts';

export type HandOverDeps = { readonly db: Db; readonly members: Pick<Members, 'roleOf'> };

const handOverInput = z.object({ jobId: z.string(), userId: z.string().trim().min(1).max(200) });

export type HandOverInput = z.input<typeof handOverInput>;

/**
 * Hands a job of the viewer over. A phase in progress goes on; what it and later ones spend is charged to the new owner. Who
 * else may read the job stays as it was.
 * @throws NotFoundError, InvalidInputError for somebody who may not run jobs
 */
export async function handOverJob(
  { db, members }: HandOverDeps,
  viewer: Viewer,
  input: HandOverInput,
): Promise<void> {
  const { jobId, userId } = checkInput(handOverInput, input);
  const own = await findOwnJob(db, viewer, jobId);
  if (own === null) throw unknownJob(jobId);
  const role = await members.roleOf(userId, viewer.projectId);
  if (role === null || !atLeast(role, 'editor')) {
    const hint =
      'must be a member of the project with the role editor, admin or owner; see the query members';
    throw InvalidInputError.at(['input', 'userId'], hint);
  }
  await transact(db, async (tx) => {
    const { job } = await holdJob(tx, viewer, own.id);
    const session = await lockSession(tx, job.sessionId);
    if (session === null) throw unknownJob(jobId);
    await giveJob(tx, { jobId: job.id, sessionId: session.id }, userId);
    await notify(tx, JOBS_CHANNEL, viewer.projectId);
  });
}
