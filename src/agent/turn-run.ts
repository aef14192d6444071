/** Where the runner, which owns a turn's life, meets the agent, which answers it. */
import type { Message, Session, Turn, TurnError, Viewer } from '../domain/conversation/session.ts';
import type { TokenBudget } from '../domain/conversation/token-budget.ts';
import type { EmitActivity, TurnOutcome } from '../domain/conversation/turn-activity.ts';

/** All that an answer function gets to know of the turn it answers. */
export type TurnRun = {
  /** Whom the turn acts for. After a restart only the id is known, which then also stands for the name. */
  readonly viewer: Viewer;
  readonly session: Session;
  readonly turn: Turn;
  readonly question: Message;
  readonly emit: EmitActivity;
  /**
   * Fires on cancel, on shutdown and when the log cannot be written any more. What is emitted within 50 ms after it is
   * still kept; then the turn is closed from the log, without waiting for the answer function.
   */
  readonly signal: AbortSignal;
  /** What session, user and project have left for it. */
  readonly budget: TokenBudget;
};

/**
 * Answers one turn. Contract: rejects with the signal's reason after an abort; a failure that the user can act on
 * resolves as a `FAILED` outcome; any other rejection is a bug and fails the turn with a general message.
 */
export type AnswerTurn = (run: TurnRun) => Promise<TurnOutcome>;

/** How a turn ends that could not even begin, for example because its model is no longer offered. */
export function failedBefore({ turn }: TurnRun, error: TurnError): TurnOutcome {
  return {
    status: 'FAILED',
    model: turn.model,
    usage: null,
    rounds: 0,
    error,
    assessment: null,
    strippedTables: 0,
  };
}
