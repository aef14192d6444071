import { markdown } from '@codemirror/lang-markdown';
import { Prec, type Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import { pageNonce } from '../../../../lib/page-nonce.ts';

/** Before the dark theme of the editor, on whose own ground its headings are too faint to be read (WCAG AA). */
const look = Prec.highest(
  EditorView.theme({
    '&': {
      fontSize: 'var(--mantine-font-size-sm)',
      height: '100%',
      backgroundColor: 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-8))',
    },
    '.cm-gutters': {
      backgroundColor: 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))',
    },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  }),
);

/**
 * Measures the lines again in the picture after the editor changed its size. CodeMirror passes over a change of size within
 * 75 ms of an update, which marks and flashes are, and then lines that wrapped leave the room that they had before.
 */
const measureWhenResized = ViewPlugin.define((view) => {
  const watch = new ResizeObserver(() => requestAnimationFrame(() => view.requestMeasure()));
  watch.observe(view.scrollDOM);
  return { destroy: () => watch.disconnect() };
});

/** What every editor of Markdown here has: long lines wrap, styles carry the page's nonce, and it has a name. */
export const markdownEditor = (label: string): readonly Extension[] => [
  EditorView.cspNonce.of(pageNonce()),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  markdown(),
  measureWhenResized,
  look,
];
