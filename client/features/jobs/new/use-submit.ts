import { useCallback, useMemo, useState, type Dispatch } from 'react';
import { useClient, type CombinedError } from 'urql';
import { CreateJobDocument, type CreateJobMutation } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { ShownProblem } from './field.ts';
import { jobInputOf, requestOf } from './form-input.ts';
import type { FormAction, JobForm } from './form-state.ts';
import { problemOfIssue } from './refusal.ts';

type Deps = {
  readonly onMade: (jobId: string) => void;
  readonly onRefused: (problems: readonly ShownProblem[]) => void;
};

const NO_PROBLEMS: readonly ShownProblem[] = [];

/**
 * Sends the form; the same content always under the same key, so that trying again makes no second job. `refusals` are
 * what the server says of the form as it stands; nothing once it was changed.
 */
export function useSubmit(form: JobForm, dispatch: Dispatch<FormAction>, { onMade, onRefused }: Deps) {
  const client = useClient();
  const { common } = useWords();
  const [refused, setRefused] = useState<{
    readonly content: string;
    readonly problems: readonly ShownProblem[];
  } | null>(null);
  const submit = useCallback(async (): Promise<void> => {
    const { input, content } = requestOf(form, crypto.randomUUID());
    setRefused(null);
    dispatch({ type: 'submit', key: input.idempotencyKey, content });
    const { data, error } = await client.mutation(CreateJobDocument, { input }).toPromise();
    const result = data?.createJob;
    if (result && 'job' in result) return onMade(result.job.id);
    const problems = problemsOfAnswer(result, error, common.noServer);
    setRefused({ content, problems });
    dispatch({ type: 'refused' });
    onRefused(problems);
  }, [client, form, dispatch, onMade, onRefused, common]);
  const refusals = useMemo(
    () => (refused?.content === contentOf(form, refused) ? refused.problems : NO_PROBLEMS),
    [refused, form],
  );
  return { submit, refusals };
}

/** Computed only where there is something to compare it with: a long form is long as text. */
const contentOf = (form: JobForm, refused: object | null): string | null =>
  refused === null ? null : JSON.stringify(jobInputOf(form));

function problemsOfAnswer(
  answer: CreateJobMutation['createJob'] | undefined,
  error: CombinedError | undefined,
  noServer: string,
): readonly ShownProblem[] {
  if (answer && 'issues' in answer) return answer.issues.map(problemOfIssue);
  if (answer && 'message' in answer) return [{ field: null, text: answer.message }];
  return [{ field: null, text: error && !error.networkError ? error.message : noServer }];
}
