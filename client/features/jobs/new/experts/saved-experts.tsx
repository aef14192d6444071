import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useConfirm } from '../../../../components/second-thoughts.tsx';
import type { ExpertCardFragment, ExpertWholeFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { baseOf, hasEdits, withExpert } from '../job-form.ts';
import classes from '../new-job.module.css';
import { useNewJob } from '../use-job-form.ts';
import { SaveExpertDialog } from './save-expert-dialog.tsx';
import { useSavedExperts } from './use-saved-experts.ts';

/** Saves the form as an expert of the project, and deletes saved experts. Built-in ones cannot be changed. */
export function SavedExperts() {
  const { newJob } = useWords();
  const confirm = useConfirm();
  const { form, edit, choices, reloadChoices, isLocked } = useNewJob();
  const actions = useSavedExperts();
  const [isNaming, setNaming] = useState(false);
  /** What was saved here last: newer than the list, which is read again after it. */
  const [own, setOwn] = useState<ExpertWholeFragment | null>(null);
  const chosen = choices.experts.find(({ expertId }) => expertId === form.expert?.expertId);
  const ownVersion = own?.expertId === chosen?.expertId ? (own?.version ?? 0) : 0;
  const saved =
    chosen?.isBuiltIn === false
      ? { ...chosen, version: Math.max(ownVersion, chosen.version ?? 0) || null }
      : null;
  const cannotSave = isLocked || form.instructions.trim() === '';
  const refuse = (message: string): void => {
    setOwn(null); // Somebody else may have saved or deleted it since.
    notifications.show({ color: 'red', message });
  };
  const take = (expert: ExpertWholeFragment): void => {
    edit((now) => withExpert(now, baseOf(expert), 'REPLACE'));
    setOwn(expert);
    notifications.show({ message: newJob.expertSaved(expert.displayName) });
    reloadChoices();
  };
  const replace = async (card: ExpertCardFragment): Promise<void> => {
    const result = await actions.replace(form, card);
    if ('expert' in result) take(result.expert);
    else refuse(result.refused);
  };
  const remove = async (card: ExpertCardFragment): Promise<void> => {
    const refused = await actions.remove(card);
    if (refused !== null) refuse(refused);
    reloadChoices();
  };
  const askToRemove = (card: ExpertCardFragment): void =>
    confirm({
      title: newJob.deleteExpertTitle(card.displayName),
      text: newJob.deleteExpertText,
      confirm: newJob.deleteExpert,
      cancel: newJob.keepExpert,
      onConfirm: () => void remove(card),
    });
  const askToReplace = (card: ExpertCardFragment): void =>
    confirm({
      title: newJob.saveOverTitle(card.displayName),
      text: newJob.saveOverText,
      confirm: newJob.saveOver(card.displayName),
      cancel: newJob.keepExpert,
      onConfirm: () => void replace(card),
    });
  return (
    <Group gap="xs" mt="xs" className={classes['quiet']}>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconDeviceFloppy size={14} />}
        disabled={cannotSave}
        onClick={() => setNaming(true)}
      >
        {newJob.saveExpert}
      </Button>
      {saved && (
        <>
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={cannotSave || !hasEdits(form)}
            onClick={() => askToReplace(saved)}
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
