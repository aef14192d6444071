import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAnswerDecoder } from '../../../src/agent/answer/answer-decoder.ts';
import type { AnswerPiece } from '../../../src/agent/answer/answer-piece.ts';

/** Pieces as a reader sees them: text that follows text is one text, and breaks stand as empty lines. */
function merged(pieces: readonly AnswerPiece[]): readonly AnswerPiece[] {
  const all: AnswerPiece[] = [];
  for (const piece of pieces) {
    const text = piece.type === 'break' ? '\n\n' : piece.type === 'text' ? piece.text : null;
    const last = all.at(-1);
    if (text === null) all.push(piece);
    else if (last?.type === 'text') all[all.length - 1] = { type: 'text', text: last.text + text };
    else if (piece.type === 'text') all.push({ type: 'text', text });
  }
  return all;
}

function decode(...words: readonly string[]): readonly AnswerPiece[] {
  const decoder = createAnswerDecoder();
  return merged([...words.flatMap((piece) => decoder.push(piece)), ...decoder.end()]);
}

const textOf = (pieces: readonly AnswerPiece[]): string =>
  pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');

const chart = {
  data: [{ type: 'bar', x: ['Q0', 'Q1'], y: [80, 75.5] }],
  layout: { title: 'T1 "long" \\ 😀' },
};
const blocks = {
  blocks: [
    { type: 'text', content: 'T1 of Q0 is **80 µs**.\nSo "good" 😀.', chart: null },
    { type: 'chart', content: null, chart },
    { type: 'text', content: 'Second.', chart: null },
  ],
  assessment: 'good',
};
const expected: readonly AnswerPiece[] = [
  { type: 'text', text: 'T1 of Q0 is **80 µs**.\nSo "good" 😀.' },
  { type: 'chart', figure: chart },
  { type: 'text', text: 'Second.' },
  { type: 'assessment', assessment: 'GOOD' },
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ['a document', JSON.stringify(blocks)],
  ['a document on many lines', `\n ${JSON.stringify(blocks, null, 2)}\n\n`],
  ['a fenced document', `\`\`\`json\n${JSON.stringify(blocks)}\n\`\`\`\n`],
  ['a document in a fence without a language', `\`\`\`\r\n${JSON.stringify(blocks)}\r\n\`\`\``],
  ['a document with escaped characters', JSON.stringify(blocks).replaceAll('😀', '\\ud83d\\ude00')],
  ['a document with line breaks in its strings', JSON.stringify(blocks).replaceAll('\\n', '\n')],
  [
    'a document with commas too many',
    JSON.stringify(blocks).replaceAll('}]', '} , ]').replace(/\}$/, ',\n}'),
  ],
  ['a document that comes twice', `${JSON.stringify(blocks)}\n${JSON.stringify(blocks)}`],
];

describe('blocks', () => {
  test.each(DOCUMENTS)('%s becomes text, charts and an assessment in their order', (_name, words) => {
    expect(decode(words).filter(({ type }) => type !== 'dropped')).toEqual(expected);
  });

  test('text arrives as it comes, a chart when it is whole', () => {
    const decoder = createAnswerDecoder();
    const seen = JSON.stringify(blocks)
      .split('')
      .flatMap((char, index) => decoder.push(char).map((piece) => ({ piece, index })));
    const whole = JSON.stringify(blocks);
    const firstText = seen.find(({ piece }) => piece.type === 'text');
    expect(firstText).toEqual({ piece: { type: 'text', text: 'T' }, index: whole.indexOf('T1 of') });
    const firstChart = seen.find(({ piece }) => piece.type === 'chart');
    expect(firstChart?.index).toBe(whole.indexOf(JSON.stringify(chart)) + JSON.stringify(chart).length - 1);
  });

  test('a block is what it holds, in whatever order it says so', () => {
    const words = '{"assessment":"Bad","blocks":[{"content":"One","type":"text"},{"chart":{"data":[]}},{}]}';
    expect(decode(words)).toEqual([
      { type: 'assessment', assessment: 'BAD' },
      { type: 'text', text: 'One' },
      { type: 'chart', figure: { data: [] } },
    ]);
  });

  test('words before a document and behind it are text', () => {
    const pieces = decode(`Here it is:\n\`\`\`json\n${JSON.stringify(blocks)}\n\`\`\`\nDone.`);
    const [first, ...others] = expected;
    expect(pieces).toEqual([
      { type: 'text', text: `Here it is:\n\n\n${textOf([first!])}` },
      ...others,
      { type: 'text', text: 'Done.' },
    ]);
  });

  test('LaTeX that nobody escaped is kept', () => {
    const words = String.raw`{"blocks":[{"type":"text","content":"\( \mu \underline{x} \u12 \" \\"}]}`;
    expect(textOf(decode(words))).toBe(String.raw`\( \mu \underline{x} \u12 " ${'\\'}`);
  });

  test('an empty list of blocks says nothing', () => {
    expect(decode('{"blocks": [], "assessment": null}')).toEqual([{ type: 'assessment', assessment: null }]);
  });

  test('values of other kinds than expected are passed over', () => {
    expect(decode('{"blocks":[{"content":5},{"content":["a"]},7,null],"assessment":3}')).toEqual([
      { type: 'assessment', assessment: null },
    ]);
  });
});

describe('the older schema', () => {
  const legacy = {
    summary: 'T1 is short.',
    assessment: 'warning',
    explanation: 'It fell since Monday.',
    potential_issues: ['TLS', 'A long\nstory'],
    recommendations: 'Measure again.',
  };

  test('its fields become paragraphs and lists', () => {
    const pieces = decode(JSON.stringify(legacy));
    expect(textOf(pieces)).toBe(
      'T1 is short.It fell since Monday.\n\n**Potential issues**\n\n- TLS\n- A long\n  story\n\n**Recommendations**\n\n- Measure again.',
    );
    expect(pieces).toContainEqual({ type: 'assessment', assessment: 'WARNING' });
  });

  test('an explanation that repeats the summary is left out', () => {
    expect(textOf(decode('{"summary": "Fine.", "explanation": "Fine.", "recommendations": []}'))).toBe(
      'Fine.',
    );
  });

  test('headings are in the language of the answer', () => {
    expect(textOf(decode('{"summary": "短いです。", "potential_issues": ["TLS"]}'))).toContain(
      '考えられる問題',
    );
  });
});

describe('text', () => {
  test.each([
    'Plain words.',
    '{x} is a set.',
    '{"t1": 80}',
    '```python\nprint(1)\n```\nDone.',
    '`code` first',
    '```\n{"t1": 80}\n```\n',
    '[a link](https://example.org)',
    'An example:\n\n```json\n{"summary": "x"}\n```\n',
    'Line\n\n{"t1": [1, 2]}\n',
    '| a | b |\n|---|---|\n',
    '{"summary',
  ])('%j stays as it is', (words) => {
    const pieces = decode(words);
    if (words === '{"summary') expect(pieces).toEqual([{ type: 'dropped', what: expect.any(String) }]);
    else expect(pieces).toEqual([{ type: 'text', text: words }]);
  });

  test('leaves at once, but for what may begin something else', () => {
    const decoder = createAnswerDecoder();
    const told = ['T', '1 is\n', '{', 'x', '}\n', '```', 'py\n', '[', 'a]'].map((words) =>
      textOf(decoder.push(words)),
    );
    expect(told).toEqual(['T', '1 is\n', '', '{x', '}\n', '', '```py\n', '', '[a]']);
  });

  test('a last line may say the assessment', () => {
    expect(decode('T1 is long.\n\n[Assessment: good]\n')).toEqual([
      { type: 'text', text: 'T1 is long.\n\n' },
      { type: 'assessment', assessment: 'GOOD' },
    ]);
    const inTheMiddle = 'One.\n[assessment: good]\nTwo.';
    expect(decode(inTheMiddle)).toEqual([{ type: 'text', text: inTheMiddle }]);
  });
});

describe('documents that break', () => {
  const whole = JSON.stringify(blocks);

  test('cut anywhere, what came is kept and nothing else appears', () => {
    const full = textOf(expected);
    for (let length = 0; length < whole.length; length += 1) {
      const text = textOf(decode(whole.slice(0, length)));
      expect(full.replace('Second.', '')).toContain(text.replace(/Se?c?o?n?d?\.?$/, ''));
      if (length > whole.indexOf('Second.') + 6) expect(text).toBe(full);
    }
  });

  test('broken in the middle, what came is kept and the rest is reported as unreadable', () => {
    const pieces = decode('{"blocks":[{"content":"Q0 is "good" now"}, {"content":"lost"}]}', ' more');
    expect(pieces).toEqual([
      { type: 'text', text: 'Q0 is ' },
      { type: 'unreadable', what: expect.stringContaining('document') },
    ]);
  });

  test('broken before its first text, it is shown as it came', () => {
    const words = '{"blocks": [nothing at all]} and more';
    expect(decode(words)).toEqual([{ type: 'text', text: words }]);
  });

  test('nesting without end neither overflows nor hangs', () => {
    const words = `{"blocks":[{"chart":${'['.repeat(50_000)}${']'.repeat(50_000)}},{"content":"After"}]}`;
    expect(textOf(decode(words))).toBe('After');
  });
});

describe('however the words are cut', () => {
  const alphabet = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\n',
    '`',
    '```json\n',
    '{"blocks":[',
    '{"content":"',
    'text',
  ];
  const words = fc.oneof(
    fc.constantFrom(...DOCUMENTS.map(([, document]) => document)),
    fc
      .array(fc.constantFrom(...alphabet, '[assessment: bad]', '"}', ']}', '\\u00', '😀', ' '), {
        maxLength: 20,
      })
      .map((parts) => parts.join('')),
  );

  test('the same comes out, and nothing throws', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(400), { maxLength: 8 }), (text, places) => {
        const ends = [...places.map((place) => Math.min(place, text.length)), text.length].toSorted(
          (a, b) => a - b,
        );
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
        expect(decode(...pieces)).toEqual(decode(text));
        expect(decode(...text.split(''))).toEqual(decode(text));
      }),
      { numRuns: 1_000 },
    );
  });
});
