/** Pictures of messages: checked as they come, shown again to whom they belong to. */
import { createHash } from 'node:crypto';
import type { MessageImage } from '../../domain/conversation/message-image.ts';
import {
  MAX_PICTURES,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE,
  readPictureHeader,
} from '../../domain/conversation/picture.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findImageBody, findImagesOfMessages, type NewImage } from '../../stores/pg/message-images.ts';
import type { SentFile } from '../uploads.ts';

/** Pictures of the viewer's messages. */
export type MessageImages = {
  /** For each message, in the order in which they were sent. One read. */
  ofMessages(viewer: Viewer, messageIds: readonly string[]): Promise<readonly (readonly MessageImage[])[]>;
  /** Null for an unknown or foreign picture. */
  read(viewer: Viewer, id: string): Promise<{ readonly contentType: string; readonly body: Buffer } | null>;
};

/** Pictures in Postgres. */
export const createMessageImages = ({ db }: { readonly db: Db }): MessageImages => ({
  ofMessages: (viewer, messageIds) => findImagesOfMessages(db, viewer, messageIds),
  read: (viewer, id) => findImageBody(db, viewer, id),
});

/** @throws InvalidInputError naming each picture that cannot be taken, and why. */
export async function readSentImages(files: readonly SentFile[]): Promise<readonly NewImage[]> {
  if (files.length > MAX_PICTURES) {
    const message = `must be at most ${MAX_PICTURES} pictures`;
    throw new InvalidInputError([{ path: ['input', 'images'], message }]);
  }
  const read = await Promise.all(files.map(readSentImage));
  const problems = read.flatMap((each, at) =>
    typeof each === 'string' ? [{ path: ['input', 'images', String(at)], message: each }] : [],
  );
  if (problems.length > 0) throw new InvalidInputError(problems);
  return read.filter((each) => typeof each !== 'string');
}

/** A picture, or why it is not taken. What the client says of the file is not asked. */
async function readSentImage(file: SentFile): Promise<NewImage | string> {
  if (file.size > MAX_PICTURE_BYTES) {
    return `has ${file.size.toLocaleString('en')} bytes; at most 5 MiB (${MAX_PICTURE_BYTES.toLocaleString('en')}) are taken`;
  }
  const body = Buffer.from(await file.arrayBuffer());
  const header = readPictureHeader(body);
  if (header === null) return 'is no PNG, JPEG or WebP, or its header is broken';
  if (Math.max(header.width, header.height) > MAX_PICTURE_SIDE) {
    return `is ${header.width} × ${header.height} pixels; at most ${MAX_PICTURE_SIDE} on a side are taken`;
  }
  return { ...header, body, digest: createHash('sha256').update(body).digest('hex') };
}
