import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redactSecrets } from '../../../src/base/redaction/redact.ts';
import { createTextRedactor } from '../../../src/base/redaction/text-redactor.ts';
import { hostileText } from '../../support/secrets.ts';
import { cpuMs } from '../../support/took.ts';

function redactPieces(pieces: readonly string[]): string {
  const redactor = createTextRedactor();
  return pieces.map((piece) => redactor.push(piece)).join('') + redactor.end();
}

describe('L4: a text in pieces', () => {
  test('loses the same as the whole text, however it is cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(hostileText, cuts, (text, lengths) => {
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const length = lengths[turn % lengths.length]!;
          pieces.push(text.slice(at, at + length));
          at += length;
        }
        expect(redactPieces(pieces)).toBe(redactSecrets(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves at once where nothing looks like a secret', () => {
    const redactor = createTextRedactor();
    const words = ['The', ' T1', ' of', ' Q5', ' is', ' 83.2', ' µs', ' (as', ' of', ' today', ').'];
    expect(words.map((word) => redactor.push(word))).toEqual(words);
  });

  test('what turns out to be none is let go as soon as that is clear', () => {
    const redactor = createTextRedactor();
    expect(redactor.push('see http://local')).toBe('see http://');
    expect(redactor.push('host:4000/graphql')).toBe('');
    expect(redactor.push(' for it')).toBe('localhost:4000/graphql for it');
  });

  test('a secret that never ends takes time in proportion to its length', () => {
    const pieces = ['-----BEGIN A KEY-----\n', ...Array.from({ length: 100_000 }, () => 'abcd\n')];
    expect(cpuMs(() => expect(redactPieces(pieces)).toBe('[redacted]'))).toBeLessThan(5_000);
  });
});
