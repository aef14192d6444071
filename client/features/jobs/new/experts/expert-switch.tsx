import { Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { ExpertWholeFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../../lib/i18n/use-server-names.ts';
import { useNewJob } from '../use-job-form.ts';

const TextDiff = lazy(async () => ({
  default: (await import('../instructions/markdown-editor.tsx')).TextDiff,
}));

type ExpertSwitchProps = {
  /** The expert to change to; null while there is nothing to ask. */
  readonly expert: ExpertWholeFragment | null;
  readonly onClose: () => void;
  readonly onChosen: (expert: ExpertWholeFragment, edits: 'KEEP' | 'REPLACE') => void;
};

/** Asks what to do with the user's changes when another expert is chosen. */
export function ExpertSwitch({ expert, onClose, onChosen }: ExpertSwitchProps) {
  const { newJob, common } = useWords();
  const textOf = useServerText();
  const { form } = useNewJob();
  const [isDiffShown, setDiffShown] = useState(false);
  return (
    <Modal
      opened={expert !== null}
      onClose={onClose}
      title={expert && newJob.switchTitle(textOf(expert.displayName))}
      size={isDiffShown ? 'xl' : 'md'}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {expert && (
        <>
          <Text size="sm">{newJob.switchText}</Text>
          <Group mt="sm" gap="xs">
            <Button size="xs" data-autofocus onClick={() => onChosen(expert, 'KEEP')}>
              {newJob.keepMine}
            </Button>
            <Button size="xs" variant="default" onClick={() => onChosen(expert, 'REPLACE')}>
              {newJob.replace}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              aria-expanded={isDiffShown}
              onClick={() => setDiffShown(!isDiffShown)}
            >
              {isDiffShown ? newJob.hideDiff : newJob.showDiff}
            </Button>
          </Group>
          {isDiffShown && (
            <Suspense fallback={<Skeleton mt="sm" height={240} />}>
              <TextDiff
                label={newJob.diffOf(textOf(expert.displayName))}
                before={expert.instructions}
                after={form.instructions}
              />
            </Suspense>
          )}
        </>
      )}
    </Modal>
  );
}
