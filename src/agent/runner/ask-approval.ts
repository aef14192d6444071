/** Waits until a person has decided about a call, or may no more. The decision is read from the log, wherever it is made. */
import type { ApprovalOutcome, ApprovalRequest } from '../../domain/conversation/tool-approval.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Db } from '../../stores/pg/database.ts';
import { askApproval, endApproval, readApproval } from '../../stores/pg/tool-approvals.ts';
import type { TurnRef } from '../../stores/pg/turn-finish.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';

/** What it needs; `flush` stores what was emitted before. */
export type AskApprovalDeps = {
  readonly db: Db;
  readonly eventLog: Pick<EventLog, 'follow'>;
  readonly owner: string;
  readonly approvalMs: number;
  readonly retryForMs: number;
  readonly flush: () => Promise<void>;
};

/** Asks, and waits. @throws the reason of `signal` */
export async function waitForApproval(
  deps: AskApprovalDeps,
  turn: TurnRef,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  const { db, owner, approvalMs: forMs, retryForMs } = deps;
  const steadily = <T>(work: () => Promise<T>): Promise<T> => retryWhileUnavailable(work, retryForMs);
  await deps.flush();
  signal.throwIfAborted();
  const asked = await steadily(() => askApproval(db, turn, { owner, forMs }, request));
  if (asked === null) return 'OVER';
  const late = AbortSignal.timeout(forMs);
  const either = AbortSignal.any([signal, late]);
  for await (const { type, payload } of deps.eventLog.follow(turn.sessionId, asked.seq, either)) {
    if (type === 'ToolApprovalEvent' && payload.toolCallId === asked.id) break;
  }
  signal.throwIfAborted();
  // After the event, or after the time: what the row says now counts, and only while the turn is ours.
  const state = await steadily(() =>
    late.aborted ? endApproval(db, turn, owner, asked.id) : readApproval(db, turn, owner, asked.id),
  );
  return state === null || state === 'WAITING' ? 'OVER' : state;
}
