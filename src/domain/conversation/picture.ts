/** Format and size of pictures, read from the headers of PNG, JPEG and WebP. */

/** Formats accepted from users and sent to models. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** In pixels. */
export type PictureSize = { readonly width: number; readonly height: number };

export type PictureHeader = PictureSize & { readonly mediaType: PictureType };

/** Most pictures with one message. */
export const MAX_PICTURES = 4;
/** Largest picture. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** Longest side; no provider looks at more. */
export const MAX_PICTURE_SIDE = 8_000;

/** The header of a picture; null for bytes of another format or with a truncated or broken header. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readJpeg(view) ?? readWebp(view);
  } catch (error) {
    if (error instanceof RangeError) return null; // truncated header
    throw error;
  }
}

const has = (view: DataView, at: number, text: string): boolean =>
  at + text.length <= view.byteLength &&
  Buffer.from(view.buffer, view.byteOffset + at, text.length).toString('latin1') === text;

const sized = (mediaType: PictureType, width: number, height: number): PictureHeader | null =>
  width > 0 && height > 0 ? { mediaType, width, height } : null;

/** The first chunk is IHDR, which begins with width and height. */
function readPng(view: DataView): PictureHeader | null {
  if (!has(view, 0, '\x89PNG\r\n\x1a\n') || !has(view, 12, 'IHDR')) return null;
  return sized('image/png', view.getUint32(16), view.getUint32(20));
}

/** Markers of a frame: SOF0 to SOF15 without DHT, JPG and DAC, which share the range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Segments follow each other, each with its length, until the one of the frame. */
function readJpeg(view: DataView): PictureHeader | null {
  if (!has(view, 0, '\xff\xd8\xff')) return null;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill bytes before a marker
    } else if (isFrame(marker)) {
      return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5));
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
  return null;
}

/** Three forms (lossy, lossless, extended), each with its size elsewhere. */
function readWebp(view: DataView): PictureHeader | null {
  if (!has(view, 0, 'RIFF') || !has(view, 8, 'WEBP')) return null;
  if (has(view, 12, 'VP8X')) return sized('image/webp', 1 + uint24(view, 24), 1 + uint24(view, 27));
  if (has(view, 12, 'VP8L')) {
    if (view.getUint8(20) !== 0x2f) return null;
    const bits = view.getUint32(21, true);
    return sized('image/webp', 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
  }
  if (!has(view, 12, 'VP8 ') || !has(view, 23, '\x9d\x01\x2a')) return null;
  return sized('image/webp', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) + 0x10000 * view.getUint8(at + 2);
