import { Alert } from '@mantine/core';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { FormSource } from './use-filling.ts';

/** Where the form comes from, if not from an expert, or that it could not come from there. */
export function FormNotices({
  source,
  isSourceGone,
}: {
  readonly source: FormSource;
  readonly isSourceGone: boolean;
}) {
  const { newJob } = useWords();
  if (isSourceGone) return <Alert color="yellow">{newJob.goneSource}</Alert>;
  if (source.kind === 'EXPERT') return null;
  return (
    <Alert color="indigo" py="xs">
      {source.kind === 'DRAFT' ? newJob.fromDraft : newJob.fromJob}
    </Alert>
  );
}
