import { ActionIcon, Modal, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconVersions } from '@tabler/icons-react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../session/builder-provider.tsx';
import { Revisions } from './revisions.tsx';

/** Opens the revisions of the session. */
export function RevisionsButton({ newest }: { readonly newest: number }) {
  const { builder: words, common } = useWords();
  const { sessionId } = useBuilder();
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Tooltip label={words.revisions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.revisions}
          disabled={newest === 0}
          onClick={dialog.open}
        >
          <IconVersions size={16} />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="xl"
        title={words.revisions}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {sessionId !== null && <Revisions sessionId={sessionId} newest={newest} onDone={dialog.close} />}
      </Modal>
    </>
  );
}
