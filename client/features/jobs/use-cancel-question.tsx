import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useCallback } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Asks before a job is cancelled. */
export function useCancelQuestion(): (onConfirm: () => void) => void {
  const { jobs, common } = useWords();
  return useCallback(
    (onConfirm) => {
      modals.openConfirmModal({
        title: jobs.cancelTitle,
        children: <Text size="sm">{jobs.cancelText}</Text>,
        labels: { confirm: jobs.cancel, cancel: jobs.keepRunning },
        confirmProps: { color: 'red' },
        closeButtonProps: { 'aria-label': common.close },
        onConfirm,
      });
    },
    [jobs, common],
  );
}
