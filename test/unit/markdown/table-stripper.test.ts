import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTableStripper, stripTables } from '../../../src/domain/markdown/table-stripper.ts';
import { cpuMs } from '../../support/took.ts';

const strip = (text: string): string => stripTables(text).text;

const TABLE = '| Qubit | T1 |\n|---|---:|\n| Q0 | 80 |\n| Q1 | 75 |\n';

/** Feeds the pieces one by one and returns what came out, piece by piece. */
function stream(pieces: readonly string[], strips?: () => boolean): string[] {
  const stripper = createTableStripper(strips);
  return [...pieces.map((piece) => stripper.push(piece)), stripper.end()];
}

/** Texts full of whatever stripping decides by. */
const parts =
  `| a | b |,| 1 | 2 |,|---|---|,---|---,|,| ,|S21|,|0⟩,\n,\n\n,\r\n,> ,- ,1. ,    ,\t,\`\`\`,\`,~~~,$,$$,\\,\\[,\\]`
    .split(',')
    .concat(
      'Table 1: ',
      '表1：',
      '# ',
      ':-:',
      '-',
      '😀',
      'word ',
      'a sentence that is clearly longer than forty characters ',
    );
const markdown = fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((chosen) => chosen.join(''));

/** A text and places to cut it at, inside surrogate pairs too. */
const cutText = markdown.chain((text) =>
  fc.tuple(fc.constant(text), fc.uniqueArray(fc.nat(Math.max(0, text.length)), { maxLength: 12 })),
);

function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...places, text.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

describe('a header and a delimiter row with as many cells make a table, nothing else does', () => {
  test.each([
    ['a plain table', `Before.\n\n${TABLE}\nAfter.`, 'Before.\n\nAfter.'],
    ['a table right behind a paragraph', `Before.\n${TABLE}After.`, 'Before.\n\nAfter.'],
    ['no outer bars', 'Qubit | T1\n--- | ---\nQ0 | 80\n\nAfter.', 'After.'],
    ['rows without a trailing bar', '| Qubit | T1 |\n|---|---|\n| Q0 | 80\n| Q1 | 75\n\nAfter.', 'After.'],
    ['no spaces at all', '|Qubit|T1|\n|-|-|\n|Q0|80|\nAfter.', 'After.'],
    ['rows of other lengths', '| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\nAfter.', 'After.'],
    ['a column alone', '| Qubit |\n|---|\n| Q0 |\n', ''],
    ['Windows line ends', '| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\nAfter.\r\n', 'After.\r\n'],
    ['bars of math in a cell', '| $|S_{21}|$ | T1 |\n|---|---|\n| $|a|$ | 2 |\nAfter.', 'After.'],
    ['an escaped bar in a cell', '| a\\|b | c |\n|---|---|\n| 1 | 2 |\n', ''],
    ['two tables in a row', `${TABLE}\n${TABLE}\nAfter.`, 'After.'],
    ['a table that broke off in a row', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3', ''],
    ['a table that broke off in its delimiters', 'Before.\n\n| a | b |\n|--', 'Before.\n\n'],
  ])('%s is taken out', (_name, text, left) => {
    expect(strip(text)).toBe(left);
  });

  test.each([
    ['a header with fewer cells', '| a |\n|---|---|\n| 1 | 2 |\n'],
    ['a header with more cells', '| a | b | c |\n|---|---|\n| 1 | 2 |\n'],
    ['rows without delimiters', '| a | b |\n| 1 | 2 |\n'],
    ['an empty line before the delimiters', '| a | b |\n\n|---|---|\n'],
    ['a heading with a bar', '# a | b\n---|---\n'],
    ['a rule below a line with a bar', 'a | b\n---\n'],
    ['a header that broke off', 'Before.\n\n| a | b'],
    ['kets', 'The state |0⟩ decays.\n|0⟩\n---|---\n'],
    ['a transmission alone in its line', 'Look at\n|S21|\n|S11|\nand compare.'],
    ['absolute values', '|x| + |y| ≥ |x + y|\n'],
    ['conditional probabilities', 'P(0|1) = 0.02 and P(1|0) = 0.01\n'],
    ['a bracket', '⟨0|1⟩ = 0\n--- | ---\n'],
  ])('%s stays', (_name, text) => {
    expect(stripTables(text)).toEqual({ text, stripped: 0 });
  });

  test.each([
    ['a ket', '|0⟩ is the ground state, |1⟩ the excited one.'],
    ['an ASCII ket', '|0> decays to <0| quickly.'],
    ['a transmission', '|S21| fell by 3 dB.'],
    ['a conditional probability', 'P(0|1) is 2 %.'],
    ['a heading', '## Qubits | couplings'],
    ['a list', '- a | b'],
    ['a quote', '> a | b'],
  ])('a line of prose that begins with %s right behind a table stays', (_name, line) => {
    expect(strip(`${TABLE}${line}\n`)).toBe(`${line}\n`);
  });

  test('what is no table loses not even a space', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const noDelimiters = text.replaceAll('-', '');
        expect(stripTables(noDelimiters)).toEqual({ text: noDelimiters, stripped: 0 });
      }),
    );
  });
});

describe('code and math are never touched', () => {
  test.each([
    ['a fence', `\`\`\`\n${TABLE}\`\`\`\n`],
    ['a fence of tildes with a language', `~~~ markdown\n${TABLE}~~~\n`],
    ['a fence within a list', `- So:\n\n  \`\`\`\n  | a | b |\n  |---|---|\n  \`\`\`\n`],
    ['a fence with a shorter one in it', `\`\`\`\`\n\`\`\`\n${TABLE}\`\`\`\n\`\`\`\`\n`],
    ['a fence that never ends', `\`\`\`\n${TABLE}`],
    ['an indented block', 'So:\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n'],
    ['an indented block in a list', '- So:\n\n      | a | b |\n      |---|---|\n'],
    ['code with a bar', '`a | b`\n--- | ---\n'],
    ['math with a bar', '$a | b$\n--- | ---\n'],
    ['a block of math', '$$\n| a | b |\n|---|---|\n$$\n'],
    ['a block of LaTeX', '\\[\n| a | b |\n|---|---|\n\\]\n'],
  ])('%s stays', (_name, text) => {
    expect(stripTables(text)).toEqual({ text, stripped: 0 });
  });

  test.each([
    ['a fence', '```\ncode\n```\n'],
    ['a fence of a quote that ended with it', '> ```\n> code\n\n'],
    ['a block of math', '$$\nx\n$$\n'],
    ['dollars of money', 'It costs $$.\n\n'],
  ])('a table behind %s goes', (_name, before) => {
    expect(stripTables(before + TABLE)).toEqual({ text: before, stripped: 1 });
  });
});

describe('quotes, lists and captions', () => {
  test.each([
    ['a quote', '> Before.\n>\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n>\n> After.', '> Before.\n>\n> After.'],
    ['a quote without spaces', '>| a | b |\n>|---|---|\n>| 1 | 2 |\nAfter.', 'After.'],
    ['a list', '- One\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n- Two', '- One\n- Two'],
    ['an item that is a table', '- | a | b |\n  |---|---|\n  | 1 | 2 |\n- Two', '- Two'],
    ['a numbered list', '1. One\n\n   | a | b |\n   |---|---|\n   | 1 | 2 |\n', '1. One\n\n'],
    [
      'a list within a list',
      '- One\n  - Two\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n',
      '- One\n  - Two\n\n',
    ],
  ])('a table in %s is taken out', (_name, text, left) => {
    expect(strip(text)).toBe(left);
  });

  test.each(['Table 1: T1 of all qubits', '**Table 2.** T1', '### Table 1: T1', 'table: T1', '表1：T1'])(
    'the caption %j goes with its table, an empty line between them or not',
    (caption) => {
      expect(strip(`Before.\n\n${caption}\n${TABLE}\nAfter.`)).toBe('Before.\n\nAfter.');
      expect(strip(`Before.\n\n${caption}\n\n${TABLE}\nAfter.`)).toBe('Before.\n\nAfter.');
    },
  );

  test('a caption without its table stays', () => {
    const text = 'Table 1: shown below.\n\nIt is not.\n\nTable 2: neither\n\n\n';
    expect(strip(text)).toBe(text);
  });

  test('a rule behind a table stays', () => {
    expect(strip(`${TABLE}\n---\n\nAfter.`)).toBe('---\n\nAfter.');
  });
});

describe('whether tables go is asked when they begin', () => {
  test('a table that began before stays, the next one goes', () => {
    let strips = false;
    const stripper = createTableStripper(() => strips);
    let out = stripper.push('| a | b |\n');
    strips = true;
    out += stripper.push(`|---|---|\n| 1 | 2 |\n\n${TABLE}`) + stripper.end();
    expect(out).toBe('| a | b |\n|---|---|\n| 1 | 2 |\n\n');
    expect(stripper.stripped).toBe(1);
  });

  test('while none go, every character leaves as it comes', () => {
    const pieces = `Look:\n\n${TABLE}Done.`.split('');
    expect(stream(pieces, () => false)).toEqual([...pieces, '']);
  });
});

describe('streaming', () => {
  test('whatever the cuts, the same comes out as at once', () => {
    fc.assert(
      fc.property(cutText, ([text, places]) => {
        expect(stream(cutAt(text, places)).join('')).toBe(strip(text));
        expect(stream(text.split('')).join('')).toBe(strip(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('what was stripped once holds no table any more that starts a line', () => {
    expect(stripTables(strip(`${TABLE}\n${TABLE}\nText.\n${TABLE}`)).stripped).toBe(0);
  });

  test('a line flows as soon as it can be no row, and one with a bar waits for the next', () => {
    const prose = 'The median of T1 over all the qubits is';
    expect(stream(['Short', ' line\n', `${prose} 8`, '0 µs', '\n| a |', ' b |\n', 'Text\n'])).toEqual([
      '',
      'Short line\n',
      `${prose} 8`,
      '0 µs',
      '\n',
      '',
      '| a | b |\nText\n',
      '',
    ]);
  });

  test('hostile lines cost no more than linear time', () => {
    const nasty = ['\\(', '`', '``', '$', '|a', '<a', 'w(', '> ', '- '].map(
      (part) => `|${part.repeat(20_000)}`,
    );
    const took = cpuMs(() => nasty.forEach((line) => strip(`${line}\n|---|\n`)));
    expect(took).toBeLessThan(2_000);
  });
});

test('tables taken out are counted', () => {
  expect(stripTables(`${TABLE}\nText.\n\n${TABLE}`).stripped).toBe(2);
});
