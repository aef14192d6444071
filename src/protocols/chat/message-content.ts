import { InvalidInputError } from '../../base/errors.ts';
import type { SentFile } from '../../services/uploads.ts';

/** A part of a message of a chat protocol; `data` is base64, null where only an address was sent. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string | null };

export const contentText = (parts: readonly ContentPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** The images among the parts. @throws InvalidInputError for any other file, and for an address */
export function imagesOf(parts: readonly ContentPart[]): readonly SentFile[] {
  return parts.flatMap((part, at) => {
    if (part.type === 'text') return [];
    if (part.data === null || !part.mediaType.startsWith('image')) {
      const wanted = 'a message has text and images, each image as data (base64 or a data: URL)';
      throw InvalidInputError.at(['messages'], `part ${at + 1} is ${part.mediaType}; ${wanted}`);
    }
    return [fileOf(Buffer.from(part.data, 'base64'))];
  });
}

const fileOf = (body: Buffer<ArrayBuffer>): SentFile => ({
  name: 'image',
  size: body.length,
  arrayBuffer: () => Promise.resolve(body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength)),
});
