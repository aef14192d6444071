import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExpertCardFragment, ExpertWholeFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { FieldProps } from '../field.ts';
import { baseOf } from '../filled-form.ts';
import { hasEdits } from '../form-input.ts';
import classes from '../new-job.module.css';
import { SaveExpertDialog } from './save-expert-dialog.tsx';
import { useSavedExperts } from './use-saved-experts.ts';

type SavedExpertsProps = FieldProps & {
  readonly experts: readonly ExpertCardFragment[];
  /** One was saved or deleted. */
  readonly onSaved: () => void;
};

/** Keeps what the form holds as an expert of the project, and takes back what was kept. Shipped ones stay as they are. */
export function SavedExperts({ form, dispatch, experts, onSaved }: SavedExpertsProps) {
  const { newJob, common } = useWords();
  const actions = useSavedExperts();
  const [isNaming, setNaming] = useState(false);
  const chosen = experts.find(({ expertId }) => expertId === form.expert?.expertId);
  const saved = chosen?.isBuiltIn === false ? chosen : null;
  const isLocked = form.lock !== null || form.instructions.trim() === '';
  const refuse = (message: string): void => void notifications.show({ color: 'red', message });
  const take = (expert: ExpertWholeFragment): void => {
    dispatch({ type: 'expert', expert: baseOf(expert), edits: 'REPLACE' });
    notifications.show({ message: newJob.expertSaved(expert.displayName) });
    onSaved();
  };
  const replace = async (card: ExpertCardFragment): Promise<void> => {
    const result = await actions.replace(form, card);
    if ('expert' in result) take(result.expert);
    else refuse(result.refused);
  };
  const remove = async (card: ExpertCardFragment): Promise<void> => {
    const { refused } = await actions.remove(card);
    if (refused !== null) refuse(refused);
    onSaved();
  };
  const askToRemove = (card: ExpertCardFragment): void => {
    modals.openConfirmModal({
      title: newJob.deleteExpertTitle(card.displayName),
      children: <Text size="sm">{newJob.deleteExpertText}</Text>,
      labels: { confirm: newJob.deleteExpert, cancel: newJob.keepExpert },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': common.close },
      onConfirm: () => void remove(card),
    });
  };
  return (
    <Group gap="xs" mt="xs" className={classes['quiet']}>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconDeviceFloppy size={14} />}
        disabled={isLocked}
        onClick={() => setNaming(true)}
      >
        {newJob.saveExpert}
      </Button>
      {saved && (
        <>
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={isLocked || !hasEdits(form)}
            onClick={() => void replace(saved)}
          >
            {newJob.saveOver(saved.displayName)}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => askToRemove(saved)}
          >
            {newJob.deleteExpertOf(saved.displayName)}
          </Button>
        </>
      )}
      <SaveExpertDialog
        isOpen={isNaming}
        onClose={() => setNaming(false)}
        onSave={async (listing) => {
          const result = await actions.add(form, listing);
          if ('refused' in result) return result.refused;
          take(result.expert);
          return null;
        }}
      />
    </Group>
  );
}
