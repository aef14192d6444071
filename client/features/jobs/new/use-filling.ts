import { useEffect, useState } from 'react';
import { useClient, type Client } from 'urql';
import { DraftOfJobDocument, ExpertForJobDocument, JobToCloneDocument } from '../../../gql/graphql.ts';
import {
  baseOf,
  EMPTY_FILLING,
  filledForm,
  fillingOfDraft,
  fillingOfJob,
  type Filling,
} from './filled-form.ts';
import type { JobForm } from './form-state.ts';

/** What the form begins with: an expert (null: the defaults), a job that is made again, or a draft of the copilot. */
export type FormSource =
  | { readonly kind: 'EXPERT'; readonly id: string | null }
  | { readonly kind: 'JOB'; readonly id: string }
  | { readonly kind: 'DRAFT'; readonly id: string };

/** Id of the expert that has nothing but the defaults of the server; a job without an expert runs with it. */
export const DEFAULTS_ID = 'defaults';

type Known = { readonly expertIds: readonly string[]; readonly datasourceIds: readonly string[] };

/** Fills a form once, unless it was kept from an earlier visit. `isGone`: what should fill it does not exist. */
export function useFilling(
  source: FormSource,
  known: Known,
  { isNeeded, onFilled }: { readonly isNeeded: boolean; readonly onFilled: (form: JobForm) => void },
): { readonly isFilling: boolean; readonly isGone: boolean } {
  const client = useClient();
  const [state, setState] = useState<'FILLING' | 'FILLED' | 'GONE'>(isNeeded ? 'FILLING' : 'FILLED');
  useEffect(() => {
    if (state !== 'FILLING') return;
    let isLeft = false;
    void fill(client, source, known).then(({ form, isGone }) => {
      if (isLeft) return;
      if (form !== null) onFilled(form);
      setState(isGone ? 'GONE' : 'FILLED');
    });
    return () => {
      isLeft = true;
    };
  }, [client, source, known, onFilled, state]);
  return { isFilling: state === 'FILLING', isGone: state === 'GONE' };
}

async function fill(client: Client, source: FormSource, { expertIds, datasourceIds }: Known) {
  const found = await findSource(client, source);
  const expertId = [found?.expertId, DEFAULTS_ID, ...expertIds].find((id) => id && expertIds.includes(id));
  const { data } = await client
    .query(ExpertForJobDocument, { expertId: expertId ?? DEFAULTS_ID })
    .toPromise();
  if (!data?.expert) return { form: null, isGone: true };
  const expert = baseOf(data.expert);
  const filling = found?.filling ?? EMPTY_FILLING;
  return { form: filledForm(expert, filling, datasourceIds), isGone: found === null };
}

type Found = { readonly expertId: string | null; readonly filling: Filling | null };

async function findSource(client: Client, source: FormSource): Promise<Found | null> {
  switch (source.kind) {
    case 'EXPERT':
      return { expertId: source.id, filling: null };
    case 'JOB': {
      const { data } = await client.query(JobToCloneDocument, { id: source.id }).toPromise();
      return data?.job
        ? { expertId: data.job.expert?.expertId ?? null, filling: fillingOfJob(data.job) }
        : null;
    }
    case 'DRAFT': {
      const { data } = await client.query(DraftOfJobDocument, { id: source.id }).toPromise();
      const draft = data?.jobDraft;
      return draft ? { expertId: draft.expert?.expertId ?? null, filling: fillingOfDraft(draft) } : null;
    }
    default:
      return source satisfies never;
  }
}
