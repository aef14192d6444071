import type { MessageImage } from '../../domain/conversation/message-image.ts';
import type { PictureHeader } from '../../domain/conversation/picture.ts';
import type { Message, Viewer } from '../../domain/conversation/session.ts';
import type { MessagePicture } from '../session-store.ts';
import type { Db, Tx } from './database.ts';
import { inGroups, isOneOf, isReadableBy, newId } from './ids.ts';
import { camelKeys } from './row-keys.ts';

/** A picture to be stored; `digest` identifies its content. */
export type NewImage = PictureHeader & { readonly body: Buffer; readonly digest: string };

/** Stores the pictures of a question, which was stored in the same transaction. */
export async function insertMessageImages(
  tx: Tx,
  viewer: Viewer,
  message: Pick<Message, 'id' | 'sessionId'>,
  images: readonly NewImage[],
): Promise<void> {
  for (const [position, { mediaType, width, height, body, digest }] of images.entries()) {
    const owner = { project_id: viewer.projectId, viewer_id: viewer.id };
    const place = { id: newId(), session_id: message.sessionId, message_id: message.id, position };
    await tx
      .insertInto('message_images')
      .values({ ...place, ...owner, media_type: mediaType, width, height, body, digest })
      .execute();
  }
}

/** Copies the pictures of another question of the same session. */
export async function copyMessageImages(
  tx: Tx,
  fromMessageId: string,
  to: Pick<Message, 'id' | 'sessionId'>,
): Promise<void> {
  const rows = await tx
    .selectFrom('message_images')
    .selectAll()
    .where('message_id', '=', fromMessageId)
    .where('session_id', '=', to.sessionId)
    .execute();
  for (const row of rows) {
    await tx
      .insertInto('message_images')
      .values({ ...row, id: newId(), message_id: to.id })
      .execute();
  }
}

/** Digests of a message's pictures, in order. */
export async function readImageDigests(db: Db, messageId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('message_images')
    .select('digest')
    .where('message_id', '=', messageId)
    .orderBy('position')
    .execute();
  return rows.map(({ digest }) => digest);
}

/** The pictures of a message of a session; the caller has checked access to that. */
export async function readMessagePictures(
  db: Db,
  sessionId: string,
  messageId: string,
): Promise<readonly MessagePicture[]> {
  const rows = await db
    .selectFrom('message_images')
    .select(['media_type', 'width', 'height', 'body'])
    .where('message_id', '=', messageId)
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute();
  return rows.map(({ body, ...header }) => ({ ...camelKeys(header), data: body.toString('base64') }));
}

/** The pictures of each of the viewer's messages, without their bytes. One query. */
export async function findImagesOfMessages(
  db: Db,
  viewer: Viewer,
  messageIds: readonly string[],
): Promise<readonly (readonly MessageImage[])[]> {
  const rows = await db
    .selectFrom('message_images')
    .select(['id', 'message_id', 'project_id', 'media_type', 'width', 'height'])
    .where(isOneOf('message_id', messageIds))
    .where(isReadableBy(viewer, 'message_images', 'message_images.session_id'))
    .orderBy('position')
    .execute();
  return inGroups(messageIds, rows.map(camelKeys), ({ messageId }) => messageId);
}

/** The bytes of a picture of the viewer; null for an unknown or foreign one. */
export async function findImageBody(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<{ readonly contentType: string; readonly body: Buffer } | null> {
  const row = await db
    .selectFrom('message_images')
    .select(['media_type', 'body'])
    .where(isOneOf('id', [id]))
    .where(isReadableBy(viewer, 'message_images', 'message_images.session_id'))
    .executeTakeFirst();
  return row ? { contentType: row.media_type, body: row.body } : null;
}
