/** How much somebody may ask of all servers on one database together. */
import { LRUCache } from 'lru-cache';
import { RateLimitedError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Db } from '../stores/pg/database.ts';
import { takeTokens } from '../stores/pg/rate-buckets.ts';

/** `burst` may be used at once; so much comes back in a minute. */
type RateSetting = { readonly burst: number; readonly perMinute: number };
/** What is limited by itself. Messages have a limit of their own (`limits.messagesPerMinute`). */
export type RateSettings = Readonly<Record<RateName, RateSetting>>;
/** Queries count by their cost, the others each. */
export type RateName = keyof typeof TITLES;
const TITLES = { queryCost: 'queries', changes: 'changes', subscriptions: 'subscriptions' };

/** A process takes so much of a bucket at once, so that a request seldom takes a statement. */
const SHARE = 1 / 30;
const MOST_REMEMBERED = 10_000;
/** What a process took and did not use is lost after this long. */
const REMEMBERED_MS = 60_000;

/** Lets so much through as the rates allow. */
export type RateLimits = ReturnType<typeof createRateLimits>;

type Share = {
  left: number;
  /** The statement that takes more; callers that need more meanwhile wait for it. */
  taking: Promise<void> | null;
  /** Until when the database would refuse so much, in milliseconds of `performance.now()`. */
  refused: { readonly needed: number; readonly untilMs: number } | null;
};

export function createRateLimits(deps: {
  readonly db: Db;
  readonly log: Logger;
  readonly rates: RateSettings;
}) {
  const { db, log, rates } = deps;
  const shares = new LRUCache<string, Share>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });

  const take = async (share: Share, name: RateName, viewerId: string, needed: number): Promise<void> => {
    const { burst, perMinute } = rates[name];
    const bucket = { viewerId, name, size: burst, perSecond: perMinute / 60 };
    const wanted = Math.max(needed, Math.floor(burst * SHARE));
    const { granted, waitMs } = await takeTokens(db, bucket, { needed, wanted }).catch((error: unknown) => {
      log.debug({ err: error }, 'a rate could not be checked');
      return { granted: needed, waitMs: 0 };
    });
    share.left += granted;
    share.refused = granted === 0 ? { needed, untilMs: performance.now() + waitMs } : null;
  };

  return {
    /**
     * @param amount - at most the burst counts, so that whatever may be asked at all is let through in the end
     * @throws RateLimitedError where too little is left. While the database is away everything passes.
     */
    async pass(name: RateName, viewerId: string, amount = 1): Promise<void> {
      const key = `${name} ${viewerId}`;
      const share = shares.get(key) ?? { left: 0, taking: null, refused: null };
      shares.set(key, share);
      const needed = Math.min(rates[name].burst, Math.max(1, Math.ceil(amount)));
      while (share.left < needed) {
        const waitMs = share.refused === null ? 0 : share.refused.untilMs - performance.now();
        // Refused without a statement, so that a flood of requests costs the database nothing.
        if (waitMs > 0 && share.refused !== null && share.refused.needed <= needed)
          throw refusal(TITLES[name], waitMs);
        await (share.taking ??= take(share, name, viewerId, needed).finally(() => (share.taking = null)));
      }
      share.left -= needed;
    },
  };
}

const refusal = (what: string, waitMs: number): RateLimitedError =>
  new RateLimitedError(
    waitMs,
    `too many ${what} in a short time; try again in ${Math.ceil(waitMs / 1_000)} s`,
  );
