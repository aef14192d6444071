import { FairGate, type GateLimits } from '../../base/fair-gate.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { type Db, type Tx, transact } from './database.ts';
import { lockViewer } from './turns.ts';

/** Fewer than the connections of the pool, so that a rush of messages leaves some to running turns. */
const LIMITS: GateLimits = { width: 4, waitMs: 30_000 };

const gates = new WeakMap<Db, FairGate>();

/** What a transaction starts: something that the viewer asked for, or what was waiting. The two take turns. */
type Starts = 'request' | 'waiting';

/**
 * Runs a transaction that starts something for the viewer, after earlier ones of the same kind. Those of this process
 * wait without a connection, others at the viewer's lock. @throws ServiceBusyError if it could not begin in time
 */
export function viewerTransaction<T>(
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  work: (tx: Tx) => Promise<T>,
  starts: Starts = 'request',
): Promise<T> {
  const gate = gates.get(db) ?? new FairGate(LIMITS);
  gates.set(db, gate);
  return gate.run(`${starts} ${viewer.id}`, () =>
    transact(db, async (tx) => {
      await lockViewer(tx, viewer);
      return work(tx);
    }),
  );
}
