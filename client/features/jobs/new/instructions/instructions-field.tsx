import { Alert, Badge, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Panel } from '../../../../components/panel.tsx';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { Words } from '../../../../lib/i18n/words.ts';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import { useBuilder } from '../../../builder/session/builder-provider.tsx';
import { FieldError } from '../field-error.tsx';
import { problemText, type CheckedFieldProps } from '../field.ts';
import { isTaskPlaceholder } from '../form-input.ts';
import classes from '../new-job.module.css';
import { findTask, withTask } from '../task-section.ts';
import { InstructionsToolbar } from './instructions-toolbar.tsx';
import { useEditor } from './use-editor.ts';

const MarkdownEditor = lazy(async () => ({
  default: (await import('./markdown-editor.tsx')).MarkdownEditor,
}));

type InstructionsFieldProps = CheckedFieldProps & {
  /** Where the expert has its own from; null until that is known. */
  readonly source: keyof Words['newJob']['instructionsOf'] | null;
};

/** What the expert is told: those of the expert until they are edited. The editor comes when it is asked for. */
export function InstructionsField(props: InstructionsFieldProps) {
  const { form, dispatch, problems, onFocusable, source } = props;
  const { newJob } = useWords();
  const { instructions, expert, lock } = form;
  const [isOpen, setOpen] = useState(false);
  const { onReady, focus, goTo } = useEditor();
  const before = useBuilder().marks.instructionsBefore;
  useEffect(() => {
    if (before !== null) setOpen(true);
  }, [before]);
  const id = useId();
  const problem = problemText(problems, 'instructions');
  const openAnd = useCallback(
    (act: () => void) => {
      setOpen(true);
      act();
    },
    [setOpen],
  );
  useEffect(() => onFocusable('instructions', () => openAnd(focus)), [onFocusable, openAnd, focus]);
  const task = findTask(instructions);
  const isChanged = expert !== null && instructions !== expert.instructions;
  const onChange = useCallback((text: string) => dispatch({ type: 'instructions', text }), [dispatch]);
  const latest = useRef(instructions);
  latest.current = instructions;
  const toTask = (): void => {
    if (task === null) dispatch({ type: 'instructions', text: withTask(instructions) });
    openAnd(() => goTo(() => findTask(latest.current)?.from ?? latest.current.length));
  };
  return (
    <Panel
      title={newJob.instructions}
      aside={
        <Text size="xs" c="dimmed">
          {expert && source !== null && `${newJob.instructionsOf[source](expert.displayName)} · `}
          {newJob.lines(instructions.split('\n').length)} <AiMark place="instructions" />{' '}
          {isChanged && (
            <Badge size="xs" variant="light" tt="none">
              {newJob.changed}
            </Badge>
          )}
        </Text>
      }
    >
      <InstructionsToolbar
        form={form}
        dispatch={dispatch}
        isOpen={isOpen}
        editorId={id}
        onToggle={() => setOpen(!isOpen)}
        onTask={toTask}
      />
      <FieldError text={problem} />
      {isTaskPlaceholder(form) && (
        <Alert color="yellow" py={6} mt="xs">
          {newJob.taskPlaceholder}
        </Alert>
      )}
      <div id={id}>
        {isOpen && (
          <div className={classes['editor']}>
            <Suspense fallback={<Skeleton height="100%" />}>
              <MarkdownEditor
                label={newJob.instructions}
                text={instructions}
                before={before}
                isReadOnly={lock !== null}
                onChange={onChange}
                onReady={onReady}
              />
            </Suspense>
          </div>
        )}
      </div>
    </Panel>
  );
}
