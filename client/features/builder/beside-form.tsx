import type { ReactNode } from 'react';
import type { JobForm } from '../jobs/new/job-form.ts';
import type { UpdateForm } from '../jobs/new/use-job-form.ts';
import classes from './beside-form.module.css';
import { BuilderPanel } from './panel/builder-panel.tsx';
import { BuilderProvider } from './session/builder-provider.tsx';

/** The form of a new job with the builder beside it, or below it where there is no room. */
export function BesideForm({
  form,
  update,
  jobId,
  children,
}: {
  readonly form: JobForm;
  readonly update: UpdateForm;
  /** The job that the form was filled from; its builder session can be continued. */
  readonly jobId: string | null;
  readonly children: ReactNode;
}) {
  return (
    <BuilderProvider form={form} update={update}>
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
