import { RateLimitedError } from '../../base/errors.ts';
import type { Activity } from '../../stores/pg/usage.ts';
import { assertBudgetsLeft } from '../members/budgets.ts';
import { assertTokensLeft } from './token-budget.ts';
import type { TokenLimits } from './token-budget.ts';

/** Limits per user. */
export type CopilotLimits = TokenLimits & {
  readonly messagesPerMinute: number;
  /** Most sessions of one user that are answered at once; more wait in line. */
  readonly turnsPerUser: number;
  /** Most sessions of one user that wait in line. */
  readonly waitingPerUser: number;
};

/** A guess of when a session will have left the line. */
const BUSY_RETRY_MS = 5_000;

/**
 * Checks that the viewer may send another message. The transaction that read the activity holds the viewer's lock, so
 * concurrent turns are counted.
 * @throws RateLimitedError, BudgetExceededError
 */
export function assertWithinLimits(activity: Activity, limits: CopilotLimits): void {
  if (activity.turnsLastMinute >= limits.messagesPerMinute) {
    throw new RateLimitedError(
      Math.max(1, activity.minuteOverInMs),
      `${limits.messagesPerMinute} messages a minute are allowed; try again in ${Math.ceil(activity.minuteOverInMs / 1_000)} s`,
    );
  }
  assertTokensLeft(activity.spent, limits);
  assertBudgetsLeft(activity.budgets);
}

/** @throws RateLimitedError if enough of the viewer's conversations wait in line */
export function assertMayWait({ otherWaitingSessions: waiting }: Activity, limits: CopilotLimits): void {
  if (waiting < limits.waitingPerUser) return;
  throw new RateLimitedError(
    BUSY_RETRY_MS,
    `${waiting} of your conversations wait in line, and ${limits.waitingPerUser} may; wait for one or cancel one`,
  );
}
