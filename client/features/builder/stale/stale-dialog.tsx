import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { diffArtifacts } from '../../../../src/domain/artifacts/artifact-diff.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { DiffView } from '../review/diff-view.tsx';
import type { Conflict } from '../session/use-sync.ts';
import { useBuilder } from '../session/builder-provider.tsx';

/**
 * Asks which is right where the form was edited here and the session elsewhere. Nothing is lost before it is
 * answered.
 */
export function StaleDialog() {
  const { sync, writing } = useBuilder();
  if (sync.conflict === null || writing !== null) return null;
  return <Question conflict={sync.conflict} onSettle={sync.settle} />;
}

function Question({
  conflict: { mine, theirs },
  onSettle,
}: {
  readonly conflict: Conflict;
  readonly onSettle: (choice: 'mine' | 'theirs') => void;
}) {
  const { builder: words } = useWords();
  const diff = useMemo(() => diffArtifacts(theirs, mine), [theirs, mine]);
  return (
    <Modal
      opened
      size="lg"
      title={words.staleTitle}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => undefined}
    >
      <Stack gap="sm">
        <Text size="sm">{words.staleText}</Text>
        <Group gap="xs">
          <Button data-autofocus onClick={() => onSettle('mine')}>
            {words.mine}
          </Button>
          <Button variant="default" onClick={() => onSettle('theirs')}>
            {words.theirs}
          </Button>
        </Group>
        <Text size="sm" fw={600}>
          {words.staleDiff}
        </Text>
        <DiffView diff={diff} />
      </Stack>
    </Modal>
  );
}
