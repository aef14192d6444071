import { useCallback, useEffect, useReducer, type Dispatch } from 'react';
import { tabStorage } from '../../../lib/tab-storage.ts';
import { readDraft, writeDraft } from './form-draft.ts';
import { changeForm, EMPTY_FORM, type FormAction, type JobForm } from './form-state.ts';

/** The form, its actions, and a way to forget it. */
export type OpenForm = {
  readonly form: JobForm;
  readonly dispatch: Dispatch<FormAction>;
  /** It was there before this visit. */
  readonly wasKept: boolean;
  /** Keeps it no longer; what is on the page stays until something else is shown. */
  readonly forget: () => void;
};

const keyOf = (name: string): string => `qpilot.job-form.${name}`;

/** The form of a name (one for new jobs, one for each job or draft that fills it), kept in this browser until it is sent. */
export function useJobForm(name: string): OpenForm {
  const [{ form, wasKept, isForgotten }, act] = useReducer(change, name, initial);
  const dispatch = useCallback((action: FormAction) => act(action), []);
  const forget = useCallback(() => {
    tabStorage.remove(keyOf(name));
    act({ type: 'forget' });
  }, [name]);
  useEffect(() => {
    if (!isForgotten && form !== EMPTY_FORM) tabStorage.write(keyOf(name), writeDraft(form));
  }, [form, name, isForgotten]);
  return { form, dispatch, wasKept, forget };
}

type Kept = { readonly form: JobForm; readonly wasKept: boolean; readonly isForgotten: boolean };

function initial(name: string): Kept {
  const kept = readDraft(tabStorage.read(keyOf(name)));
  return { form: kept ?? EMPTY_FORM, wasKept: kept !== null, isForgotten: false };
}

function change(kept: Kept, action: FormAction | { readonly type: 'forget' }): Kept {
  if (action.type === 'forget') return { ...kept, isForgotten: true };
  return { ...kept, form: changeForm(kept.form, action), isForgotten: false };
}
