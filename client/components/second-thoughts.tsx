/** Two ways that nothing of a person's work goes by one click: it is asked before, or can be undone after. */
import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useWords } from '../lib/i18n/i18n.tsx';

/** What is asked; `text` names what goes. */
export type Question = {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly onConfirm: () => void;
};

/** Asks in a dialog. */
export function useConfirm(): (question: Question) => void {
  const { common } = useWords();
  return useCallback(
    ({ title, text, confirm, cancel, onConfirm }) =>
      void modals.openConfirmModal({
        title,
        children: <Text size="sm">{text}</Text>,
        labels: { confirm, cancel },
        confirmProps: { color: 'red.9' },
        closeButtonProps: { 'aria-label': common.close },
        onConfirm,
      }),
    [common],
  );
}

/** How long something can be undone. */
const UNDO_MS = 30_000;

/** Says what was done, with a button that undoes it. */
export function useUndoNotice(): (message: string, undo: () => void) => void {
  const { common } = useWords();
  return useCallback(
    (message, undo) => {
      const id = crypto.randomUUID();
      const take = (): void => {
        notifications.hide(id);
        undo();
      };
      notifications.show({
        id,
        autoClose: UNDO_MS,
        closeButtonProps: { 'aria-label': common.close },
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{message}</Text>
            <Button size="compact-sm" variant="light" flex="none" onClick={take}>
              {common.undo}
            </Button>
          </Group>
        ),
      });
    },
    [common],
  );
}
