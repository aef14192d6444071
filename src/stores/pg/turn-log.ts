/** What turns did, for looking back: newest first, with the model calls of each. */
import { stepRecordSchema, type ModelCallSummary } from '../../domain/conversation/step-record.ts';
import type { Turn, Viewer } from '../../domain/conversation/session.ts';
import type { Db } from './database.ts';
import { inGroups, isOneOf, isOwnedBy } from './ids.ts';
import { bodyOf } from './step-records.ts';
import { rowToTurn } from './turns.ts';

/** Which turns are wanted; null for no restriction. */
export type TurnLogRequest = {
  /** Null for operators only: the turns of everybody. */
  readonly viewer: Viewer | null;
  readonly since: Date | null;
  readonly sessionId: string | null;
  /** Those that failed or were interrupted. */
  readonly failedOnly: boolean;
  readonly most: number;
};

/** The newest turns, newest first. */
export async function findTurnLog(
  db: Db,
  { viewer, since, sessionId, failedOnly, most }: TurnLogRequest,
): Promise<Turn[]> {
  let rows = db
    .selectFrom('turns')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  if (viewer !== null) rows = rows.where(isOwnedBy(viewer));
  if (since !== null) rows = rows.where('created_at', '>=', since);
  if (sessionId !== null) rows = rows.where(isOneOf('session_id', [sessionId]));
  if (failedOnly) rows = rows.where('status', 'in', ['FAILED', 'INTERRUPTED']);
  return (await rows.execute()).map(rowToTurn);
}

/** The model calls of each turn, in order; the caller has checked access to the turns. */
export async function findModelCalls(
  db: Db,
  turnIds: readonly string[],
): Promise<readonly (readonly ModelCallSummary[])[]> {
  const rows = await db
    .selectFrom('step_records')
    .select(['turn_id as turnId', 'body', 'body_zstd'])
    .where(isOneOf('turn_id', turnIds))
    .orderBy('number')
    .execute();
  const summaries = await Promise.all(
    rows.map(async ({ turnId, ...row }) => summaryOf(turnId, await bodyOf(row))),
  );
  return inGroups(turnIds, summaries, ({ turnId }) => turnId);
}

const kept = stepRecordSchema.pick({
  number: true,
  purpose: true,
  model: true,
  provider: true,
  reason: true,
  usage: true,
  error: true,
  durationMs: true,
  calls: true,
});

function summaryOf(turnId: string, body: object): ModelCallSummary {
  const { calls, ...record } = kept.parse(body);
  return { ...record, turnId, toolCalls: calls.length };
}
