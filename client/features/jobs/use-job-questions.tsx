import { useMemo } from 'react';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Asks before a job is cancelled, or deleted. */
export type JobQuestions = {
  readonly cancel: (onConfirm: () => void) => void;
  readonly remove: (onConfirm: () => void) => void;
};

/** {@link JobQuestions} as dialogs. */
export function useJobQuestions(): JobQuestions {
  const { jobs } = useWords();
  const ask = useConfirm();
  return useMemo(
    () => ({
      cancel: (onConfirm) =>
        ask({
          title: jobs.cancelTitle,
          text: jobs.cancelText,
          confirm: jobs.cancel,
          cancel: jobs.keepRunning,
          onConfirm,
        }),
      remove: (onConfirm) =>
        ask({
          title: jobs.deleteTitle,
          text: jobs.deleteText,
          confirm: jobs.delete,
          cancel: jobs.keep,
          onConfirm,
        }),
    }),
    [jobs, ask],
  );
}
