import { type Selectable, sql } from 'kysely';
import type {
  Assessment,
  FinalTurnStatus,
  Turn,
  TurnError,
  TurnStatus,
  Usage,
} from '../../domain/conversation/session.ts';
import type { NewSessionEvent } from '../../domain/conversation/session-event.ts';
import { foldTurn, type Transcript } from '../../domain/conversation/transcript.ts';
import { PREPARED, readOne, transact, type Db, type Tx } from './database.ts';
import { TURN_DELIVERIES } from './ended-deliveries.ts';
import { grownLog, WAKES } from './events.ts';
import { newId } from './ids.ts';
import { insertMessage, type NewMessage } from './messages.ts';
import type { Database } from './tables.ts';
import { releaseHold } from './token-holds.ts';
import { rowToTurn } from './turns.ts';
import { countedInSession, countInDay } from './usage.ts';

/**
 * Who may end a turn: its owner; anyone, once the lease has expired (`successor`) or for an owner whose process is known
 * to be gone (`heir`); and a viewer who withdraws it from the queue. Successors and heirs wait for no lock.
 */
export type FinishRight =
  { readonly as: 'owner'; readonly owner: string } | SuccessionRight | { readonly as: 'withdrawal' };

/** The right to end other owners' turns. */
export type SuccessionRight = { readonly as: 'successor' } | { readonly as: 'heir'; readonly of: string };

/** How a turn ends. Nulls are filled in from the log. */
export type TurnEnd = {
  readonly status: FinalTurnStatus;
  readonly error: TurnError | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly rounds: number | null;
  readonly assessment: Assessment | null;
  readonly strippedTables: number;
  readonly tokensPerEstimate?: number;
};

const waits = ({ as }: FinishRight): boolean => as === 'owner' || as === 'withdrawal';

/** The values of an ending that is known only from the log. */
export const NOTHING_KNOWN = {
  model: null,
  usage: null,
  rounds: null,
  assessment: null,
  strippedTables: 0,
} as const;

/** A turn and its session. */
export type TurnRef = { readonly id: string; readonly sessionId: string };

/**
 * Ends a turn, in one transaction: open tool calls end as cancelled, the message is built from the log, and the
 * terminal event is added. Null, without a change, if the turn has already ended, `right` does not apply, or somebody
 * whom a successor would have to wait for holds the session; so it is safe to repeat.
 */
export async function finishTurn(
  db: Db,
  ref: TurnRef,
  right: FinishRight,
  end: TurnEnd,
): Promise<Turn | null> {
  return transact(db, async (tx) => {
    const turn = await takeTurn(tx, ref, right);
    return turn && closeTurn(tx, turn, end);
  });
}

/** Ends a turn that never started, in a transaction that holds the session's row: as cancelled, or as joined. */
export async function withdrawTurn(
  tx: Tx,
  ref: TurnRef,
  reason: string | null,
  status: 'CANCELLED' | 'JOINED' = 'CANCELLED',
): Promise<Turn | null> {
  const turn = await takeTurn(tx, ref, { as: 'withdrawal' });
  return turn && closeTurn(tx, { ...turn, cancel_reason: reason }, { status, error: null, ...NOTHING_KNOWN });
}

type TurnRow = Selectable<Database['turns']>;
type TakenTurn = TurnRow & { readonly log: readonly NewSessionEvent[] | null };

/** Locks the session, then the turn, and reads it with its events if it may be ended. */
async function takeTurn(tx: Tx, { id, sessionId }: TurnRef, right: FinishRight): Promise<TakenTurn | null> {
  const status: TurnStatus = right.as === 'withdrawal' ? 'QUEUED' : 'RUNNING';
  const owner = right.as === 'owner' ? right.owner : right.as === 'heir' ? right.of : null;
  const { rows } = await sql<TakenTurn>`${PREPARED}
    select (taken.turn).*, log
    from take_turn(${id}, ${sessionId}, ${status}, ${owner}, ${right.as === 'successor'}, ${waits(right)}) as taken
  `.execute(tx);
  return rows[0] ?? null;
}

async function closeTurn(tx: Tx, { log, ...turn }: TakenTurn, end: TurnEnd): Promise<Turn> {
  const transcript = foldTurn(log ?? []);
  const usage = end.usage ?? transcript.usage;
  const rounds = end.rounds ?? transcript.rounds;
  const error = end.status === 'CANCELLED' ? reasonOf(turn) : end.error;
  const answer =
    transcript.blocks.length > 0 || end.status === 'COMPLETED'
      ? answerOf(turn, transcript, { ...end, model: end.model ?? usage?.model ?? null })
      : null;
  const closedIds = transcript.openCalls.length > 0 ? await closeToolCalls(tx, turn.id) : NONE_CLOSED;
  const events: NewSessionEvent[] = [
    ...transcript.openCalls.map(({ callId, tool }) =>
      cancelledCall(callId, tool, closedIds.get(callId) ?? null),
    ),
    {
      type: 'TurnFinishedEvent',
      payload: { status: end.status, messageId: answer?.id ?? null, usage, rounds, error },
    },
  ];
  const ended = tx
    .updateTable('turns')
    .set({
      status: end.status,
      answer_id: answer?.id ?? null,
      rounds,
      usage: usage && JSON.stringify(usage),
      tokens_per_estimate: end.tokensPerEstimate ?? null,
      error: error && JSON.stringify(error),
      lease_expires_at: null,
      finished_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', turn.id)
    .returningAll();
  const spender = { viewerId: turn.viewer_id, projectId: turn.project_id };
  const row = await readOne(
    sql<TurnRow>`${PREPARED}
      with ${grownLog(turn.session_id, turn.id, events, usage && countedInSession(usage))}
      , hold as (${releaseHold(tx, turn.id)}), ended as (${ended}), told as (${TURN_DELIVERIES})
      ${answer === null ? sql`` : sql`, answer as (${insertMessage(tx, answer)})`}
      ${usage === null && turn.started_at === null ? sql`` : sql`, day as (${countInDay(spender, usage ?? undefined)})`}
      select ended.*, ${WAKES} from ended, log`,
    tx,
  );
  return rowToTurn(row);
}

/** The reason given for cancelling a turn, if any. */
const reasonOf = ({ cancel_reason: message }: TurnRow): TurnError | null =>
  message === null ? null : { code: 'CANCELLED', message, retryable: true };

const answerOf = (
  turn: TurnRow,
  { text, unverifiedTable, blocks, freshness }: Transcript,
  { model, assessment, strippedTables }: TurnEnd,
): NewMessage => ({
  id: newId(),
  sessionId: turn.session_id,
  turnId: turn.id,
  projectId: turn.project_id,
  viewerId: turn.viewer_id,
  role: 'ASSISTANT',
  text,
  blocks,
  freshness,
  model,
  assessment,
  strippedTables,
  unverifiedTable,
});

const NONE_CLOSED: ReadonlyMap<string, string> = new Map();

/** Returns the ids of the calls that were open, by the model's call ids. */
async function closeToolCalls(tx: Tx, turnId: string): Promise<ReadonlyMap<string, string>> {
  const closed = await tx
    .updateTable('tool_calls')
    .set({ status: 'CANCELLED', preview: CANCELLED_PREVIEW })
    .where('turn_id', '=', turnId)
    .where('status', '=', 'RUNNING')
    .returning(['id', 'call_id'])
    .execute();
  return new Map(closed.map(({ id, call_id: callId }) => [callId, id]));
}

const CANCELLED_PREVIEW = 'Not finished';

const cancelledCall = (callId: string, tool: string, resultId: string | null): NewSessionEvent => ({
  type: 'ToolCallFinishedEvent',
  payload: {
    callId,
    tool,
    status: 'CANCELLED',
    durationMs: 0,
    dataSource: null,
    preview: CANCELLED_PREVIEW,
    freshness: null,
    resultId,
    error: null,
  },
});
