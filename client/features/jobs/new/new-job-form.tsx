import { Alert, Skeleton } from '@mantine/core';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ExpertWholeFragment, NewJobChoicesQuery } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useSubjectOfPage } from '../../../lib/page-subject.tsx';
import { BesideForm } from '../../builder/beside-form.tsx';
import { ContextField } from './fields/context-field.tsx';
import { DatasourcesField } from './fields/datasources-field.tsx';
import { DescriptionField } from './fields/description-field.tsx';
import { UploadsField } from './fields/uploads-field.tsx';
import { ExpertCards } from './experts/expert-cards.tsx';
import { ExpertSwitch } from './experts/expert-switch.tsx';
import { useWholeExpert } from './experts/use-whole-expert.ts';
import { baseOf } from './filled-form.ts';
import { hasEdits, problemsOf, type FormField } from './form-input.ts';
import { InstructionsField } from './instructions/instructions-field.tsx';
import classes from './new-job.module.css';
import { SettingsFields } from './settings/settings-fields.tsx';
import { SubmitBar } from './submit-bar.tsx';
import { DEFAULTS_ID, useFilling, type FormSource } from './use-filling.ts';
import { useJobForm } from './use-job-form.ts';
import { useSubmit } from './use-submit.ts';

type NewJobFormProps = { readonly choices: NewJobChoicesQuery; readonly source: FormSource };

/** The form. Fields know the form and its actions, and nothing of each other. */
export function NewJobForm({ choices, source }: NewJobFormProps) {
  const { newJob } = useWords();
  const navigate = useNavigate();
  const { form, dispatch, wasKept, forget } = useJobForm(source.kind === 'EXPERT' ? 'new' : source.id);
  const known = useKnown(choices);
  const onFilled = useCallback((filled: typeof form) => dispatch({ type: 'fill', form: filled }), [dispatch]);
  const { isFilling, isGone } = useFilling(source, known, { isNeeded: !wasKept, onFilled });
  const whole = useWholeExpert(form.expert?.expertId ?? null);
  const [wanted, setWanted] = useState<ExpertWholeFragment | null>(null);
  const [wasTried, setTried] = useState(false);
  useSubjectOfPage({ chipId: form.chipId });
  const focus = useRef<Partial<Record<FormField, () => void>>>({});
  const onFocusable = useCallback((field: FormField, act: () => void) => {
    focus.current[field] = act;
  }, []);
  const problems = problemsOf(form);
  const { submit, reasons } = useSubmit(form, dispatch, (jobId) => {
    forget();
    void navigate(`/jobs/${jobId}`);
  });
  const trySubmit = (): void => {
    setTried(true);
    const [first] = problems;
    if (first) focus.current[first.field]?.();
    else if (form.lock === null) void submit();
  };
  const choose = (expert: ExpertWholeFragment): void => {
    if (hasEdits(form)) setWanted(expert);
    else dispatch({ type: 'expert', expert: baseOf(expert), edits: 'REPLACE' });
  };
  if (isFilling) return <Skeleton height={480} />;
  const shown = wasTried ? problems : [];
  return (
    <BesideForm form={form} change={dispatch} jobId={source.kind === 'JOB' ? source.id : null}>
      <form
        className={classes['form']}
        noValidate
        aria-label={newJob.title}
        onSubmit={(event) => {
          event.preventDefault();
          trySubmit();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          trySubmit();
        }}
      >
        {isGone && <Alert color="yellow">{newJob.goneSource}</Alert>}
        {!isGone && source.kind !== 'EXPERT' && (
          <Alert color="indigo" py="xs">
            {source.kind === 'DRAFT' ? newJob.fromDraft : newJob.fromJob}
          </Alert>
        )}
        {form.lock === 'BUILDER' && (
          <Alert color="gray" py="xs" role="status">
            {newJob.lockedByBuilder}
          </Alert>
        )}
        <ExpertCards
          experts={choices.experts}
          chosenId={form.expert?.expertId ?? null}
          defaultsId={DEFAULTS_ID}
          isLocked={form.lock !== null}
          onChosen={choose}
        />
        <DescriptionField
          form={form}
          dispatch={dispatch}
          chips={choices.chips}
          problems={shown}
          onFocusable={onFocusable}
        />
        <InstructionsField form={form} dispatch={dispatch} problems={shown} onFocusable={onFocusable} />
        <SettingsFields
          form={form}
          dispatch={dispatch}
          expert={whole}
          choices={choices}
          problems={shown}
          onFocusable={onFocusable}
        />
        <DatasourcesField form={form} dispatch={dispatch} datasources={choices.datasources} />
        <UploadsField form={form} dispatch={dispatch} />
        <ContextField form={form} dispatch={dispatch} />
        <SubmitBar
          isSending={form.lock === 'SUBMIT'}
          isLocked={form.lock === 'BUILDER'}
          reasons={reasons}
          onDiscard={() => {
            forget();
            void navigate('/jobs');
          }}
        />
        <ExpertSwitch
          form={form}
          expert={wanted}
          onClose={() => setWanted(null)}
          onChosen={(expert, edits) => {
            dispatch({ type: 'expert', expert: baseOf(expert), edits });
            setWanted(null);
          }}
        />
      </form>
    </BesideForm>
  );
}

function useKnown({ experts, datasources }: NewJobChoicesQuery) {
  return useMemo(
    () => ({
      expertIds: experts.filter(({ loadError }) => loadError === null).map(({ expertId }) => expertId),
      datasourceIds: datasources.map(({ id }) => id),
    }),
    [experts, datasources],
  );
}
