import {
  createContext,
  createElement,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react';
import type { highlighter as highlighterType } from '../text/highlight.ts';
import classes from './code.module.css';

type Highlighter = typeof highlighterType;
type HighlightNode = ReturnType<Highlighter['highlight']>['children'][number];

/** Whether more of the block is still being written: its code is coloured once, when it is whole. */
export const GrowingContext = createContext(false);

/** Longer code stays plain: colouring it would hold up the page. */
const MAX_COLORED = 20_000;

/** Code of Markdown: a formula, a block in the colours of its language, or as it is. */
export function Code({ className = '', children, ...rest }: ComponentProps<'code'>) {
  const text = typeof children === 'string' ? children : null;
  const language = /\blanguage-([\w+#-]+)/.exec(className)?.[1];
  if (text === null || language === undefined) return <code {...rest}>{children}</code>;
  if (language === 'math') return <Formula tex={text} isDisplay={className.includes('math-display')} />;
  return <ColoredCode text={text} language={language} />;
}

/** A formula as MathML, which browsers draw and read aloud; its source where it is none. */
function Formula({ tex, isDisplay }: { readonly tex: string; readonly isDisplay: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const left = new AbortController();
    const element = place.current;
    if (element) element.textContent = tex;
    void import('katex').then(({ default: katex }) => {
      if (left.signal.aborted || !element) return;
      try {
        katex.render(tex, element, { displayMode: isDisplay, output: 'mathml' });
      } catch {
        element.textContent = `$${tex}$`;
      }
    });
    return () => left.abort();
  }, [tex, isDisplay]);
  return <span ref={place} className={classes['formula']} data-display={isDisplay} />;
}

function ColoredCode({ text, language }: { readonly text: string; readonly language: string }) {
  const [highlighter, setHighlighter] = useState<Highlighter | null>(null);
  const isPlain = use(GrowingContext) || text.length > MAX_COLORED;
  useEffect(() => {
    if (!isPlain) void import('../text/highlight.ts').then((loaded) => setHighlighter(loaded.highlighter));
  }, [isPlain]);
  const colored = useMemo(
    () =>
      !isPlain && highlighter?.registered(language) ? highlighter.highlight(language, text).children : null,
    [highlighter, isPlain, language, text],
  );
  return <code className={classes['code']}>{colored === null ? text : colored.map(asReact)}</code>;
}

function asReact(node: HighlightNode, index: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const { className } = node.properties;
  const names = Array.isArray(className) ? className.join(' ') : '';
  return createElement('span', { key: index, className: names }, node.children.map(asReact));
}
