import type { Dispatch, ReactNode } from 'react';
import type { FormAction, JobForm } from '../jobs/new/form-state.ts';
import classes from './beside-form.module.css';
import { BuilderPanel } from './panel/builder-panel.tsx';
import { BuilderProvider } from './session/builder-provider.tsx';

/** The form of a new job with the builder beside it, or below it where there is no room. */
export function BesideForm({
  form,
  change,
  jobId,
  children,
}: {
  readonly form: JobForm;
  readonly change: Dispatch<FormAction>;
  /** The job that the form was filled from, whose session can be gone on with. */
  readonly jobId: string | null;
  readonly children: ReactNode;
}) {
  return (
    <BuilderProvider form={form} change={change}>
      <div className={classes['frame']}>
        <div className={classes['columns']}>
          <div className={classes['form']}>{children}</div>
          <div className={classes['builder']}>
            <BuilderPanel expertId={form.expert?.expertId ?? null} jobId={jobId} />
          </div>
        </div>
      </div>
    </BuilderProvider>
  );
}
