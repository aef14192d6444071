import { Alert, Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import type { EditorView } from '@uiw/react-codemirror';
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Panel } from '../../../../components/panel.tsx';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../../lib/i18n/use-server-names.ts';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import { useBuilder } from '../../../builder/session/builder-provider.tsx';
import { FieldError } from '../fields.tsx';
import classes from '../new-job.module.css';
import { findTask, isTaskUnchanged, withTask } from '../task-section.ts';
import { useNewJob, useUndoableEdit } from '../use-job-form.ts';

const MarkdownEditor = lazy(async () => ({
  default: (await import('./markdown-editor.tsx')).MarkdownEditor,
}));

/**
 * What the expert is instructed to do: its own instructions until they are edited. The editor is loaded when opened.
 */
export function InstructionsField() {
  const { newJob } = useWords();
  const textOf = useServerText();
  const { inputs, form, isLocked, edit, expert: whole } = useNewJob();
  const { instructions, expert } = form;
  const editUndoably = useUndoableEdit();
  const [isOpen, setOpen] = useState(false);
  const { onReady, focus, goTo } = useEditor();
  const { instructions: marks } = useBuilder().marks;
  useEffect(() => {
    if (marks !== null) setOpen(true);
  }, [marks?.before, marks?.written]);
  const id = useId();
  const task = findTask(instructions);
  const isChanged = expert !== null && inputs.isDirty('instructions');
  const set = useCallback((text: string) => edit((now) => ({ ...now, instructions: text })), [edit]);
  const latest = useRef(instructions);
  latest.current = instructions;
  const toTask = (): void => {
    if (task === null) set(withTask(instructions));
    setOpen(true);
    goTo(() => findTask(latest.current)?.from ?? latest.current.length);
  };
  return (
    <Panel
      title={newJob.instructions}
      aside={
        <Text size="xs" c="dimmed">
          {expert &&
            whole !== null &&
            `${newJob.instructionsOf[originOf(whole)](textOf(expert.displayName))} · `}
          {newJob.lines(instructions.split('\n').length)} <AiMark place="instructions" />{' '}
          {isChanged && (
            <Badge size="xs" variant="light" tt="none">
              {newJob.changed}
            </Badge>
          )}
        </Text>
      }
    >
      <Group gap="xs" className={classes['quiet']}>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? newJob.hideInstructions : newJob.editInstructions}
        </Button>
        <Button size="compact-sm" variant="subtle" disabled={task === null && isLocked} onClick={toTask}>
          {task === null ? newJob.addTask : newJob.toTask}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={!isChanged || isLocked}
          onClick={() =>
            editUndoably(
              (now) => ({ ...now, instructions: expert?.instructions ?? '' }),
              newJob.instructionsReset,
            )
          }
        >
          {newJob.resetInstructions}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={instructions === '' || isLocked}
          onClick={() => editUndoably((now) => ({ ...now, instructions: '' }), newJob.instructionsCleared)}
        >
          {newJob.clear}
        </Button>
      </Group>
      <FieldError>{inputs.errors['instructions']}</FieldError>
      {expert !== null && isTaskUnchanged(expert.instructions, instructions) && (
        <Alert color="yellow" py={6} mt="xs">
          {newJob.taskPlaceholder}
        </Alert>
      )}
      <div
        id={id}
        data-path="instructions"
        tabIndex={-1}
        // The first wrong field gets the focus, and hands it on to the editor, which may have to be opened first.
        onFocus={({ target, currentTarget }) => {
          if (target !== currentTarget) return;
          setOpen(true);
          focus();
        }}
      >
        {isOpen && (
          <div className={classes['editor']}>
            <Suspense fallback={<Skeleton height="100%" />}>
              <MarkdownEditor
                label={newJob.instructions}
                text={instructions}
                marks={marks}
                isReadOnly={isLocked}
                onChange={set}
                onReady={onReady}
              />
            </Suspense>
          </div>
        )}
      </div>
    </Panel>
  );
}

/** Where an expert's own instructions come from; never from a job. */
const originOf = ({ instructionsSource: source }: { readonly instructionsSource: string }) =>
  source === 'TEMPLATE' || source === 'GENERATED' ? source : 'EXPERT';

/** Acts on the editor as soon as it is there: it may still be loading. */
function useEditor() {
  const view = useRef<EditorView | null>(null);
  const waiting = useRef<((view: EditorView) => void) | null>(null);
  const onReady = useCallback((ready: EditorView) => {
    view.current = ready;
    waiting.current?.(ready);
    waiting.current = null;
  }, []);
  const withView = (act: (view: EditorView) => void): void => {
    // An editor that was closed is no longer in the document. New text reaches an open one with the next frame.
    if (view.current?.dom.isConnected) requestAnimationFrame(() => view.current && act(view.current));
    else waiting.current = act;
  };
  return {
    onReady,
    focus: () => withView((ready) => ready.focus()),
    /** Puts the cursor at a place in UTF-16 code units, and scrolls to it. */
    goTo: (place: () => number) =>
      withView((ready) => {
        const anchor = Math.min(place(), ready.state.doc.length);
        ready.dispatch({ selection: { anchor }, scrollIntoView: true });
        ready.focus();
      }),
  };
}
