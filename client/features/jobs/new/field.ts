import type { Dispatch } from 'react';
import type { FormField, FormProblem } from './form-input.ts';
import type { FormAction, JobForm } from './form-state.ts';

/** What every field of the form is given. */
export type FieldProps = { readonly form: JobForm; readonly dispatch: Dispatch<FormAction> };

/** What a field is given that can be wrong. */
export type CheckedFieldProps = FieldProps & {
  /** Those to be shown; empty until the form was sent once. */
  readonly problems: readonly FormProblem[];
  /** Tells how the focus gets to the field. */
  readonly onFocusable: (field: FormField, focus: () => void) => void;
};

/** The words of what is wrong with a field; null for nothing. */
export function problemText(
  words: Readonly<Record<FormField, Readonly<Record<FormProblem['problem'], string>>>>,
  problems: readonly FormProblem[],
  field: FormField,
): string | null {
  const found = problems.find((each) => each.field === field);
  return found ? words[field][found.problem] : null;
}
