import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { CreateJobDocument } from '../../../gql/graphql.ts';
import { useRefusal } from '../../../lib/graphql/refusal.ts';
import { errorsOfIssues, requestOf } from './job-input.ts';
import type { JobForm } from './job-form.ts';
import type { FormInputs, UpdateForm } from './use-job-form.ts';

type SubmitDeps = {
  readonly inputs: FormInputs;
  readonly update: UpdateForm;
  readonly onCreated: (jobId: string) => void;
  readonly onRefused: () => void;
};

/**
 * Checks and sends the form; the first field that is wrong gets the focus. The same content is always sent under the
 * same key, so that a retry creates no second job. What the server refuses is shown until the form is edited.
 */
export function useSubmit({ inputs, update, onCreated, onRefused }: SubmitDeps): () => void {
  const client = useClient();
  const refusal = useRefusal();
  const [wasTried, setTried] = useState(false);
  const { expert, description, instructions, config, datasourceIds, uploads, chipId, context } =
    inputs.values;
  useEffect(() => {
    if (wasTried) void inputs.validate();
  }, [expert, description, instructions, config, datasourceIds, uploads, chipId, context]);

  const focusFirst = (errors: object): void => {
    const path = Object.keys(errors)[0];
    if (path !== undefined) inputs.getInputNode(path)?.focus();
  };
  const send = async (form: JobForm): Promise<void> => {
    if (form.lock !== null) return;
    const { input, content } = requestOf(form, crypto.randomUUID());
    update((now) => ({ ...now, lock: 'SUBMIT', attempt: { key: input.idempotencyKey, content } }));
    const { data, error } = await client.mutation(CreateJobDocument, { input }).toPromise();
    const result = data?.createJob;
    if (result && 'job' in result) return onCreated(result.job.id);
    const isInvalid = result !== undefined && 'issues' in result;
    const errors = isInvalid ? errorsOfIssues(result.issues) : { 'form.0': refusal(result, error) };
    update((now) => ({ ...now, lock: null }));
    inputs.setErrors(errors);
    onRefused();
    focusFirst(errors);
  };
  return () => {
    setTried(true);
    inputs.onSubmit(send, focusFirst)();
  };
}
