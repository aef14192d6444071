import { Alert, Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Panel } from '../../../../components/panel.tsx';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import { useBuilder } from '../../../builder/session/builder-provider.tsx';
import { problemText, type CheckedFieldProps } from '../field.ts';
import { isTaskPlaceholder } from '../form-input.ts';
import classes from '../new-job.module.css';
import { findTask, withTask } from '../task-section.ts';
import { useEditor } from './use-editor.ts';

const MarkdownEditor = lazy(async () => ({
  default: (await import('./markdown-editor.tsx')).MarkdownEditor,
}));

/** What the expert is told: those of the expert until they are edited. The editor comes when it is asked for. */
export function InstructionsField({ form, dispatch, problems, onFocusable }: CheckedFieldProps) {
  const { newJob } = useWords();
  const { instructions, expert, lock } = form;
  const [isOpen, setOpen] = useState(false);
  const { onReady, focus, goTo } = useEditor();
  const before = useBuilder().marks.instructionsBefore;
  useEffect(() => {
    if (before !== null) setOpen(true);
  }, [before]);
  const id = useId();
  const problem = problemText(newJob.problems, problems, 'instructions');
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
          {expert && newJob.ofExpert(expert.displayName)} · {newJob.lines(instructions.split('\n').length)}{' '}
          <AiMark place="instructions" />{' '}
          {isChanged && (
            <Badge size="xs" variant="light" tt="none">
              {newJob.changed}
            </Badge>
          )}
        </Text>
      }
    >
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? newJob.hideInstructions : newJob.editInstructions}
        </Button>
        <Button size="compact-sm" variant="subtle" disabled={task === null && lock !== null} onClick={toTask}>
          {task === null ? newJob.addTask : newJob.toTask}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={!isChanged || lock !== null}
          onClick={() => dispatch({ type: 'reset-instructions' })}
        >
          {newJob.resetInstructions}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={instructions === '' || lock !== null}
          onClick={() => dispatch({ type: 'instructions', text: '' })}
        >
          {newJob.clear}
        </Button>
      </Group>
      {problem !== null && (
        <Text size="sm" c="red" mt={6} role="alert">
          {problem}
        </Text>
      )}
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
