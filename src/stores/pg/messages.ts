import type { Selectable } from 'kysely';
import { freshnessFromJson, freshnessToJson } from '../../domain/freshness-json.ts';
import type { Message, MessageRole, Viewer } from '../../domain/session.ts';
import { toStoredJson } from '../../domain/stored-text.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, isOneOf } from './ids.ts';
import type { Database } from './tables.ts';

/** A message to be stored; its text holds no NUL and no lone surrogate. */
export type NewMessage = Omit<Message, 'createdAt' | 'turnId'> & {
  readonly turnId: string;
  readonly projectId: string;
  readonly viewerId: string;
};

/** Where a page of messages continues: before this place. A turn has at most one message of each role, question first. */
export type MessagePosition = { readonly number: number; readonly role: MessageRole };

/** A message and where it stands. */
export type PlacedMessage = { readonly message: Message; readonly position: MessagePosition };

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

/** Up to `limit` messages of a session, newest first. The caller has checked access to the session. */
export async function listMessages(
  db: Db,
  sessionId: string,
  page: { readonly limit: number; readonly after: MessagePosition | null },
): Promise<PlacedMessage[]> {
  let query = db
    .selectFrom('turns')
    .innerJoin('messages', 'messages.turn_id', 'turns.id')
    .selectAll('messages')
    .select('turns.number')
    .where('turns.session_id', '=', sessionId)
    .orderBy('turns.number', 'desc')
    .orderBy('messages.role') // ASSISTANT before USER
    .limit(page.limit);
  if (page.after) {
    const { number, role } = page.after;
    query = query
      .where('turns.number', '<=', number)
      .where(({ eb }) => eb.or([eb('turns.number', '<', number), eb('messages.role', '>', role)]));
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    message: rowToMessage(row),
    position: { number: row.number, role: row.role },
  }));
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
    createdAt: row.created_at,
  };
}
