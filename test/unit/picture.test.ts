import { describe, expect, test } from '@jest/globals';
import { readPictureHeader } from '../../src/domain/conversation/picture.ts';
import { jpeg, png, webpExtended, webpLossless, webpLossy } from '../support/pictures.ts';

describe('The header of a picture', () => {
  test.each([
    ['PNG', png(640, 480), 'image/png'],
    ['JPEG', jpeg(640, 480), 'image/jpeg'],
    ['lossy WebP', webpLossy(640, 480), 'image/webp'],
    ['lossless WebP', webpLossless(640, 480), 'image/webp'],
    ['extended WebP', webpExtended(640, 480), 'image/webp'],
  ])('of a %s says its format and size', (_what, bytes, mediaType) => {
    expect(readPictureHeader(bytes)).toEqual({ mediaType, width: 640, height: 480 });
  });

  test.each([
    ['PNG', png(640, 480), 24],
    ['JPEG', jpeg(640, 480), 29],
    ['WebP', webpLossy(640, 480), 30],
  ])('of a %s that is cut off anywhere before its size is none', (_what, bytes, end) => {
    for (let length = 0; length < end; length += 1) {
      expect(readPictureHeader(bytes.subarray(0, length))).toBeNull();
    }
    expect(readPictureHeader(bytes.subarray(0, end))).not.toBeNull();
  });

  test.each([
    ['text', Buffer.from('hello, this is no picture at all')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
    ['GIF', Buffer.from('GIF89a\x01\x00\x01\x00rest of the file', 'latin1')],
    ['a picture without width', png(0, 480)],
    [
      'a JPEG whose segments lead nowhere',
      Buffer.from('\xff\xd8\xff\xe0\x00\x04ab\x00\x00\x00\x00', 'latin1'),
    ],
    [
      'a JPEG whose segments have no length',
      Buffer.concat([Buffer.from('\xff\xd8', 'latin1'), Buffer.alloc(1e5, '\xff\xe0\x00\x00', 'latin1')]),
    ],
  ])('of %s is none', (_what, bytes) => {
    expect(readPictureHeader(bytes)).toBeNull();
  });

  test('is read from the middle of a larger buffer', () => {
    const bytes = Buffer.concat([Buffer.alloc(7), png(3, 2)]).subarray(7);
    expect(readPictureHeader(bytes)).toMatchObject({ width: 3, height: 2 });
  });
});
