import { expect, test } from '@jest/globals';
import type { AnswerNumber } from '@qpilot/client/view';
import type { ReactNode } from 'react';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { markNumbers, NUMBER_ATTRIBUTE } from '../../../client/features/copilot/text/mark-numbers.ts';

/** The numbers `texts` of an answer, where each first stands behind the one before. */
function numbersIn(answer: string, texts: readonly string[]): AnswerNumber[] {
  let read = 0;
  return texts.map((text) => {
    const offset = answer.indexOf(text, read);
    read = offset + text.length;
    return { __typename: 'GroundedNumber', offset, text, status: 'SOURCED' } as AnswerNumber;
  });
}

type Element = {
  readonly type: string;
  readonly props: Record<string, unknown> & { readonly children?: ReactNode };
};

/** Every element of a rendered answer that is cut at `cuts`. */
function rendered(answer: string, numbers: readonly AnswerNumber[], cuts: readonly number[] = []): Element[] {
  return [0, ...cuts].flatMap((from, index) =>
    elementsOf(
      Markdown({
        children: answer.slice(from, cuts[index]),
        remarkPlugins: [remarkGfm],
        rehypePlugins: [markNumbers(numbers, from)],
      }),
    ),
  );
}

function elementsOf(node: ReactNode): Element[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (typeof node !== 'object' || node === null || !('props' in node)) return [];
  const element = node as Element;
  return [element, ...elementsOf(element.props.children)];
}

const marksOf = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ props: { [NUMBER_ATTRIBUTE]: index, children } }) =>
    typeof index === 'string' && typeof children === 'string' ? [`${index}:${children}`] : [],
  );

test.each([
  ['in prose and bold', 'T1 is **59.5 μs** at Q12, 12 % below 67.2.', ['59.5', '12 ', '67.2']],
  [
    'in lists, headings, quotes and tables',
    '# 1.5\n\n- 2.5\n  - 3.5\n\n> 4.5\n\n| a |\n|---|\n| 6.5 |',
    ['1.5', '2.5', '3.5', '4.5', '6.5'],
  ],
  ['in code', 'see `12.5` and\n\n```\n13.5\n```\n', ['12.5', '13.5']],
  ['beside escapes and kets', 'a \\* b 7.5 |0⟩ &amp; *8.5*', ['8.5']],
])('numbers %s are marked where they stand', (_what, answer, texts) => {
  const numbers = numbersIn(answer, texts);
  expect(marksOf(rendered(answer, numbers))).toEqual(texts.map((text, index) => `${index}:${text}`));
});

test('an answer that is rendered in pieces has the same marks', () => {
  const answer = 'one 1.5\n\ntwo 2.5\n\nthree 3.5';
  const numbers = numbersIn(answer, ['1.5', '2.5', '3.5']);
  expect(marksOf(rendered(answer, numbers, [9, 18]))).toEqual(['0:1.5', '1:2.5', '2:3.5']);
});

test('HTML of a model is text, and its links cannot run anything', () => {
  const elements = rendered('<img src=x onerror=alert(1)> [a](javascript:alert(1)) <script>1</script>', []);
  expect(elements.map(({ type }) => type)).not.toEqual(expect.arrayContaining(['img']));
  expect(elements.map(({ type }) => type)).not.toEqual(expect.arrayContaining(['script']));
  expect(elements.flatMap(({ props }) => props['href'] ?? [])).toEqual(['']);
});
