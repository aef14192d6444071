import { Alert, Skeleton, Stack } from '@mantine/core';
import { useCallback, useMemo, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../../components/second-thoughts.tsx';
import { LoadError } from '../../../components/load-error.tsx';
import type { NewJobChoicesQuery } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useSubjectOfPage } from '../../../lib/page-subject.tsx';
import { BesideForm } from '../../builder/beside-form.tsx';
import { ExpertField } from './experts/expert-field.tsx';
import { useWholeExpert } from './experts/use-expert.ts';
import { ContextField, DatasourcesField, DescriptionField } from './fields.tsx';
import { InstructionsField } from './instructions/instructions-field.tsx';
import { hasEdits, type JobForm } from './job-form.ts';
import classes from './new-job.module.css';
import { SettingsPanel } from './settings/settings-panel.tsx';
import { SubmitBar } from './submit-bar.tsx';
import { UploadsField } from './uploads-field.tsx';
import { useFilling, type FormSource } from './use-filling.ts';
import { NewJobContext, useJobForm } from './use-job-form.ts';
import { useSubmit } from './use-submit.ts';

type NewJobFormProps = {
  readonly choices: NewJobChoicesQuery;
  readonly reloadChoices: () => void;
  readonly source: FormSource;
};

/** The form. Its fields know the form, and nothing of each other. */
export function NewJobForm({ choices, reloadChoices, source }: NewJobFormProps) {
  const { newJob } = useWords();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const expertIds = useMemo(
    () => choices.experts.filter(({ loadError }) => loadError === null).map(({ expertId }) => expertId),
    [choices.experts],
  );
  const name = source.kind === 'EXPERT' ? 'new' : source.id;
  const { inputs, form, update, edit, wasKept, forget } = useJobForm(name, expertIds);
  const onFilled = useCallback((filled: JobForm) => edit(() => filled), [edit]);
  const filling = useFilling(source, choices, { isNeeded: !wasKept, onFilled });
  const expert = useWholeExpert(form.expert?.expertId ?? null);
  useSubjectOfPage({ chipId: form.chipId });
  const [isUploading, setUploading] = useState(false);
  const leaveTo = (path: string): void => {
    forget();
    void navigate(path);
  };
  const submit = useSubmit({
    inputs,
    update,
    onCreated: (jobId) => leaveTo(`/jobs/${jobId}`),
    onRefused: reloadChoices,
  });
  if (filling.error) return <LoadError error={filling.error} onRetry={filling.retry} />;
  if (filling.isFilling) return <Skeleton height={480} />;
  // React also bubbles events of dialogs to the form, though they are elsewhere in the document.
  const isOwn = ({ currentTarget, target }: SyntheticEvent<HTMLFormElement>): boolean =>
    target instanceof Node && currentTarget.contains(target);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isOwn(event)) return;
    event.preventDefault();
    submit();
  };
  return (
    <BesideForm form={form} update={update} jobId={source.kind === 'JOB' ? source.id : null}>
      <NewJobContext
        value={{ inputs, form, isLocked: form.lock !== null, edit, choices, reloadChoices, expert }}
      >
        <form
          className={classes['form']}
          noValidate
          aria-label={newJob.title}
          onSubmit={(event) => {
            event.preventDefault();
            if (isOwn(event)) submit();
          }}
          onKeyDown={onKeyDown}
        >
          <SourceNotice source={source} isGone={filling.isGone} />
          <ExpertField />
          <DescriptionField />
          <InstructionsField />
          <SettingsPanel />
          <Stack gap="sm">
            <DatasourcesField />
            <UploadsField onUploading={setUploading} />
            <ContextField />
          </Stack>
          <SubmitBar
            isUploading={isUploading}
            onDiscard={() => {
              if (!hasEdits(form) && form.description === '') leaveTo('/jobs');
              else
                confirm({
                  title: newJob.discardTitle,
                  text: newJob.discardText(form.description, form.instructions.split('\n').length),
                  confirm: newJob.discard,
                  cancel: newJob.keepDraft,
                  onConfirm: () => leaveTo('/jobs'),
                });
            }}
          />
        </form>
      </NewJobContext>
    </BesideForm>
  );
}

/** Where the form was filled from, unless that is an expert. */
function SourceNotice({ source, isGone }: { readonly source: FormSource; readonly isGone: boolean }) {
  const { newJob } = useWords();
  if (isGone) return <Alert color="yellow">{newJob.goneSource}</Alert>;
  if (source.kind === 'EXPERT' || source.kind === 'BUILDER') return null;
  return (
    <Alert color="indigo" py="xs">
      {source.kind === 'DRAFT' ? newJob.fromDraft : newJob.fromJob}
    </Alert>
  );
}
