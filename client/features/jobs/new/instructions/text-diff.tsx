import { unifiedMergeView } from '@codemirror/merge';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { markdownEditor } from './editor-extensions.ts';

const SETUP = {
  foldGutter: false,
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
} as const;

type TextDiffProps = { readonly label: string; readonly before: string; readonly after: string };

/** What differs between two texts, lines and words, with the unchanged parts folded. */
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
