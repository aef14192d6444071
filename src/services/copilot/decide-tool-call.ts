import type { ToolCall, Viewer } from '../../domain/conversation/session.ts';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { decideApproval, type DecisionResult } from '../../stores/pg/tool-approvals.ts';
import { findToolCalls } from '../../stores/pg/tool-calls.ts';
import { holdSession } from './start-turn.ts';

/** What a person decided about a call. */
export type ToolCallDecision = { readonly toolCallId: string; readonly approve: boolean };

const CONFLICTS: Readonly<Record<Exclude<DecisionResult, 'DECIDED'>, string>> = {
  LATE: 'nobody decided about this call in time, so it was not made; ask for it again',
  DECIDED_BEFORE: 'somebody has decided about this call already; the first decision counts',
  OVER: 'this call waits for no decision: its turn has ended, or it needs none',
};

/**
 * Decides about a call of a running turn that waits for it; the first decision counts.
 * @throws NotFoundError, ConflictError
 */
export async function decideToolCall(
  { db }: { readonly db: Db },
  viewer: Viewer,
  { toolCallId, approve }: ToolCallDecision,
): Promise<ToolCall> {
  const call = await ownCall(db, viewer, toolCallId);
  const result = await transact(db, async (tx) => {
    await holdSession(tx, viewer, call.sessionId);
    const state = approve ? 'APPROVED' : 'DECLINED';
    return decideApproval(tx, call.sessionId, toolCallId, { state, by: viewer.id });
  });
  if (result !== 'DECIDED') throw new ConflictError(CONFLICTS[result]);
  return ownCall(db, viewer, toolCallId);
}

async function ownCall(db: Db, viewer: Viewer, id: string): Promise<ToolCall> {
  const [call] = await findToolCalls(db, viewer, [id]);
  if (!call) throw new NotFoundError(`you have no tool call ${id}`);
  return call;
}
