import { z } from 'zod';
import type { Viewer } from '../domain/session.ts';
import type { Logger } from '../log.ts';
import { ABANDONED_AFTER_HOURS, findOrphans } from '../stores/pg/builder-sessions.ts';
import type { Db } from '../stores/pg/database.ts';
import { deleteSession } from '../stores/pg/session-delete.ts';
import { lockSession } from '../stores/pg/sessions.ts';
import type { PurgeInput } from './builder-service.ts';
import { checkInput } from './copilot-input.ts';

/** Sessions that one sweep removes at most; the next one goes on. */
const MAX_PURGED = 1_000;

const purgeInput = z.object({
  olderThanHours: z
    .number()
    .min(ABANDONED_AFTER_HOURS, `must be at least ${ABANDONED_AFTER_HOURS}: younger sessions may be in use`)
    .max(24 * 3650),
  dryRun: z.boolean(),
});

/**
 * Removes builder sessions that no job was made with, that nobody touched for so long and that no turn runs in; of one
 * viewer, or of all for null. Returns the ids of those it removed, or of those it would.
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

/** Looks again once the row is held: the user may have come back in between. */
function removeOrphan(db: Db, id: string, olderThanHours: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const session = await lockSession(tx, id);
    if (session === null) return false;
    const [orphan] = await findOrphans(tx, { olderThanHours, viewer: null, limit: 1, id });
    if (orphan === undefined) return false;
    await deleteSession(tx, session);
    return true;
  });
}

/** Removes orphans now and then. Whoever started it closes it. */
export type BuilderSweeper = {
  /** Waits for a removal that is under way. */
  close(): Promise<void>;
};

const HOUR_MS = 3600 * 1000;

/** Removes orphans at once, then every hour. A removal that fails is logged and tried again. */
export function startBuilderSweeper(db: Db, log: Logger): BuilderSweeper {
  const sweep = async (): Promise<void> => {
    try {
      const input = { olderThanHours: ABANDONED_AFTER_HOURS, dryRun: false };
      const { length: removed } = await purgeOrphans(db, null, input);
      if (removed > 0) log.info({ removed }, 'removed abandoned builder sessions');
    } catch (error) {
      log.warn({ err: error }, 'abandoned builder sessions could not be removed');
    }
  };
  let sweeping = sweep();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, HOUR_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}
