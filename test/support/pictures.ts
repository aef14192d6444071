/** The beginnings of pictures of a given size, as the formats define them. */

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer => Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)]);
const little = (value: number, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff));

/** Signature and IHDR; `padding` more bytes follow. */
export const png = (width: number, height: number, padding = 8): Buffer =>
  Buffer.concat([
    latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
    uint32(width),
    uint32(height),
    Buffer.alloc(padding),
  ]);

/** A JFIF segment, then the frame. */
export const jpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    latin('\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\x00\x11\x08'),
    uint16(height),
    uint16(width),
    Buffer.alloc(8),
  ]);

const riff = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([latin('RIFF'), little(64, 4), latin('WEBP'), ...chunks, Buffer.alloc(8)]);

/** A key frame of VP8. */
export const webpLossy = (width: number, height: number): Buffer =>
  riff(
    latin('VP8 '),
    little(32, 4),
    Buffer.alloc(3),
    latin('\x9d\x01\x2a'),
    little(width, 2),
    little(height, 2),
  );

/** 14 bits each of width and height less one. */
export const webpLossless = (width: number, height: number): Buffer =>
  riff(latin('VP8L'), little(32, 4), latin('\x2f'), little((width - 1) | ((height - 1) << 14), 4));

/** 24 bits each of the canvas less one. */
export const webpExtended = (width: number, height: number): Buffer =>
  riff(latin('VP8X'), little(10, 4), Buffer.alloc(4), little(width - 1, 3), little(height - 1, 3));
