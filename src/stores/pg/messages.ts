import type { Selectable } from 'kysely';
import type { Message, Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { freshnessFromJson, freshnessToJson } from '../../domain/values/freshness-json.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, isOneOf } from './ids.ts';
import type { Database } from './tables.ts';

/** A message to be stored; its text holds no NUL and no lone surrogate. */
export type NewMessage = Omit<Message, 'createdAt' | 'turnId'> & {
  readonly turnId: string;
  readonly projectId: string;
  readonly viewerId: string;
};

/** Stores a message; it is never changed. */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<Message> {
  const row = await tx
    .insertInto('messages')
    .values({
      id: message.id,
      session_id: message.sessionId,
      turn_id: message.turnId,
      project_id: message.projectId,
      viewer_id: message.viewerId,
      role: message.role,
      text: message.text,
      blocks: toStoredJson(message.blocks),
      freshness: JSON.stringify(message.freshness.map(freshnessToJson)),
      model: message.model,
      assessment: message.assessment,
      stripped_tables: message.strippedTables,
      unverified_table: message.unverifiedTable,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToMessage(row);
}

/** The viewer's messages in the order of `ids`. */
export async function findMessages(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(Message | null)[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where(isOneOf('id', ids))
    .where('project_id', '=', viewer.projectId)
    .where('viewer_id', '=', viewer.id)
    .execute();
  return inOrder(ids, rows.map(rowToMessage));
}

/** A message of a session; the caller has checked access to that. */
export async function findMessageOfSession(
  db: Db,
  sessionId: string,
  messageId: string,
): Promise<Message | null> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return row ? rowToMessage(row) : null;
}

/** A row as the domain's word for it. */
export function rowToMessage(row: Selectable<Database['messages']>): Message {
  return {
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    role: row.role,
    text: row.text,
    blocks: row.blocks,
    freshness: row.freshness.map(freshnessFromJson),
    model: row.model,
    assessment: row.assessment,
    strippedTables: row.stripped_tables,
    unverifiedTable: row.unverified_table,
    createdAt: row.created_at,
  };
}
