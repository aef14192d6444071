import { sql } from 'kysely';
import { FairGate, type GateLimits } from '../../base/fair-gate.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { currentAct, recordText, type Act } from './audited-act.ts';
import { type Db, type Tx, transact } from './database.ts';

/** Fewer than the connections of the pool, so that a rush of messages leaves some to running turns. */
const LIMITS: GateLimits = { width: 4, waitMs: 30_000 };

type Gates = { readonly kinds: FairGate; readonly viewers: FairGate };

const gates = new WeakMap<Db, Gates>();

/** What a transaction starts: something that the viewer asked for, or what was waiting. The two take turns. */
type Starts = 'request' | 'waiting';

/**
 * Runs a transaction that starts something for the viewer, as if after all others of that viewer: it sees what they
 * started, so limits on numbers hold. Those of this process wait for each other without a connection. One of another
 * process that commits meanwhile has it run again: nobody waits for a frozen process.
 * @throws ServiceBusyError if it could not begin in time, or others were always faster
 */
export function viewerTransaction<T>(
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  work: (tx: Tx) => Promise<T>,
  starts: Starts = 'request',
): Promise<T> {
  const start = async (tx: Tx): Promise<T> => {
    await sql`
      select set_config('qpilot.viewer', ${viewer.id}, true), set_config('qpilot.starts',
        coalesce((select count from viewer_starts where viewer_id = ${viewer.id}), 0)::text, true)
    `.execute(tx);
    return work(tx);
  };
  return inGates(db, viewer, starts, () => countedTransaction(db, start));
}

/** Waits until nothing else of this process that starts something for the viewer is under way. */
export function inGates<T>(
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  starts: Starts,
  work: () => Promise<T>,
): Promise<T> {
  const { kinds, viewers } = gatesOf(db);
  return kinds.run(`${starts} ${viewer.id}`, () => viewers.run(viewer.id, work));
}

/** A transaction whose `work` begins by noting what was started for a viewer so far. */
export function countedTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const act = currentAct();
  let duplicates = 0;
  return transact(db, async (tx) => {
    const result = await work(tx).catch((error: unknown) => {
      // Somebody else stored the same meanwhile, which another run finds.
      throw isDuplicate(error) && (duplicates += 1) <= 3
        ? Object.assign(new Error('another transaction stored the same'), { code: '40001', cause: error })
        : error;
    });
    await commitCounted(tx, [act]);
    return result;
  });
}

/**
 * Commits with the records of what was done. One message, so that no lock of the viewer outlives it; the transaction that
 * it begins is empty.
 */
export async function commitCounted(tx: Tx, acts: readonly (Act | null)[]): Promise<void> {
  const calls = ['count_start()', ...acts.map(recordText).filter((call) => call !== null)];
  await sql.raw(`select ${calls.join(', ')}; commit and chain`).execute(tx);
  for (const act of acts) if (act !== null) act.pending = null;
}

/** Whether something of the same key is stored. */
export const isDuplicate = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === '23505';

function gatesOf(db: Db): Gates {
  const known = gates.get(db) ?? { kinds: new FairGate(LIMITS), viewers: new FairGate(LIMITS) };
  gates.set(db, known);
  return known;
}
