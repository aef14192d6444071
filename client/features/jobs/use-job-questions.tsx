import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useCallback, useMemo } from 'react';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Asks before a job is cancelled, or deleted. */
export type JobQuestions = {
  readonly cancel: (onConfirm: () => void) => void;
  readonly remove: (onConfirm: () => void) => void;
};

/** {@link JobQuestions} as dialogs. */
export function useJobQuestions(): JobQuestions {
  const { jobs, common } = useWords();
  const ask = useCallback(
    (title: string, text: string, labels: { confirm: string; cancel: string }, onConfirm: () => void) =>
      void modals.openConfirmModal({
        title,
        children: <Text size="sm">{text}</Text>,
        labels,
        confirmProps: { color: 'red' },
        closeButtonProps: { 'aria-label': common.close },
        onConfirm,
      }),
    [common],
  );
  return useMemo(
    () => ({
      cancel: (onConfirm) =>
        ask(jobs.cancelTitle, jobs.cancelText, { confirm: jobs.cancel, cancel: jobs.keepRunning }, onConfirm),
      remove: (onConfirm) =>
        ask(jobs.deleteTitle, jobs.deleteText, { confirm: jobs.delete, cancel: jobs.keep }, onConfirm),
    }),
    [jobs, ask],
  );
}
