import { useEffect, useState } from 'react';
import { CombinedError, useClient, type Client } from 'urql';
import { mergeConfig } from '../../../../src/domain/artifacts/config-merge.ts';
import {
  DraftOfJobDocument,
  ExpertForJobDocument,
  JobToCloneDocument,
  type NewJobChoicesQuery,
} from '../../../gql/graphql.ts';
import { lastChip } from '../../chips/last-chip.ts';
import { jsonObject } from '../json-object.ts';
import { isNoId } from '../no-id.ts';
import { baseOf, DEFAULTS_ID, EMPTY_FORM, type JobForm } from './job-form.ts';

/** What the form starts from: an expert (null: the defaults), a job to clone, a draft by the copilot, or an earlier session of the builder. */
export type FormSource =
  | { readonly kind: 'EXPERT'; readonly id: string | null }
  | { readonly kind: 'JOB' | 'DRAFT' | 'BUILDER'; readonly id: string };

/** Fills a form once, unless its draft was kept from an earlier visit. */
export function useFilling(
  source: FormSource,
  choices: NewJobChoicesQuery,
  { isNeeded, onFilled }: { readonly isNeeded: boolean; readonly onFilled: (form: JobForm) => void },
) {
  const client = useClient();
  const [state, setState] = useState<'FILLING' | 'FILLED' | 'GONE' | CombinedError>(
    isNeeded ? 'FILLING' : 'FILLED',
  );
  useEffect(() => {
    if (state !== 'FILLING') return;
    let isLeft = false;
    void fill(client, source, choices).then((filled) => {
      if (isLeft) return;
      if (filled instanceof CombinedError) return setState(filled);
      onFilled(filled.form);
      setState(filled.isGone ? 'GONE' : 'FILLED');
    });
    return () => {
      isLeft = true;
    };
  }, [client, source, choices, onFilled, state]);
  return {
    isFilling: state === 'FILLING',
    /** The source does not exist; the form starts from an expert or the defaults. */
    isGone: state === 'GONE',
    error: state instanceof CombinedError ? state : null,
    retry: () => setState('FILLING'),
  };
}

async function fill(client: Client, source: FormSource, { experts, datasources, chips }: NewJobChoicesQuery) {
  const found = await findSource(client, source);
  if (found instanceof CombinedError) return found;
  const usable = experts.filter(({ loadError }) => loadError === null).map(({ expertId }) => expertId);
  const expertId = [found?.expertId, DEFAULTS_ID, ...usable].find((id) => id && usable.includes(id));
  const { data, error } = await client
    .query(ExpertForJobDocument, { expertId: expertId ?? DEFAULTS_ID })
    .toPromise();
  if (error) return error;
  const expert = data?.expert ? baseOf(data.expert) : null;
  const { job } = found ?? {};
  const form: JobForm = {
    ...EMPTY_FORM,
    builderSessionId: source.kind === 'BUILDER' ? source.id : null,
    expert,
    description: job?.description ?? '',
    instructions: job?.instructions ?? expert?.instructions ?? '',
    config: mergeConfig(expert?.config ?? {}, jsonObject.parse(job?.configOverride ?? {})),
    // A new job is most likely about the chip that was looked at last.
    chipId: job
      ? (job.chip?.chipId ?? null)
      : (chips.find(({ chipId }) => chipId === lastChip())?.chipId ?? null),
    context: job?.context == null ? null : jsonObject.parse(job.context),
    datasourceIds: (job?.datasources ?? [])
      .map(({ id }) => id)
      .filter((id) => datasources.some((each) => each.id === id)),
  };
  return { form, isGone: found === null };
}

/** What of a job or a draft goes into the form. */
type Filling = {
  readonly description: string;
  /** Null: those of the expert. */
  readonly instructions: string | null;
  readonly configOverride: unknown;
  readonly chip?: { readonly chipId: string } | null;
  readonly context: unknown;
  readonly datasources?: readonly { readonly id: string }[];
};
type Found = { readonly expertId: string | null; readonly job: Filling | null };

/** Null if the source does not exist or belongs to somebody else. */
async function findSource(client: Client, { kind, id }: FormSource): Promise<Found | CombinedError | null> {
  if (kind === 'EXPERT') return { expertId: id, job: null };
  // What it has comes as the session is opened.
  if (kind === 'BUILDER') return { expertId: null, job: null };
  if (kind === 'JOB') {
    const { data, error } = await client.query(JobToCloneDocument, { id }).toPromise();
    if (error && !isNoId(error)) return error;
    const job = data?.job;
    if (!job) return null;
    return {
      expertId: job.expert?.expertId ?? null,
      job: { ...job, instructions: job.effectiveInstructions.text },
    };
  }
  const { data, error } = await client.query(DraftOfJobDocument, { id }).toPromise();
  if (error && !isNoId(error)) return error;
  const draft = data?.jobDraft;
  if (!draft) return null;
  return {
    expertId: draft.expert?.expertId ?? null,
    job: { ...draft, instructions: draft.instructions ?? null },
  };
}
