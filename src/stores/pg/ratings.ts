import { type Selectable, sql } from 'kysely';
import type { MessageRating, Viewer } from '../../domain/conversation/session.ts';
import type { Db, Tx } from './database.ts';
import { inOrderOf, isOneOf } from './ids.ts';
import { camelKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/**
 * Stores the viewer's rating of a message, replacing an earlier one. The caller has checked access to the
 * message.
 */
export async function putRating(
  tx: Tx,
  viewer: Viewer,
  messageId: string,
  { rating, kind, comment, correctedAnswer }: Omit<MessageRating, 'ratedAt'>,
): Promise<void> {
  const row = { rating, kind, comment, corrected_answer: correctedAnswer };
  await tx
    .insertInto('ratings')
    .values({ message_id: messageId, viewer_id: viewer.id, ...row })
    .onConflict((conflict) =>
      conflict.columns(['message_id', 'viewer_id']).doUpdateSet({ ...row, rated_at: sql<Date>`now()` }),
    )
    .execute();
}

/** The viewer's own ratings of messages, in the order of `messageIds`, null where there is none. */
export async function findRatings(
  db: Db,
  viewer: Viewer,
  messageIds: readonly string[],
): Promise<(MessageRating | null)[]> {
  const rows = await db
    .selectFrom('ratings')
    .innerJoin('messages', 'messages.id', 'ratings.message_id')
    .selectAll('ratings')
    .where(isOneOf('message_id', messageIds))
    .where('ratings.viewer_id', '=', viewer.id)
    .where('messages.project_id', '=', viewer.projectId)
    .execute();
  const ratings = inOrderOf(messageIds, rows, (row) => row.message_id);
  return ratings.map((row) => row && rowToRating(row));
}

function rowToRating(row: Selectable<Database['ratings']>): MessageRating {
  const { messageId: _message, viewerId: _viewer, ...rating } = camelKeys(row);
  return rating;
}
