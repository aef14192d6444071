import { useCallback, useState, type Dispatch } from 'react';
import { useClient } from 'urql';
import { CreateJobDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { requestOf } from './form-input.ts';
import type { FormAction, JobForm } from './form-state.ts';

/** Sends the form; the same content always under the same key, so that trying again makes no second job. */
export function useSubmit(form: JobForm, dispatch: Dispatch<FormAction>, onMade: (jobId: string) => void) {
  const client = useClient();
  const { common } = useWords();
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const submit = useCallback(async (): Promise<void> => {
    const { input, content } = requestOf(form, crypto.randomUUID());
    setReasons([]);
    dispatch({ type: 'submit', key: input.idempotencyKey, content });
    const { data, error } = await client.mutation(CreateJobDocument, { input }).toPromise();
    const result = data?.createJob;
    if (result && 'job' in result) return onMade(result.job.id);
    dispatch({ type: 'refused' });
    if (result && 'issues' in result) {
      return setReasons(result.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`));
    }
    if (result && 'message' in result) return setReasons([result.message]);
    setReasons([error?.networkError ? common.noServer : (error?.message ?? common.noServer)]);
  }, [client, form, dispatch, onMade, common]);
  return { submit, reasons };
}
