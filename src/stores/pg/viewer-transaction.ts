import { FairGate, type GateLimits } from '../../base/fair-gate.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Db, Tx } from './database.ts';
import { lockViewer } from './turns.ts';

/** Fewer than the connections of the pool, so that a rush of messages leaves some to running turns. */
const LIMITS: GateLimits = { width: 4, waitMs: 10_000 };

const gates = new WeakMap<Db, FairGate>();

/**
 * Runs a transaction that starts something for the viewer, after the viewer's earlier ones. Those of this process wait
 * without a connection, those of others at the viewer's lock. @throws ServiceBusyError if it could not begin in time
 */
export function viewerTransaction<T>(
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const gate = gates.get(db) ?? new FairGate(LIMITS);
  gates.set(db, gate);
  return gate.run(viewer.id, () =>
    db.transaction().execute(async (tx) => {
      await lockViewer(tx, viewer);
      return work(tx);
    }),
  );
}
