import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Selectable } from 'kysely';
import type { ToolCall, Viewer } from '../../domain/conversation/session.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import { freshnessFromJson, freshnessToJson } from '../../domain/values/freshness.ts';
import type { Db } from './database.ts';
import { inGroups, inOrder, isOneOf, isReadableBy } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** Shorter results are not worth compressing. */
const SHORT_RESULT = 1_000;

/** A tool call as a row for `json_populate_recordset`: columns by name, `json` columns as values, bytes as hex. */
export function toolCallToRow({ resultJson, ...call }: ToolCall): object {
  const isLong = resultJson !== null && resultJson.length > SHORT_RESULT;
  return snakeKeys({
    ...call,
    freshness: call.freshness && freshnessToJson(call.freshness),
    resultJson: isLong ? null : resultJson,
    resultZstd: isLong ? `\\x${zstdCompressSync(toStoredText(resultJson)).toString('hex')}` : null,
  });
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
  return inGroups(turnIds, rows.map(rowToToolCall), ({ turnId }) => turnId);
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
    .where(isReadableBy(viewer, 'sessions', 'sessions.id'));

const rowToToolCall = ({ result_zstd: zstd, ...row }: Selectable<Database['tool_calls']>): ToolCall => ({
  ...camelKeys(row),
  freshness: row.freshness && freshnessFromJson(row.freshness),
  resultJson: zstd === null ? row.result_json : zstdDecompressSync(zstd).toString(),
});
