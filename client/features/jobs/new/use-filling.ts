import { useEffect, useState } from 'react';
import { CombinedError, useClient, type Client } from 'urql';
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
import { lastChip } from '../../chips/last-chip.ts';
import { isNoId } from '../no-id.ts';

/** What the form begins with: an expert (null: the defaults), a job that is made again, or a draft of the copilot. */
export type FormSource =
  | { readonly kind: 'EXPERT'; readonly id: string | null }
  | { readonly kind: 'JOB'; readonly id: string }
  | { readonly kind: 'DRAFT'; readonly id: string };

/** Id of the expert that has nothing but the defaults of the server; a job without an expert runs with it. */
export const DEFAULTS_ID = 'defaults';

type Known = {
  readonly expertIds: readonly string[];
  readonly datasourceIds: readonly string[];
  readonly chipIds: readonly string[];
};

/** How the filling of a form stands. */
export type FormFilling = {
  readonly isFilling: boolean;
  /** What should fill it does not exist; the expert or the defaults do. */
  readonly isGone: boolean;
  /** Why it cannot be filled now. */
  readonly error: CombinedError | null;
  readonly retry: () => void;
};

/** Fills a form once, unless it was kept from an earlier visit. */
export function useFilling(
  source: FormSource,
  known: Known,
  { isNeeded, onFilled }: { readonly isNeeded: boolean; readonly onFilled: (form: JobForm) => void },
): FormFilling {
  const client = useClient();
  const [state, setState] = useState<'FILLING' | 'FILLED' | 'GONE' | CombinedError>(
    isNeeded ? 'FILLING' : 'FILLED',
  );
  useEffect(() => {
    if (state !== 'FILLING') return;
    let isLeft = false;
    void fill(client, source, known).then((filled) => {
      if (isLeft) return;
      if (filled instanceof CombinedError) return setState(filled);
      onFilled(filled.form);
      setState(filled.isGone ? 'GONE' : 'FILLED');
    });
    return () => {
      isLeft = true;
    };
  }, [client, source, known, onFilled, state]);
  return {
    isFilling: state === 'FILLING',
    isGone: state === 'GONE',
    error: state instanceof CombinedError ? state : null,
    retry: () => setState('FILLING'),
  };
}

async function fill(client: Client, source: FormSource, { expertIds, datasourceIds, chipIds }: Known) {
  const found = await findSource(client, source);
  if (found instanceof CombinedError) return found;
  const expertId = [found?.expertId, DEFAULTS_ID, ...expertIds].find((id) => id && expertIds.includes(id));
  const { data, error } = await client
    .query(ExpertForJobDocument, { expertId: expertId ?? DEFAULTS_ID })
    .toPromise();
  if (error) return error;
  const expert = data?.expert ? baseOf(data.expert) : null;
  // Most likely it is about the chip that one comes from.
  const chipId = chipIds.find((id) => id === lastChip()) ?? null;
  const form = filledForm(expert, found?.filling ?? { ...EMPTY_FILLING, chipId }, datasourceIds);
  return { form, isGone: found === null };
}

type Found = { readonly expertId: string | null; readonly filling: Filling | null };

/** Null for what does not exist or is somebody else's. */
async function findSource(client: Client, source: FormSource): Promise<Found | CombinedError | null> {
  switch (source.kind) {
    case 'EXPERT':
      return { expertId: source.id, filling: null };
    case 'JOB': {
      const { data, error } = await client.query(JobToCloneDocument, { id: source.id }).toPromise();
      if (error && !isNoId(error)) return error;
      const job = data?.job;
      return job ? { expertId: job.expert?.expertId ?? null, filling: fillingOfJob(job) } : null;
    }
    case 'DRAFT': {
      const { data, error } = await client.query(DraftOfJobDocument, { id: source.id }).toPromise();
      if (error && !isNoId(error)) return error;
      const draft = data?.jobDraft;
      return draft ? { expertId: draft.expert?.expertId ?? null, filling: fillingOfDraft(draft) } : null;
    }
    default:
      return source satisfies never;
  }
}
