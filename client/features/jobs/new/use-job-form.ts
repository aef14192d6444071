import { useForm, type UseFormReturnType } from '@mantine/form';
import { createContext, use, useCallback, useEffect, useState } from 'react';
import { useUndoNotice } from '../../../components/second-thoughts.tsx';
import type { ExpertWholeFragment, NewJobChoicesQuery } from '../../../gql/graphql.ts';
import { keyInProject } from '../../../lib/graphql/project.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { tabStorage } from '../../../lib/tab-storage.ts';
import {
  baselineOf,
  editForm,
  EMPTY_FORM,
  readDraft,
  withChangeTakenBack,
  type JobForm,
} from './job-form.ts';
import { problemsOf } from './job-input.ts';

/** Changes the values of the form, also while somebody else holds its lock. */
export type UpdateForm = (change: (form: JobForm) => JobForm) => void;

/** The form in the library's hands: values, changes from the expert, and errors by path. */
export type FormInputs = UseFormReturnType<JobForm>;

/** What the fields share. */
export type NewJob = {
  readonly inputs: FormInputs;
  readonly form: JobForm;
  readonly isLocked: boolean;
  /** A change by the user; ignored while the form is locked. */
  readonly edit: UpdateForm;
  readonly choices: NewJobChoicesQuery;
  /** Reads the choices again, after an expert was saved or deleted. */
  readonly reloadChoices: () => void;
  /** All about the chosen expert; null until it has been read. */
  readonly expert: ExpertWholeFragment | null;
};

/** Gives the fields below it the form. */
export const NewJobContext = createContext<NewJob | null>(null);

/** The form around a field. */
export function useNewJob(): NewJob {
  const newJob = use(NewJobContext);
  if (newJob === null) throw new Error('useNewJob is for components below NewJobContext');
  return newJob;
}

/** A change by the user that can be undone for a while; what was edited since stays. */
export function useUndoableEdit(): (change: (form: JobForm) => JobForm, message: string) => void {
  const { form, edit } = useNewJob();
  const offerUndo = useUndoNotice();
  return (change, message) => {
    const after = change(form);
    edit(change);
    offerUndo(message, () => edit((now) => withChangeTakenBack(now, form, after)));
  };
}

/**
 * The form of a name (one for new jobs, one for each job or draft that fills it). Its draft is kept in this browser
 * until it is sent or discarded.
 */
export function useJobForm(name: string, expertIds: readonly string[]) {
  const { newJob } = useWords();
  const key = keyInProject(`qpilot.job-form.${name}`);
  const [kept] = useState(() => readDraft(tabStorage.read(key)));
  const inputs = useForm<JobForm>({
    initialValues: kept ?? EMPTY_FORM,
    clearInputErrorOnChange: false,
    validate: (form) =>
      Object.fromEntries(
        Object.entries(problemsOf(form, expertIds)).map(([path, problem]) => [
          path,
          newJob.problems[problem],
        ]),
      ),
    enhanceGetInputProps: ({ field, form: { values } }) =>
      field === 'chipId' || values.lock === null ? {} : { readOnly: true, onChange: () => undefined },
  });
  const { getValues, setValues, setInitialValues, resetDirty } = inputs;
  // Dirty is what differs from the expert, in a kept draft too.
  useState(() => kept && setInitialValues(baselineOf(kept)));
  const update = useCallback<UpdateForm>(
    (change) => {
      const now = getValues();
      const next = change(now);
      if (next === now) return;
      setValues(next);
      resetDirty(baselineOf(next));
    },
    [getValues, setValues, resetDirty],
  );
  const form = inputs.values;
  useEffect(() => {
    if (form !== EMPTY_FORM) tabStorage.write(key, JSON.stringify(form));
  }, [form, key]);
  return {
    inputs,
    form,
    update,
    edit: useCallback<UpdateForm>((change) => update((now) => editForm(now, change)), [update]),
    wasKept: kept !== null,
    forget: () => tabStorage.remove(key),
  };
}
