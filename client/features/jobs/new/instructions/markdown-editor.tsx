/** The editor of Markdown and the comparison of two texts, loaded together when the first of them is opened. */
import { markdown } from '@codemirror/lang-markdown';
import { unifiedMergeView } from '@codemirror/merge';
import { Prec, type Extension } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, { EditorView } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { pageNonce } from '../../../../lib/page-nonce.ts';
import type { Marks } from '../../../builder/model/marks.ts';
import { instructionFlashes, instructionMarks } from '../../../builder/marks/instruction-marks.ts';

const SETUP = { foldGutter: false, highlightActiveLine: false, highlightActiveLineGutter: false } as const;
// One object: the editor is reconfigured for each new one.
const EDITOR_SETUP = { ...SETUP, searchKeymap: true } as const;

type MarkdownEditorProps = {
  readonly label: string;
  readonly text: string;
  /** What the builder changed in it; null marks nothing. */
  readonly marks: Marks['instructions'];
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  /** Given once it is there. */
  readonly onReady: (view: EditorView) => void;
};

/** An editor of Markdown. Text that is set from outside can be undone like any other edit. */
export function MarkdownEditor({ label, text, marks, isReadOnly, onChange, onReady }: MarkdownEditorProps) {
  const scheme = useComputedColorScheme('light');
  const extensions = useMemo(
    () => [...markdownEditor(label), instructionFlashes, instructionMarks(marks, text)],
    [label, marks?.before, marks?.written],
  );
  return (
    <CodeMirror
      value={text}
      height="100%"
      style={{ height: '100%' }}
      theme={scheme}
      extensions={extensions}
      basicSetup={EDITOR_SETUP}
      // Tab leaves the editor, as it leaves every other field.
      indentWithTab={false}
      readOnly={isReadOnly}
      onChange={onChange}
      onCreateEditor={onReady}
    />
  );
}

type TextDiffProps = { readonly label: string; readonly before: string; readonly after: string };

/** The differences between two texts, in lines and words, with the unchanged parts folded. */
export function TextDiff({ label, before, after }: TextDiffProps) {
  const scheme = useComputedColorScheme('light');
  const extensions = useMemo(
    () => [
      ...markdownEditor(label),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        collapseUnchanged: { margin: 2, minSize: 6 },
      }),
    ],
    [label, before],
  );
  return (
    <CodeMirror
      value={after}
      maxHeight="50vh"
      style={{ marginTop: 'var(--mantine-spacing-sm)' }}
      theme={scheme}
      extensions={extensions}
      basicSetup={SETUP}
      indentWithTab={false}
      readOnly
    />
  );
}

/** Overrides the editor's dark theme, in which headings have too little contrast (WCAG AA). */
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
 * Measures the lines again in the frame after the editor was resized. CodeMirror ignores a resize within 75 ms of an
 * update (marks and flashes are updates), and lines that no longer wrap would keep their old height.
 */
const measureWhenResized = ViewPlugin.define((view) => {
  const watch = new ResizeObserver(() => requestAnimationFrame(() => view.requestMeasure()));
  watch.observe(view.scrollDOM);
  return { destroy: () => watch.disconnect() };
});

const markdownEditor = (label: string): readonly Extension[] => [
  EditorView.cspNonce.of(pageNonce()),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  markdown(),
  measureWhenResized,
  look,
];
