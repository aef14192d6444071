import type { Selectable } from 'kysely';
import type { Message, Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { freshnessFromJson, freshnessToJson } from '../../domain/values/freshness.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, isOneOf, isReadableBy } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** A message to be stored; its text holds no NUL and no lone surrogate. */
export type NewMessage = Omit<Message, 'createdAt' | 'turnId'> & {
  readonly turnId: string;
  readonly projectId: string;
  readonly viewerId: string;
};

/** The statement that stores a message; messages are immutable. */
export const insertMessage = (tx: Tx, message: NewMessage) =>
  tx.insertInto('messages').values({
    ...snakeKeys(message),
    blocks: toStoredJson(message.blocks),
    freshness: JSON.stringify(message.freshness.map(freshnessToJson)),
  });

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
    .where(isReadableBy(viewer, 'messages', 'messages.session_id'))
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

/** A row as a domain object. */
export function rowToMessage(row: Selectable<Database['messages']>): Message {
  const { projectId: _project, viewerId: _viewer, ...message } = camelKeys(row);
  return { ...message, freshness: row.freshness.map(freshnessFromJson) };
}
