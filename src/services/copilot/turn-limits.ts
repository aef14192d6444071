import type { Viewer } from '../../domain/conversation/session.ts';
import { RateLimitedError } from '../../base/errors.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { readActivity, readTokensSpent } from '../../stores/pg/usage.ts';
import { assertTokensLeft } from './token-budget.ts';
import type { TokenLimits } from './token-budget.ts';

/** Limits per user. */
export type CopilotLimits = TokenLimits & {
  readonly messagesPerMinute: number;
  /** Most busy sessions of one user. */
  readonly turnsPerUser: number;
};

/** A guess of when a busy session will be idle. */
const BUSY_RETRY_MS = 5_000;

/**
 * Checks that the viewer may start another turn in the session. The transaction holds the viewer's lock, so concurrent
 * turns are counted.
 * @throws RateLimitedError, BudgetExceededError
 */
export async function assertWithinLimits(
  tx: Tx,
  viewer: Viewer,
  sessionId: string,
  limits: CopilotLimits,
): Promise<void> {
  const who = { viewerId: viewer.id, sessionId };
  const activity = await readActivity(tx, who);
  if (activity.turnsLastMinute >= limits.messagesPerMinute) {
    throw new RateLimitedError(
      Math.max(1, activity.minuteOverInMs),
      `${limits.messagesPerMinute} messages a minute are allowed; try again in ${Math.ceil(activity.minuteOverInMs / 1_000)} s`,
    );
  }
  if (activity.otherBusySessions >= limits.turnsPerUser) {
    throw new RateLimitedError(
      BUSY_RETRY_MS,
      `${activity.otherBusySessions} of your conversations are being answered, and ${limits.turnsPerUser} at once are allowed; wait for one or cancel one`,
    );
  }
  assertTokensLeft(await readTokensSpent(tx, { ...who, projectId: viewer.projectId }), limits);
}
