/** The form as something else fills it: a job that is made again, or a draft of the copilot. Pure. */
import { mergeConfig } from '../../../../src/domain/jobs/config-merge.ts';
import type { DraftOfJobQuery, ExpertWholeFragment, JobToCloneQuery } from '../../../gql/graphql.ts';
import { jsonObject } from '../json-object.ts';
import { EMPTY_FORM, type ExpertBase, type JobForm } from './form-state.ts';

type SentExpert = Pick<ExpertWholeFragment, 'expertId' | 'displayName' | 'instructions'> & {
  readonly config: { readonly json: unknown };
};

/** What the form needs of an expert. */
export const baseOf = ({ expertId, displayName, instructions, config }: SentExpert): ExpertBase => ({
  expertId,
  displayName,
  instructions,
  config: jsonObject.parse(config.json),
});

/** What a form is filled with. */
export type Filling = {
  readonly description: string;
  /** Null: those of the expert. */
  readonly instructions: string | null;
  readonly override: unknown;
  readonly chipId: string | null;
  readonly context: unknown;
  readonly datasourceIds: readonly string[];
};

/** Fills nothing: the form is the expert's. */
export const EMPTY_FILLING: Filling = {
  description: '',
  instructions: null,
  override: null,
  chipId: null,
  context: null,
  datasourceIds: [],
};

/** The parts of a job that another is made from. */
export const fillingOfJob = (job: NonNullable<JobToCloneQuery['job']>): Filling => ({
  description: job.description,
  instructions: job.effectiveInstructions.text,
  override: job.configOverride,
  chipId: job.chip?.chipId ?? null,
  context: job.context,
  datasourceIds: job.datasources.map(({ id }) => id),
});

/** The parts of a draft. */
export const fillingOfDraft = (draft: NonNullable<DraftOfJobQuery['jobDraft']>): Filling => ({
  description: draft.description,
  instructions: draft.instructions ?? null,
  override: draft.configOverride,
  chipId: draft.chip?.chipId ?? null,
  context: draft.context,
  datasourceIds: [],
});

/** A filled form over an expert, null where none can be used; datasources that do not exist any more are left out. */
export function filledForm(
  expert: ExpertBase | null,
  filling: Filling,
  knownDatasources: readonly string[],
): JobForm {
  return {
    ...EMPTY_FORM,
    expert,
    description: filling.description,
    instructions: filling.instructions ?? expert?.instructions ?? '',
    config: mergeConfig(
      expert?.config ?? {},
      filling.override === null ? {} : jsonObject.parse(filling.override),
    ),
    chipId: filling.chipId,
    context: filling.context === null ? null : jsonObject.parse(filling.context),
    datasourceIds: filling.datasourceIds.filter((id) => knownDatasources.includes(id)),
  };
}
