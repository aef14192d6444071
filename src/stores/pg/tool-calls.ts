import type { Selectable } from 'kysely';
import type { ToolCall, Viewer } from '../../domain/conversation/session.ts';
import { freshnessFromJson, freshnessToJson } from '../../domain/values/freshness-json.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf } from './ids.ts';
import type { Database } from './tables.ts';

/** A tool call as a row for `json_populate_recordset`: columns by name, `json` columns as values. */
export function toolCallToRow(call: ToolCall): object {
  return {
    id: call.id,
    session_id: call.sessionId,
    turn_id: call.turnId,
    call_id: call.callId,
    tool: call.tool,
    label: call.label,
    description: call.description,
    arguments: call.arguments,
    status: call.status,
    duration_ms: call.durationMs,
    data_source: call.dataSource,
    preview: call.preview,
    freshness: call.freshness && freshnessToJson(call.freshness),
    result_json: call.resultJson,
    error: call.error,
  };
}

/** The viewer's tool calls in the order of `ids`. */
export async function findToolCalls(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(ToolCall | null)[]> {
  const rows = await ofViewer(db, viewer).where(isOneOf('tool_calls.id', ids)).execute();
  return inOrder(ids, rows.map(rowToToolCall));
}

/** The tool calls of each of the viewer's turns, in the order in which they were started. */
export async function findToolCallsOfTurns(
  db: Db,
  viewer: Viewer,
  turnIds: readonly string[],
): Promise<ToolCall[][]> {
  const rows = await ofViewer(db, viewer)
    .where(isOneOf('turn_id', turnIds))
    .orderBy('tool_calls.id') // made by one process as the calls start, so in their order
    .execute();
  const byTurn = Map.groupBy(rows.map(rowToToolCall), ({ turnId }) => turnId);
  return turnIds.map((id) => byTurn.get(id) ?? []);
}

/** The tool calls of a turn in the order in which they were started; the caller has checked access to its session. */
export async function listToolCalls(db: Db, sessionId: string, turnId: string): Promise<ToolCall[]> {
  const rows = await db
    .selectFrom('tool_calls')
    .selectAll()
    .where('turn_id', '=', turnId)
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
  return rows.map(rowToToolCall);
}

const ofViewer = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('tool_calls')
    .innerJoin('sessions', 'sessions.id', 'tool_calls.session_id')
    .selectAll('tool_calls')
    .where('sessions.project_id', '=', viewer.projectId)
    .where('sessions.viewer_id', '=', viewer.id);

function rowToToolCall(row: Selectable<Database['tool_calls']>): ToolCall {
  return {
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    callId: row.call_id,
    tool: row.tool,
    label: row.label,
    description: row.description,
    arguments: row.arguments,
    status: row.status,
    durationMs: row.duration_ms,
    dataSource: row.data_source,
    preview: row.preview,
    freshness: row.freshness && freshnessFromJson(row.freshness),
    resultJson: row.result_json,
    error: row.error,
  };
}
