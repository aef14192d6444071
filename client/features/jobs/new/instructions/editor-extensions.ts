import { markdown } from '@codemirror/lang-markdown';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { pageNonce } from '../../../../lib/page-nonce.ts';

const look = EditorView.theme({
  '&': { fontSize: 'var(--mantine-font-size-sm)', height: '100%', backgroundColor: 'transparent' },
  // CodeMirror's own numbers are too faint on the line that one is in.
  '.cm-gutters .cm-gutterElement': { color: 'var(--mantine-color-dimmed)' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
});

/** What every editor of Markdown here has: long lines wrap, styles carry the page's nonce, and it has a name. */
export const markdownEditor = (label: string): readonly Extension[] => [
  EditorView.cspNonce.of(pageNonce()),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  markdown(),
  look,
];
