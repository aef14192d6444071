import { Skeleton, Stack } from '@mantine/core';
import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { LoadError } from '../../../components/load-error.tsx';
import type { ExpertWholeFragment, NewJobChoicesQuery } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useSubjectOfPage } from '../../../lib/page-subject.tsx';
import { BesideForm } from '../../builder/beside-form.tsx';
import { ExpertField } from './experts/expert-field.tsx';
import { useWholeExpert } from './experts/use-whole-expert.ts';
import type { ShownProblem } from './field.ts';
import { ContextField } from './fields/context-field.tsx';
import { DatasourcesField } from './fields/datasources-field.tsx';
import { DescriptionField } from './fields/description-field.tsx';
import { UploadsField } from './fields/uploads-field.tsx';
import { problemsOf, type FormField } from './form-input.ts';
import { FormNotices } from './form-notices.tsx';
import type { JobForm } from './form-state.ts';
import { InstructionsField } from './instructions/instructions-field.tsx';
import classes from './new-job.module.css';
import { SettingsFields } from './settings/settings-fields.tsx';
import { SubmitBar } from './submit-bar.tsx';
import { useFilling, type FormSource } from './use-filling.ts';
import { useJobForm } from './use-job-form.ts';
import { useSubmit } from './use-submit.ts';

type NewJobFormProps = {
  readonly choices: NewJobChoicesQuery;
  /** Reads the choices again: an expert may have come or gone. */
  readonly onChoicesOld: () => void;
  readonly source: FormSource;
};

/** The form. Fields know the form and its actions, and nothing of each other. */
export function NewJobForm({ choices, onChoicesOld, source }: NewJobFormProps) {
  const { newJob } = useWords();
  const navigate = useNavigate();
  const { form, dispatch, wasKept, forget } = useJobForm(source.kind === 'EXPERT' ? 'new' : source.id);
  const known = useKnown(choices);
  const onFilled = useCallback((filled: JobForm) => dispatch({ type: 'fill', form: filled }), [dispatch]);
  const filling = useFilling(source, known, { isNeeded: !wasKept, onFilled });
  const whole = useWholeExpert(form.expert?.expertId ?? null);
  useSubjectOfPage({ chipId: form.chipId });
  const [isUploading, setUploading] = useState(false);
  const onMade = (jobId: string): void => {
    forget();
    void navigate(`/jobs/${jobId}`);
  };
  const { problems, isSending, trySubmit, onFocusable } = useChecked(form, dispatch, {
    expertIds: known.expertIds,
    onMade,
    onRefused: onChoicesOld,
  });
  if (filling.error) return <LoadError error={filling.error} onRetry={filling.retry} />;
  if (filling.isFilling) return <Skeleton height={480} />;
  const field = { form, dispatch };
  const checked = { ...field, problems, onFocusable };
  // React brings events of dialogs here too, which stand elsewhere on the page.
  const isOwn = ({ currentTarget, target }: SyntheticEvent<HTMLFormElement>): boolean =>
    target instanceof Node && currentTarget.contains(target);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isOwn(event)) return;
    event.preventDefault();
    trySubmit();
  };
  return (
    <BesideForm form={form} change={dispatch} jobId={source.kind === 'JOB' ? source.id : null}>
      <form
        className={classes['form']}
        noValidate
        aria-label={newJob.title}
        onSubmit={(event) => {
          event.preventDefault();
          if (isOwn(event)) trySubmit();
        }}
        onKeyDown={onKeyDown}
      >
        <FormNotices source={source} isSourceGone={filling.isGone} />
        <ExpertField {...checked} choices={choices} onSaved={onChoicesOld} />
        <DescriptionField {...checked} chips={choices.chips} />
        <InstructionsField {...checked} source={whole === null ? null : originOf(whole)} />
        <SettingsFields {...checked} expert={whole} choices={choices} />
        <Stack gap="sm">
          <DatasourcesField {...field} datasources={choices.datasources} />
          <UploadsField {...checked} onUploading={setUploading} />
          <ContextField {...field} />
        </Stack>
        <SubmitBar
          isSending={isSending}
          isLocked={form.lock === 'BUILDER'}
          isUploading={isUploading}
          problems={problems}
          onDiscard={() => {
            forget();
            void navigate('/jobs');
          }}
        />
      </form>
    </BesideForm>
  );
}

type CheckedDeps = {
  readonly expertIds: readonly string[];
  readonly onMade: (jobId: string) => void;
  readonly onRefused: () => void;
};

/** What is wrong with the form once it was sent, before the server sees it and after; the first of it gets the focus. */
function useChecked(
  form: JobForm,
  dispatch: Parameters<typeof useSubmit>[1],
  { expertIds, onMade, onRefused }: CheckedDeps,
) {
  const { newJob } = useWords();
  const [wasTried, setTried] = useState(false);
  const focus = useRef<Partial<Record<FormField, () => void>>>({});
  const onFocusable = useCallback((field: FormField, act: () => void) => {
    focus.current[field] = act;
  }, []);
  const focusFirst = (problems: readonly ShownProblem[]): void => {
    const field = problems.flatMap((problem) => problem.field ?? [])[0];
    if (field) focus.current[field]?.();
  };
  const own = problemsOf(form, expertIds).map(({ field, problem }): ShownProblem => ({
    field,
    text: newJob.problems[problem],
  }));
  const { submit, refusals } = useSubmit(form, dispatch, {
    onMade,
    onRefused: (problems) => {
      onRefused();
      focusFirst(problems);
    },
  });
  const trySubmit = (): void => {
    setTried(true);
    if (own.length > 0) focusFirst(own);
    else if (form.lock === null) void submit();
  };
  const problems = wasTried ? [...own, ...refusals] : refusals;
  return { problems, isSending: form.lock === 'SUBMIT', trySubmit, onFocusable };
}

/** An expert's own instructions come from nowhere else, whatever else those of a job may come from. */
const originOf = ({ instructionsSource: source }: ExpertWholeFragment) =>
  source === 'TEMPLATE' || source === 'GENERATED' ? source : 'EXPERT';

function useKnown({ experts, datasources, chips }: NewJobChoicesQuery) {
  return useMemo(
    () => ({
      expertIds: experts.filter(({ loadError }) => loadError === null).map(({ expertId }) => expertId),
      datasourceIds: datasources.map(({ id }) => id),
      chipIds: chips.map(({ chipId }) => chipId),
    }),
    [experts, datasources, chips],
  );
}
