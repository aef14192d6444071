import { RateLimitedError } from './errors.ts';

/** Bounds on how many are open at once: of one user, and at this server. */
export type PlaceLimits = { readonly perUser: number; readonly inAll: number };

/** Takes a place for a viewer; returns what frees it, once. @throws RateLimitedError if none is left */
export type TakePlace = (viewerId: string) => () => void;

/** Counts what is open, by viewer. `what` is in the error, in plural. */
export function createPlaces(what: string, { perUser, inAll }: PlaceLimits, retryMs: number): TakePlace {
  const taken = new Map<string, number>();
  let all = 0;
  return (viewerId) => {
    const own = taken.get(viewerId) ?? 0;
    if (own >= perUser || all >= inAll) {
      const limit = own >= perUser ? `${own} of yours are open` : `${all} are open in all`;
      const after = `close some, or try again in ${Math.ceil(retryMs / 1_000)} s`;
      throw new RateLimitedError(retryMs, `no more ${what} can be opened at this server: ${limit}; ${after}`);
    }
    taken.set(viewerId, own + 1);
    all += 1;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      all -= 1;
      const left = (taken.get(viewerId) ?? 1) - 1;
      if (left === 0) taken.delete(viewerId);
      else taken.set(viewerId, left);
    };
  };
}
