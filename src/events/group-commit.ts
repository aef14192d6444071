import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import {
  appendBatch,
  appendTogether,
  hasBodies,
  type AppendResult,
  type EventBatch,
} from '../stores/pg/event-batches.ts';

/** Statements under way at once: a broken connection that holds one up does not stop the other. */
const STATEMENTS = 2;
/** Batches of one statement. */
const GROUP = 200;

/**
 * Stores the batches of all turns of a process; those of the same moment, and those that come while others are on
 * their way, share a commit. A batch with bodies goes alone, as does one whose rows somebody holds: it may wait.
 */
export function createGroupCommit(pool: Pool) {
  const waiting: Waiting[] = [];
  let sending = 0;
  let isGathering = false;

  const sendWaiting = async (): Promise<void> => {
    if (waiting.length === 0 || isGathering || sending === STATEMENTS) return;
    isGathering = true;
    await nextTurn(); // others of this moment join
    isGathering = false;
    sending += 1;
    const group = waiting.splice(0, GROUP);
    void sendWaiting();
    await store(pool, group);
    sending -= 1;
    void sendWaiting();
  };

  return (batch: EventBatch): Promise<AppendResult> => {
    if (hasBodies(batch)) return appendBatch(pool, batch);
    const { promise, resolve } = Promise.withResolvers<AppendResult>();
    waiting.push({ batch, settle: resolve });
    void sendWaiting();
    return promise;
  };
}

type Waiting = {
  readonly batch: EventBatch;
  readonly settle: (result: AppendResult | Promise<AppendResult>) => void;
};

/** Never rejects: what failed together is tried alone, which is safe to repeat and says whose the failure is. */
async function store(pool: Pool, group: readonly Waiting[]): Promise<void> {
  const results = await appendTogether(
    pool,
    group.map(({ batch }) => batch),
  ).catch(() => []);
  for (const [index, { batch, settle }] of group.entries()) {
    settle(results[index] ?? appendBatch(pool, batch));
  }
}
