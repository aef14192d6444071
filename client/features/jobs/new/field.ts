import type { Dispatch } from 'react';
import type { FormField } from './form-input.ts';
import type { FormAction, JobForm } from './form-state.ts';

/** What every field of the form is given. */
export type FieldProps = { readonly form: JobForm; readonly dispatch: Dispatch<FormAction> };

/** What is wrong, in words for the reader; `field` null: with no field of the form. */
export type ShownProblem = { readonly field: FormField | null; readonly text: string };

/** What a field is given that can be wrong. */
export type CheckedFieldProps = FieldProps & {
  /** Those to be shown; empty until the form was sent once. */
  readonly problems: readonly ShownProblem[];
  /** Tells how the focus gets to the field. */
  readonly onFocusable: (field: FormField, focus: () => void) => void;
};

/** What is wrong with a field; null for nothing. */
export const problemText = (problems: readonly ShownProblem[], field: FormField): string | null =>
  problems.find((each) => each.field === field)?.text ?? null;
