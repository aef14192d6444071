/**
 * Calls that wait for a person. All of it is decided in the row of the call, with the session locked: a call leaves WAITING
 * once, and only while its turn runs at the process that asked.
 */
import { type RawBuilder, sql } from 'kysely';
import type { JsonObject } from '../../domain/visuals.ts';
import type {
  ApprovalRequest,
  ApprovalState,
  ToolApproval,
} from '../../domain/conversation/tool-approval.ts';
import { type Db, type Tx, transact } from './database.ts';
import { insertEvents } from './events.ts';
import { lockSession } from './sessions.ts';
import type { TurnRef } from './turn-finish.ts';

/** A call that was asked about. */
export type AskedCall = {
  /** Of its record. */
  readonly id: string;
  /** Number of the event that asks. */
  readonly seq: number;
};

/** The clock of the database counts, as for leases. */
const LATER = (ms: number): RawBuilder<Date> => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;

/**
 * Asks about a call of a running turn of `owner`, whose start is stored. Null for a turn that is lost or to be cancelled.
 */
export function askApproval(
  db: Db,
  ref: TurnRef,
  { owner, forMs }: { readonly owner: string; readonly forMs: number },
  { callId, server, tool, arguments: args }: ApprovalRequest,
): Promise<AskedCall | null> {
  return transact(db, async (tx) => {
    if ((await lockSession(tx, ref.sessionId)) === null || !(await isRunning(tx, ref, owner))) return null;
    const { rows } = await sql<{ until: Date }>`select ${LATER(forMs)} as until`.execute(tx);
    const approval: ToolApproval = {
      state: 'WAITING',
      server,
      tool,
      until: (rows[0]?.until ?? new Date()).toISOString(),
      decidedBy: null,
      decidedAt: null,
    };
    const row = await tx
      .updateTable('tool_calls')
      .set({ approval: JSON.stringify(approval) })
      .where('turn_id', '=', ref.id)
      .where('call_id', '=', callId)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) throw new Error(`call ${callId} of turn ${ref.id} has no record`);
    const seq = await announce(tx, ref, { id: row.id, callId, arguments: args }, approval);
    return { id: row.id, seq };
  });
}

/** How a decision went: made, too late, made before by somebody, or about a call that waits no more. */
export type DecisionResult = 'DECIDED' | 'LATE' | 'DECIDED_BEFORE' | 'OVER';

/** Decides about a call that waits; `session` is locked. `by` null: nobody did in time. */
export async function decideApproval(
  tx: Tx,
  sessionId: string,
  toolCallId: string,
  decision: { readonly state: Exclude<ApprovalState, 'WAITING'>; readonly by: string | null },
): Promise<DecisionResult> {
  const row = await tx
    .selectFrom('tool_calls')
    .innerJoin('turns', 'turns.id', 'tool_calls.turn_id')
    .select(['tool_calls.turn_id', 'call_id', 'arguments', 'approval', 'tool_calls.status'])
    .select(['turns.status as turn_status', 'cancel_requested_at'])
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('tool_calls.id', '=', toolCallId)
    .where('tool_calls.session_id', '=', sessionId)
    .executeTakeFirst();
  if (row?.approval == null) return 'OVER';
  const { approval, now } = row;
  if (approval.state === 'EXPIRED') return 'LATE';
  if (approval.state !== 'WAITING') return 'DECIDED_BEFORE';
  const isOpen =
    row.turn_status === 'RUNNING' && row.cancel_requested_at === null && row.status === 'RUNNING';
  if (!isOpen) return 'OVER';
  if (decision.state !== 'EXPIRED' && new Date(approval.until) <= now) return 'LATE';
  const decided: ToolApproval = {
    ...approval,
    state: decision.state,
    decidedBy: decision.by,
    decidedAt: now.toISOString(),
  };
  await tx
    .updateTable('tool_calls')
    .set({ approval: JSON.stringify(decided) })
    .where('id', '=', toolCallId)
    .execute();
  const call = { id: toolCallId, callId: row.call_id, arguments: row.arguments as JsonObject };
  await announce(tx, { id: row.turn_id, sessionId }, call, decided);
  return 'DECIDED';
}

/** What was decided about a call, if its turn still runs at `owner` and is not to be cancelled; null otherwise. */
export async function readApproval(
  db: Db,
  ref: TurnRef,
  owner: string,
  toolCallId: string,
): Promise<ApprovalState | null> {
  const row = await db
    .selectFrom('tool_calls')
    .innerJoin('turns', 'turns.id', 'tool_calls.turn_id')
    .select('approval')
    .where('tool_calls.id', '=', toolCallId)
    .where('turns.id', '=', ref.id)
    .where('turns.status', '=', 'RUNNING')
    .where('turns.owner', '=', owner)
    .where('turns.cancel_requested_at', 'is', null)
    .executeTakeFirst();
  return row?.approval?.state ?? null;
}

/** Lets nobody decide about a call any more; returns what was decided before. */
export function endApproval(
  db: Db,
  ref: TurnRef,
  owner: string,
  toolCallId: string,
): Promise<ApprovalState | null> {
  return transact(db, async (tx) => {
    if ((await lockSession(tx, ref.sessionId)) === null) return null;
    await decideApproval(tx, ref.sessionId, toolCallId, { state: 'EXPIRED', by: null });
    return readApproval(tx, ref, owner, toolCallId);
  });
}

async function isRunning(tx: Tx, { id }: TurnRef, owner: string): Promise<boolean> {
  const row = await tx
    .selectFrom('turns')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('owner', '=', owner)
    .where('cancel_requested_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

const announce = (
  tx: Tx,
  { id: turnId, sessionId }: TurnRef,
  call: { readonly id: string; readonly callId: string; readonly arguments: JsonObject },
  approval: ToolApproval,
): Promise<number> =>
  insertEvents(tx, sessionId, turnId, [
    {
      type: 'ToolApprovalEvent',
      payload: { callId: call.callId, toolCallId: call.id, arguments: call.arguments, ...approval },
    },
  ]);
