import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { markdownBlocks, withMarksClosed } from '../../../client/features/copilot/text/markdown-blocks.ts';

const texts = (markdown: string): string[] => markdownBlocks(markdown).map(({ text }) => text);

/** Lines that begin, continue and end every kind of block. */
const markdown = fc
  .array(
    fc.constantFrom(
      '',
      '',
      ' ',
      'T1 of Q12 is **59.5 μs**.',
      '- one',
      '  more of it',
      '10. ten',
      '-',
      '1',
      '    code',
      '```python',
      '```',
      '~~~~',
      '# Heading',
      '| a | b |',
      '|---|---|',
      '> quoted',
    ),
    { maxLength: 16 },
  )
  .map((lines) => lines.join('\n'));

describe('pieces of a Markdown text', () => {
  test('joined are the text, and each knows where it begins', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const blocks = markdownBlocks(text);
        expect(blocks.map((block) => block.text).join('')).toBe(text);
        for (const block of blocks) expect(text.startsWith(block.text, block.offset)).toBe(true);
      }),
    );
  });

  test('never change once another one has begun, however the text grows', () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, at) => {
        const before = markdownBlocks(text.slice(0, at % (text.length + 1)));
        expect(markdownBlocks(text).slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['paragraphs', 'one\n\ntwo', ['one\n\n', 'two']],
    [
      'a list with blank lines and what is below its items',
      '1. a\n\n   b\n\n2. c\n\nd',
      ['1. a\n\n   b\n\n2. c\n\n', 'd'],
    ],
    ['code with blank lines', '```\na\n\nb\n```\n\nc', ['```\na\n\nb\n```\n\n', 'c']],
    ['code that has not ended', '````\na\n```\n\nb', ['````\na\n```\n\nb']],
  ])('%s', (_what, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });
});

test.each([
  ['T1 is **59', 'T1 is **59**'],
  ['T1 is **59*', 'T1 is **59**'],
  ['T1 is *', 'T1 is '],
  ['see `t1_av', 'see `t1_av`'],
  ['`a**b` and **c', '`a**b` and **c**'],
  ['all **done** here', 'all **done** here'],
  ['```\nx = 2 **', '```\nx = 2 **'],
])('%j is shown as %j while it is written', (text, shown) => {
  expect(withMarksClosed(text)).toBe(shown);
});
