import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_ARGUMENTS_BYTES,
  MAX_TOKEN_LENGTH,
  previewArguments,
  tokenPieces,
} from '../../src/domain/conversation/event-limits.ts';
import { shorten, toStoredJson, toStoredText } from '../../src/domain/text/stored-text.ts';

const anyText = fc.string({ unit: 'binary' });
/** UTF-16 code units without regard for pairs. */
const brokenText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));

describe('text that can be stored', () => {
  test('NUL and lone surrogates become U+FFFD, one for one', () => {
    expect(toStoredText('a\0b\uD83Dc\uDE00')).toBe('a\uFFFDb\uFFFDc\uFFFD');
    expect(toStoredText('😀')).toBe('😀');
  });

  test('any text keeps its length and survives UTF-8', () => {
    fc.assert(
      fc.property(brokenText, (given) => {
        const stored = toStoredText(given);
        expect(stored).toHaveLength(given.length);
        expect(Buffer.from(stored).toString()).toBe(stored);
        expect(stored).not.toContain('\0');
      }),
    );
  });

  test('JSON of any value holds stored text only, in keys and values, and nothing else changes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(brokenText, fc.oneof(brokenText, fc.integer(), fc.array(brokenText))),
        (value) => {
          const parsed: unknown = JSON.parse(toStoredJson(value));
          const strings = JSON.stringify(parsed);
          expect(toStoredJson(parsed)).toBe(strings);
          expect(strings).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
        },
      ),
    );
    const plain = { when: new Date(0), list: [1, null, 'ü😀'], text: '\\u0000 as six letters' };
    expect(JSON.parse(toStoredJson(plain))).toEqual({ ...plain, when: '1970-01-01T00:00:00.000Z' });
  });

  test('cutting never leaves half a pair', () => {
    expect(shorten('ab😀', 4)).toBe('ab😀');
    expect(shorten('ab😀cd', 4)).toBe('ab…');
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 20 }), (given, length) => {
        const cut = shorten(toStoredText(given), length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('sizes of events', () => {
  test('long text comes in pieces that join to the same text and are whole characters', () => {
    const long = `x${'😀'.repeat(MAX_TOKEN_LENGTH)}`;
    const pieces = tokenPieces(long);
    expect(pieces.join('')).toBe(long);
    expect(pieces.every((piece) => piece.length <= MAX_TOKEN_LENGTH && piece.isWellFormed())).toBe(true);
  });

  test('arguments are shown whole while they are small', () => {
    const given = { chip_id: 'demo-64', qids: ['0', '7'], last_n: null };
    expect(previewArguments(given)).toEqual(given);
  });

  test('arguments that are too large, or no object, are shown by their beginning', () => {
    const given = { code: '"\n'.repeat(5_000) };
    const preview = previewArguments(given);
    expect(Object.keys(preview)).toEqual(['preview']);
    expect(previewArguments('{"broken')).toEqual({ preview: '"{\\"broken"' });
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const json = JSON.stringify(previewArguments(value));
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_ARGUMENTS_BYTES);
      }),
    );
  });
});
