import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import Markdown from 'react-markdown';
import { MATH_PLUGINS, withDollars } from '../../../client/features/copilot/text/math.ts';

const html = (text: string): string =>
  renderToStaticMarkup(
    createElement(Markdown, { remarkPlugins: [...MATH_PLUGINS], children: withDollars(text) }),
  );

describe('formulas in Markdown', () => {
  test.each([
    ['T1 is $T_1$.', '<p>T1 is <code class="language-math math-inline">T_1</code>.</p>'],
    [String.raw`So \(T_2 < T_1\).`, '<p>So <code class="language-math math-inline">T_2 &lt; T_1</code>.</p>'],
    [String.raw`\[ x^2 \]`, '<p><code class="language-math math-display">x^2</code></p>'],
    ['It costs $5 and $10.', '<p>It costs $5 and $10.</p>'],
    ['From $5-$10 or $ 3 $.', '<p>From $5-$10 or $ 3 $.</p>'],
    [String.raw`Code: ${'`'}\(x\)${'`'}`, String.raw`<p>Code: <code>\(x\)</code></p>`],
  ])('%s', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  test('other brackets of LaTeX take no more or less room, so that places in the text hold', () => {
    const text = String.raw`a \(b\) \[c\] ${'`\\(`'} d`;
    expect(withDollars(text)).toHaveLength(text.length);
    expect(withDollars(text)).toBe(String.raw`a $$b$$ $$c$$ ${'`\\(`'} d`);
  });
});
