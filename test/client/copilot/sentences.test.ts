import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sentencesToSay } from '../../../client/features/copilot/text/sentences.ts';

/** What is said of a text that arrives in pieces. */
function spokenOf(text: string, cuts: readonly number[]): string[] {
  const words: string[] = [];
  let announced = 0;
  for (const end of [...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]) {
    const next = sentencesToSay(text.slice(0, end), announced, end === text.length);
    announced = next.announced;
    if (next.words !== '') words.push(next.words);
  }
  return words;
}

test('only whole sentences are said, and the rest when the answer is done', () => {
  expect(sentencesToSay('T1 of Q12 is 59.5 μs. It is', 0, false)).toEqual({
    words: 'T1 of Q12 is 59.5 μs.',
    announced: 21,
  });
  expect(sentencesToSay('T1 is 59.5', 0, false)).toEqual({ words: '', announced: 0 });
  expect(sentencesToSay('これは良い。次', 0, false).words).toBe('これは良い。');
});

test('nothing is said twice and nothing is left out, however the text arrives', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
      const text = 'T1 is **59.5** μs. Good! Is it?\n\n# More\n\nYes. これは良い。';
      expect(spokenOf(text, cuts).join(' ').replaceAll(/\s+/g, '')).toBe(text.replaceAll(/[*#\s]+/g, ''));
    }),
  );
});
