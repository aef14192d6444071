import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createVocabulary } from '../../src/domain/grounding/mentions.ts';
import { plainText } from '../../src/domain/grounding/plain-text.ts';
import { readText } from '../../src/domain/grounding/reading.ts';

const vocabulary = createVocabulary(new Map(), new Set(['4-1']));

/** `value [± resolution] unit` of each number. */
const numbersOf = (text: string): readonly string[] =>
  readText(text, vocabulary).sentences.flatMap(({ numbers }) =>
    numbers.map(({ value, unit }) => `${value}${unit === null ? '' : ` ${unit.symbol}`}`),
  );

describe('numbers of a text', () => {
  test.each<[string, readonly string[]]>([
    ['87.3 μs', ['87.3 μs']],
    ['87.3µs and 87.3 us, 4.5 microseconds', ['87.3 μs', '87.3 μs', '4.5 μs']],
    ['−304.0 MHz', ['-304 MHz']],
    ['-0.304 GHz, +2.5 %', ['-0.304 GHz', '2.5 %']],
    ['1.2e-3, 1.2 × 10⁻³, $1.2 \\times 10^{-3}$', ['0.0012', '0.0012', '0.0012']],
    ['1,024 qubits and 12,345.6 ns', ['1024', '12345.6 ns']],
    ['3–5 μs, 3-5 μs, 3 to 5 μs', ['3 μs', '5 μs', '3 μs', '5 μs', '3 μs', '5 μs']],
    ['59.5 ± 1.9 μs', ['59.5 μs', '1.9 μs']],
    ['87.3(12) μs', ['87.3 μs', '1.2 μs']],
    ['97.5%、４．２GHz', ['97.5 %', '4.2 GHz']],
    ['約87.3マイクロ秒です。12日前', ['87.3 μs', '12 day']],
    ['8.5 mK, 3.2σ, 1.5×, 2.1 percentage points', ['8.5 mK', '3.2 σ', '1.5 ×', '2.1 pp']],
    ['.5 and 0.25', ['0.5', '0.25']],
    ['12.5 MHz/a.u.', ['12.5 MHz/a.u.']],
  ])('%s', (text, expected) => {
    expect(numbersOf(text)).toEqual(expected);
  });

  test.each([
    'Q12, qubit 7, qubits 3, 5 and 7, Q04-Q01, coupling 4-1, 量子ビット12, 12番',
    'CheckT1, T2*, x90, S21, t2_echo, R2',
    'gpt-4.1, claude-haiku-4-5, demo-64, square-lattice-mux-64, v1.2.3, 1.2.3',
    'ae7ef7a8-61aa-7a71-61b3-a6ea5708741e, 20260518-002',
    '1. first\n2. second\n\n## 3.1 Heading\n\nsee section 3.2, figure 4, [5], #6, the 7th, MUX 8',
    '2026-05-18, 18 May 2026, May 18, 23:22 UTC, 5月18日, 2026/05/18 08:22 JST',
    '```python\nx = 42.5\n```\n[link](http://x.y/1.5) https://x.y/?q=2.5',
  ])('names, dates and marks are none: %s', (text) => {
    expect(numbersOf(text)).toEqual([]);
  });

  test('the plain reading has the length and the lines of the text, whatever it is', () => {
    const piece = fc.constantFrom(
      '**',
      '`',
      '```\n',
      '$',
      '\\mu s',
      '\n',
      '| a |',
      '12.5',
      ' μs',
      'Ｑ１２',
      '\uD83D',
      '- ',
      '1. ',
      'Q12',
      '̈',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((parts) => parts.join('')),
        ),
        (text) => {
          const plain = plainText(text);
          expect(plain).toHaveLength(text.length);
          expect([...plain.matchAll(/\n/gu)].map(({ index }) => index)).toEqual(
            [...text.matchAll(/\n/gu)].map(({ index }) => index),
          );
        },
      ),
    );
  });
});

test('a title may hold any sign', () => {
  const titles = ['Ground-State Fidelity (0|0)', 'a.u. $ [x] {y} ^ + ? / \\'];
  const parameters = new Map(titles.map((title) => [title, { name: title, title, unit: null }]));
  const known = createVocabulary(parameters, new Set());
  for (const title of titles) expect(`the ${title} of Q1`.match(known.names!)).toEqual([title]);
});
