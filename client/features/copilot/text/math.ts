import remarkMath from 'remark-math';
import type { HtmlNode } from './mark-numbers.ts';

/** Code, which keeps its brackets, or a bracket of LaTeX's. */
const BRACKETS = /(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)|\\[()[\]]/g;

/** Markdown whose `\(…\)` and `\[…\]` are written `$$…$$`, as long as before. */
export const withDollars = (text: string): string =>
  text.replaceAll(BRACKETS, (found, ticks?: string) => (ticks === undefined ? '$$' : found));

/**
 * After remark-math: `$5 and $10` is money, not a formula (a formula touches both of its dollars, and no digit follows
 * it), and a paragraph that is nothing but `$$…$$` is set on a line of its own.
 */
const formulasOnly = () => (tree: HtmlNode, file: { readonly value: unknown }) =>
  correctIn(tree, String(file.value));

/** Plugins of remark that find formulas. */
export const MATH_PLUGINS = [remarkMath, formulasOnly] as const;

type MathNode = HtmlNode & { data?: { hProperties?: { className?: string[] } } };

function correctIn({ type, children = [] }: HtmlNode, source: string): void {
  const isAlone = type === 'paragraph' && children.length === 1;
  for (const [index, child] of (children as MathNode[]).entries()) {
    correctIn(child, source);
    const { start, end } = child.position ?? {};
    if (child.type !== 'inlineMath' || start?.offset === undefined || end?.offset === undefined) continue;
    const written = source.slice(start.offset, end.offset);
    if (written.startsWith('$$')) {
      if (isAlone)
        child.data = { ...child.data, hProperties: { className: ['language-math', 'math-display'] } };
      continue;
    }
    const isFormula = /^\$\S(?:[^]*\S)?\$$/.test(written) && !/\d/.test(source[end.offset] ?? '');
    if (!isFormula) children[index] = { type: 'text', value: written, position: child.position };
  }
}
