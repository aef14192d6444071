import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import { ABANDONED_AFTER_HOURS, findOrphans } from '../../stores/pg/builder-sessions.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { deleteSession } from '../../stores/pg/session-delete.ts';
import { lockSession } from '../../stores/pg/sessions.ts';
import { checkInput } from '../copilot/copilot-input.ts';

/** Most sessions that one sweep removes; the next one continues. */
const MAX_PURGED = 1_000;

const purgeInput = z.object({
  olderThanHours: z
    .number()
    .min(ABANDONED_AFTER_HOURS, `must be at least ${ABANDONED_AFTER_HOURS}: younger sessions may be in use`)
    .max(24 * 3650),
  dryRun: z.boolean(),
});

/** Which sessions to remove, unchecked. */
export type PurgeInput = z.input<typeof purgeInput>;

/**
 * Removes builder sessions without a job and without a running turn that nobody has touched for `olderThanHours`: of
 * one viewer, or of all viewers for null. Returns the ids it removed, or with `dryRun` those it would remove.
 * @throws InvalidInputError for a time that is too short
 */
export async function purgeOrphans(
  db: Db,
  viewer: Viewer | null,
  input: PurgeInput,
): Promise<readonly string[]> {
  const { olderThanHours, dryRun } = checkInput(purgeInput, input);
  const orphans = await findOrphans(db, { olderThanHours, viewer, limit: MAX_PURGED });
  if (dryRun) return orphans;
  const removed: string[] = [];
  for (const id of orphans) if (await removeOrphan(db, id, olderThanHours)) removed.push(id);
  return removed;
}

/** Checks again once the row is locked: the user may have returned meanwhile. */
function removeOrphan(db: Db, id: string, olderThanHours: number): Promise<boolean> {
  return transact(db, async (tx) => {
    const session = await lockSession(tx, id);
    if (session === null) return false;
    const [orphan] = await findOrphans(tx, { olderThanHours, viewer: null, limit: 1, id });
    if (orphan === undefined) return false;
    await deleteSession(tx, session);
    return true;
  });
}

/** Removes the orphans of all users; returns how many. */
export async function removeOrphans(db: Db): Promise<number> {
  const input = { olderThanHours: ABANDONED_AFTER_HOURS, dryRun: false };
  return (await purgeOrphans(db, null, input)).length;
}
