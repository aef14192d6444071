import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createThinkTagFilter } from '../../../src/agent/models/chat/think-tags.ts';

function filtered(pieces: readonly string[]): string {
  const filter = createThinkTagFilter();
  return pieces.map((piece) => filter.add(piece).answer).join('') + filter.end();
}

describe('Thoughts in the text', () => {
  test.each([
    ['<think>Hm.</think>\n\nYes.', 'Yes.'],
    ['\n<thinking>Hm.</thinking>Yes.', 'Yes.'],
    ['<think>a</think><think>b</think> Yes.', 'Yes.'],
    ['<think></think>', ''],
    ['<think>never closed', ''],
    ['Yes.', 'Yes.'],
    ['  Yes.', '  Yes.'],
    ['<thi', '<thi'],
    ['', ''],
    ['< 5 µs', '< 5 µs'],
    ['A <think> tag is HTML.</think>', 'A <think> tag is HTML.</think>'],
    ['<b>Yes</b>', '<b>Yes</b>'],
  ])('%j is %j to the reader', (text, answer) => {
    expect(filtered([text])).toBe(answer);
  });

  test('are found wherever the stream is cut', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('<think>', '</think>', '<thinking>', '</thinking>', '<', 'think', '\n'),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (words, lengths) => {
        const text = words.join('');
        const cut: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const end = at + lengths[turn % lengths.length]!;
          cut.push(text.slice(at, end));
          at = end;
        }
        expect(filtered(cut)).toBe(filtered([text]));
      }),
    );
  });
});
