import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Turn, TurnError, Viewer } from '../../domain/conversation/session.ts';
import type { TokenBudget } from '../../domain/conversation/tokens.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import type { EventLog } from '../../events/event-log.ts';
import { DiskFullError, OutageError } from '../../base/errors.ts';
import { Patience, withinBudget } from '../../base/read-budget.ts';
import type { Logger } from '../../base/log.ts';
import { openTokenBudget, type TokenLimits } from '../../services/copilot/token-budget.ts';
import type { Db } from '../../stores/pg/database.ts';
import { NOTHING_KNOWN, finishTurn, type TurnEnd } from '../../stores/pg/turn-finish.ts';
import { hasJoining, joinMessages } from '../../stores/pg/turn-join.ts';
import type { StartedTurn } from '../../stores/pg/turn-start.ts';
import { isUnavailable, retryUntil, retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import type { AnswerTurn } from '../turn-run.ts';
import { waitForApproval } from './ask-approval.ts';
import { cleanError } from './event-batch.ts';
import { TurnLostError, createEventWriter } from './event-writer.ts';
import { logEnd, loggedTools } from './turn-log.ts';

/** Reason of the abort signal of a run that is ended from outside. */
export class TurnStoppedError extends Error {
  readonly why: 'CANCELLED' | 'SHUTDOWN';
  constructor(why: 'CANCELLED' | 'SHUTDOWN') {
    super(why === 'CANCELLED' ? 'the turn was cancelled' : 'the server is shutting down');
    this.why = why;
  }
}

export type RunTurnDeps = {
  readonly tracing: Tracing;
  readonly db: Db;
  readonly eventLog: EventLog;
  readonly answerTurn: AnswerTurn;
  readonly log: Logger;
  readonly owner: string;
  readonly budgets: TokenLimits;
  /** How long an answer function may take to end after an abort. */
  readonly graceMs: number;
  /** How long a call waits for a person to approve it. */
  readonly approvalMs: number;
  /** How long an unavailable database is retried. */
  readonly retryForMs: number;
  /** Fires when the process stops, and the end of a turn may be left to another one. */
  readonly stopping: AbortSignal;
};

/** The error of a turn that was left unfinished: its process stopped, or could not store what it wrote. */
export const INTERRUPTED: TurnError = {
  code: 'INTERRUPTED',
  message: 'This answer was cut off before it was complete. Ask again to get it.',
  retryable: true,
};

const INTERNAL: TurnError = {
  code: 'INTERNAL',
  message: 'Something went wrong on our side while answering. Ask again; if it happens once more, report it.',
  retryable: true,
};

/** How long a turn waits for a calibration database that is away: longer than one takes to start. */
const PATIENCE_MS = 10_000;

/**
 * Runs a started turn to its end. Whatever the answer function does, the turn is closed with exactly one terminal
 * event, unless another process closed it or the database is unavailable until this process stops; then its lease
 * expires and a successor closes it. `control` ends the run, with the reason; `agent` names who answers in traces.
 */
export async function runTurn(
  deps: RunTurnDeps,
  started: StartedTurn & { readonly viewer: Viewer },
  control: AbortController,
  agent: string,
): Promise<void> {
  const { session, turn } = started;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent,
    'gen_ai.conversation.id': session.id,
    'qpilot.turn.id': turn.id,
  };
  const options = { attributes, parent: started.traceparent };
  await deps.tracing.span(`invoke_agent ${agent}`, options, async (span) => {
    let writeFailure: TurnEnd | null = null;
    const writer = createEventWriter({
      turn: { sessionId: session.id, turnId: turn.id, owner: deps.owner },
      append: (batch) => deps.eventLog.append(batch),
      viewers: () => deps.eventLog.followersOf(session.id),
      onCancelRequested: () => control.abort(new TurnStoppedError('CANCELLED')),
      onFailure: (error) => {
        writeFailure = endOfWriteFailure(error, turn.id, deps);
        control.abort(error);
      },
      retryForMs: deps.retryForMs,
    });
    const answer = async (): Promise<TurnOutcome> =>
      deps.answerTurn({
        ...started,
        emit: loggedTools(deps.log, turn, writer.emit),
        signal: control.signal,
        budget: budgetOf(deps, started),
        joinMessages: () => joinWaiting(deps, turn, writer),
        approve: (request, signal) =>
          waitForApproval({ ...deps, flush: () => writer.flush() }, turn, request, signal),
      });
    const patience = new Patience(PATIENCE_MS, () =>
      writer.emit({
        type: 'status',
        phase: 'WAITING',
        text: 'The calibration database does not answer; waiting for it',
      }),
    );
    // What it reads of a calibration database ends with it, whether or not a tool asks.
    const answering = withinBudget(control.signal, Infinity, answer, patience);
    const end = await endOf(answering, control.signal, deps);
    span.set({ 'qpilot.turn.status': end.status });
    if (end.error) span.fail(end.error.code);
    await writer.close();
    if (control.signal.reason instanceof TurnLostError) return;
    // An open turn holds up its conversation.
    const ended = await retryUntil(
      () => deps.stopping.aborted,
      () => finishTurn(deps.db, turn, { as: 'owner', owner: deps.owner }, writeFailure ?? end),
      deps.retryForMs,
    );
    if (ended !== null) logEnd(deps.log, started, ended);
  });
}

/** The end of the turn: the answer function's outcome, or INTERRUPTED or CANCELLED soon after the signal fired. */
async function endOf(answer: Promise<TurnOutcome>, signal: AbortSignal, deps: RunTurnDeps): Promise<TurnEnd> {
  const decided = new AbortController();
  try {
    const outcome = await Promise.race([answer, graceOver(signal, deps.graceMs, decided.signal)]);
    if (outcome !== null && !signal.aborted) {
      return { ...outcome, error: outcome.error && cleanError(outcome.error) };
    }
  } catch (error) {
    if (!signal.aborted && error instanceof OutageError) {
      deps.log.warn({ err: error }, 'a turn failed because a store was away or too slow, or had no room');
      return failedBy(error);
    }
    if (!signal.aborted) {
      deps.log.error({ err: error }, 'a turn failed unexpectedly');
      return { ...NOTHING_KNOWN, status: 'FAILED', error: INTERNAL };
    }
  } finally {
    decided.abort();
  }
  const reason: unknown = signal.reason;
  return reason instanceof TurnStoppedError && reason.why === 'CANCELLED'
    ? { ...NOTHING_KNOWN, status: 'CANCELLED', error: null }
    : { ...NOTHING_KNOWN, status: 'INTERRUPTED', error: INTERRUPTED };
}

const failedBy = ({ code, message, retryAfterMs }: OutageError): TurnEnd => ({
  ...NOTHING_KNOWN,
  status: 'FAILED',
  error: { code, message, retryable: retryAfterMs !== null },
});

/** How a turn ends when its events could not be written: interrupted, unless the disk is full or a bug was the cause. */
function endOfWriteFailure(error: unknown, turnId: string, { log }: RunTurnDeps): TurnEnd {
  if (error instanceof DiskFullError) return failedBy(error);
  if (error instanceof TurnLostError || isUnavailable(error)) {
    return { ...NOTHING_KNOWN, status: 'INTERRUPTED', error: INTERRUPTED };
  }
  log.error({ err: error, turnId }, 'the events of a turn could not be written');
  return { ...NOTHING_KNOWN, status: 'FAILED', error: INTERNAL };
}

/** Resolves `graceMs` after `signal` has fired. Rejects when the end is `decided` before. */
async function graceOver(signal: AbortSignal, graceMs: number, decided: AbortSignal): Promise<null> {
  if (!signal.aborted) await once(signal, 'abort', { signal: decided });
  return sleep(graceMs, null, { signal: decided });
}

/** What was emitted before is stored first, so that the messages come after it. */
async function joinWaiting(
  { db, owner, retryForMs }: RunTurnDeps,
  turn: Turn,
  writer: Pick<ReturnType<typeof createEventWriter>, 'flush'>,
): Promise<readonly Message[]> {
  if (!(await retryWhileUnavailable(() => hasJoining(db, turn.id), retryForMs))) return [];
  await writer.flush();
  return joinMessages(db, turn, owner);
}

function budgetOf({ db, budgets, retryForMs }: RunTurnDeps, { session, turn }: StartedTurn): TokenBudget {
  const { viewerId, projectId, id: sessionId, kind } = session;
  const budget = openTokenBudget(db, { id: turn.id, sessionId, viewerId, projectId, kind }, budgets);
  return { hold: (tokens) => retryWhileUnavailable(() => budget.hold(tokens), retryForMs) };
}
