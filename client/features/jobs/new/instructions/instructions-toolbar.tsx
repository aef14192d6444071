import { Button, Group } from '@mantine/core';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { FieldProps } from '../field.ts';
import classes from '../new-job.module.css';
import { findTask } from '../task-section.ts';

type InstructionsToolbarProps = FieldProps & {
  readonly isOpen: boolean;
  readonly editorId: string;
  readonly onToggle: () => void;
  /** Asked for the section Task, which may not be there yet. */
  readonly onTask: () => void;
};

/** What can be done with instructions besides writing them. */
export function InstructionsToolbar(props: InstructionsToolbarProps) {
  const { form, dispatch, isOpen, editorId, onToggle, onTask } = props;
  const { newJob } = useWords();
  const { instructions, expert } = form;
  const isLocked = form.lock !== null;
  const hasTask = findTask(instructions) !== null;
  const isChanged = expert !== null && instructions !== expert.instructions;
  return (
    <Group gap="xs" className={classes['quiet']}>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={editorId}
        onClick={onToggle}
      >
        {isOpen ? newJob.hideInstructions : newJob.editInstructions}
      </Button>
      <Button size="compact-sm" variant="subtle" disabled={!hasTask && isLocked} onClick={onTask}>
        {hasTask ? newJob.toTask : newJob.addTask}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={!isChanged || isLocked}
        onClick={() => dispatch({ type: 'reset-instructions' })}
      >
        {newJob.resetInstructions}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={instructions === '' || isLocked}
        onClick={() => dispatch({ type: 'instructions', text: '' })}
      >
        {newJob.clear}
      </Button>
    </Group>
  );
}
