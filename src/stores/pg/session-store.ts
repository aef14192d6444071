import type { SessionStore } from '../session-store.ts';
import { readEarlierTurns } from './branches.ts';
import type { Db } from './database.ts';
import { createSessionDataStore } from './session-data.ts';

/** The agent's reads and kept results, in Postgres. */
export function createSessionStore(db: Db): SessionStore {
  return {
    earlierTurns: (turn, limit) => readEarlierTurns(db, turn, limit),
    data: createSessionDataStore(db),
  };
}
