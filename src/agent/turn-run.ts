/** The contract between the runner, which owns a turn, and the agent, which answers it. */
import type { Message, Session, Turn, TurnError, TurnExtra, Viewer } from '../domain/conversation/session.ts';
import type { ApproveCall } from './loop/call-approval.ts';
import type { TokenBudget } from '../domain/conversation/tokens.ts';
import type { EmitActivity, TurnOutcome } from '../domain/conversation/turn-activity.ts';

export type TurnRun = {
  /** Acts for this viewer. After a restart only the id is known, which is then the name, too. */
  readonly viewer: Viewer;
  readonly session: Session;
  readonly turn: Turn;
  readonly question: Message;
  /** What need not be looked for; absent: not known. */
  readonly lacks?: readonly TurnExtra[];
  readonly emit: EmitActivity;
  /**
   * Fires on cancel, on shutdown and when the log cannot be written any more. Activities are accepted for 50 ms more;
   * then the turn is closed without waiting for the answer function.
   */
  readonly signal: AbortSignal;
  /** What session, user and project have left. */
  readonly budget: TokenBudget;
  /**
   * Messages that the user sent for this turn since it began, or since the last call: with it they are part of the
   * turn. Absent: none can join.
   */
  readonly joinMessages?: () => Promise<readonly Message[]>;
  /** Asks a person about a call that changes something outside. Absent: nobody can be asked. */
  readonly approve?: ApproveCall;
};

/**
 * Answers one turn. Contract: rejects with the signal's reason after an abort; a failure that the user can act on
 * resolves as a `FAILED` outcome; any other rejection is a bug and fails the turn with a general message.
 */
export type AnswerTurn = (run: TurnRun) => Promise<TurnOutcome>;

/** The outcome of a turn that could not begin, for example because its model is no longer offered. */
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
