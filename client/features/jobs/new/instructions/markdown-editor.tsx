import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, { type EditorView } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { instructionFlashes, instructionMarks } from '../../../builder/marks/instruction-marks.ts';
import { markdownEditor } from './editor-extensions.ts';

/** Tab leaves the editor, as it leaves every other field. */
const SETUP = {
  foldGutter: false,
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
  searchKeymap: true,
} as const;

type MarkdownEditorProps = {
  readonly label: string;
  readonly text: string;
  /** The text that differences are marked from; null: nothing is marked. */
  readonly before: string | null;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  /** Given once it is there. */
  readonly onReady: (view: EditorView) => void;
};

/** An editor of Markdown. Text that is set from outside can be undone like any other edit. */
export function MarkdownEditor({ label, text, before, isReadOnly, onChange, onReady }: MarkdownEditorProps) {
  const scheme = useComputedColorScheme('light');
  const extensions = useMemo(
    () => [...markdownEditor(label), instructionFlashes, instructionMarks(before)],
    [label, before],
  );
  return (
    <CodeMirror
      value={text}
      height="100%"
      style={{ height: '100%' }}
      theme={scheme}
      extensions={extensions}
      basicSetup={SETUP}
      indentWithTab={false}
      readOnly={isReadOnly}
      onChange={onChange}
      onCreateEditor={onReady}
    />
  );
}
