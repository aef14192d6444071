/** Images of messages: checked on arrival, shown only to their owner. */
import { createHash } from 'node:crypto';
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

/** Images of the viewer's messages. */
export type MessageImages = ReturnType<typeof createMessageImages>;

/** Images in Postgres. */
export const createMessageImages = ({ db }: { readonly db: Db }) => ({
  /** For each message, in the order in which they were sent. One read. */
  ofMessages: (viewer: Viewer, messageIds: readonly string[]) => findImagesOfMessages(db, viewer, messageIds),
  /** Content type and bytes; null for an unknown or foreign image. */
  read: (viewer: Viewer, id: string) => findImageBody(db, viewer, id),
});

/** Reads and checks sent images. @throws InvalidInputError naming each unusable image and why */
export async function readSentImages(files: readonly SentFile[]): Promise<readonly NewImage[]> {
  if (files.length > MAX_PICTURES) {
    throw InvalidInputError.at(['input', 'images'], `must be at most ${MAX_PICTURES} images`);
  }
  const read = await Promise.all(files.map(readSentImage));
  const problems = read.flatMap((each, at) =>
    typeof each === 'string' ? [{ path: ['input', 'images', String(at)], message: each }] : [],
  );
  if (problems.length > 0) throw new InvalidInputError(problems);
  return read.filter((each) => typeof each !== 'string');
}

/** The image, or why it is refused. Only its content counts, not what the client claims about it. */
async function readSentImage(file: SentFile): Promise<NewImage | string> {
  if (file.size > MAX_PICTURE_BYTES) {
    return `has ${file.size.toLocaleString('en')} bytes; at most 5 MiB (${MAX_PICTURE_BYTES.toLocaleString('en')}) are allowed`;
  }
  const body = Buffer.from(await file.arrayBuffer());
  const header = readPictureHeader(body);
  if (header === null) return 'is not a PNG, JPEG or WebP, or its header is broken';
  if (Math.max(header.width, header.height) > MAX_PICTURE_SIDE) {
    return `is ${header.width} × ${header.height} pixels; at most ${MAX_PICTURE_SIDE} on a side are allowed`;
  }
  return { ...header, body, digest: createHash('sha256').update(body).digest('hex') };
}
