import type { LiveQuota } from '../../domain/live/live-reading.ts';
import type { Logger } from '../../base/log.ts';
import type { Db } from '../../stores/pg/database.ts';
import {
  readLiveQuota,
  takeLiveCall,
  type LiveCallLimits,
  type LiveCallScope,
} from '../../stores/pg/live-calls.ts';
import { isUnavailable } from '../../stores/pg/unavailable.ts';

/** What a laboratory's control server can bear beside its own work. */
export const LIVE_CALL_LIMITS: LiveCallLimits = { perChip: 15, perProject: 30 };

/** Whether the source may be asked; `message` is the reason if not. */
export type LivePermission =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** `LIMIT`: asked too often; `UNKNOWN`: the count of calls cannot be read. */
      readonly because: 'LIMIT' | 'UNKNOWN';
      readonly message: string;
      readonly retryAfterMs: number | null;
    };

/** Decides how often the live source is asked, for all processes together. */
export type LiveLimiter = {
  /** Counts one attempt and allows it, or refuses. While the store is down everything is refused. */
  take(scope: LiveCallScope): Promise<LivePermission>;
  /** What is left now; null while the store is down. */
  quota(scope: LiveCallScope): Promise<LiveQuota | null>;
};

/** A limiter that counts in Postgres. */
export function createLiveLimiter(deps: {
  readonly db: Db;
  readonly log: Logger;
  readonly limits?: LiveCallLimits;
}): LiveLimiter {
  const { db, log, limits = LIVE_CALL_LIMITS } = deps;
  const unlessDown = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error }, 'live calls cannot be counted, so none is made');
      return null;
    }
  };
  return {
    take: async (scope) => {
      const permission = await unlessDown(takeLiveCall(db, scope, limits));
      if (permission === null) {
        const message = 'its limits cannot be checked while the database is down';
        return { allowed: false, because: 'UNKNOWN', message, retryAfterMs: null };
      }
      if (permission.allowed) return permission;
      const { retryAfterMs } = permission;
      const message = `the limit of ${limits.perChip} live calls a minute for a chip and ${limits.perProject} for a project is reached; the next is possible in ${Math.ceil(retryAfterMs / 1000)} s`;
      return { allowed: false, because: 'LIMIT', message, retryAfterMs };
    },
    quota: (scope) => unlessDown(readLiveQuota(db, scope, limits)),
  };
}
