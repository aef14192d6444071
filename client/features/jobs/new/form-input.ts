/** What of the form is sent, what is wrong with it, and whether anything would be lost with it. Pure. */
import { ARTIFACT_LIMITS } from '../../../../src/domain/artifacts/artifacts.ts';
import { computeOverride } from '../../../../src/domain/jobs/config-merge.ts';
import { utf8Bytes } from '../../../../src/domain/text/utf8.ts';
import type { JsonObject } from '../../../../src/domain/visuals.ts';
import type { CreateJobInput } from '../../../gql/graphql.ts';
import type { JobForm } from './form-state.ts';
import { settingOf } from './setting-paths.ts';
import { isTaskUnchanged } from './task-section.ts';

/** What differs from the expert's settings; null for nothing. */
export function overrideOf({ expert, config }: Pick<JobForm, 'expert' | 'config'>): JsonObject | null {
  const override = computeOverride(expert?.config ?? {}, config);
  return Object.keys(override).length === 0 ? null : override;
}

/** The job as it is asked for; the key is added where it is sent. */
export function jobInputOf(form: JobForm): Omit<CreateJobInput, 'idempotencyKey'> {
  const { expert, uploads, builderSessionId } = form;
  const isOwn = form.instructions !== (expert?.instructions ?? '');
  // What was written with the builder would take the place of what is not sent.
  const isSaidAnyway = builderSessionId !== null;
  return {
    description: form.description.trim(),
    expertId: expert?.expertId ?? null,
    instructions: isOwn || isSaidAnyway ? form.instructions || null : null,
    instructionsUploadId: uploads.instructions?.id ?? null,
    configOverride: overrideOf(form) ?? (isSaidAnyway ? {} : null),
    configUploadId: uploads.config?.id ?? null,
    datasourceIds: [...form.datasourceIds],
    builderSessionId,
    chipId: form.chipId,
    context: form.context,
  };
}

/** The key under which the form is sent: that of the last attempt while nothing has changed since, else `fresh`. */
export function requestOf(
  form: JobForm,
  fresh: string,
): { readonly input: CreateJobInput; readonly content: string } {
  const job = jobInputOf(form);
  const content = JSON.stringify(job);
  const key = form.attempt?.content === content ? form.attempt.key : fresh;
  return { input: { ...job, idempotencyKey: key }, content };
}

/** Whether instructions or settings differ from the expert's, so that another expert would take something away. */
export const hasEdits = (form: JobForm): boolean =>
  form.expert !== null && (form.instructions !== form.expert.instructions || overrideOf(form) !== null);

/** A part of the form that can be wrong. */
export type FormField =
  | 'expert'
  | 'description'
  | 'chip'
  | 'instructions'
  | 'model'
  | 'temperature'
  | 'reasoning'
  | 'tools'
  | 'datasources'
  | 'uploads';

/** What is wrong with a field. The client's catalogue has words for each `problem`. */
export type FormProblem =
  | { readonly field: 'expert'; readonly problem: 'EXPERT_GONE' }
  | { readonly field: 'description'; readonly problem: 'DESCRIPTION_BLANK' | 'DESCRIPTION_LONG' }
  | { readonly field: 'instructions'; readonly problem: 'INSTRUCTIONS_BLANK' | 'INSTRUCTIONS_LONG' }
  | { readonly field: 'temperature'; readonly problem: 'TEMPERATURE_RANGE' };

const HOTTEST = 2;

/** What the server would refuse, in the order of the fields; `expertIds` are those that can be used. */
export function problemsOf(form: JobForm, expertIds: readonly string[]): readonly FormProblem[] {
  const { description, instructions, config, uploads } = form;
  const words = description.trim();
  const temperature = settingOf(config, ['llm', 'temperature']) ?? 0;
  const isHot = typeof temperature !== 'number' || !(temperature >= 0 && temperature <= HOTTEST);
  const isTold = instructions.trim() !== '' || (instructions === '' && uploads.instructions !== null);
  const problems: readonly (FormProblem | false)[] = [
    isExpertGone(form, expertIds) && { field: 'expert', problem: 'EXPERT_GONE' },
    words === '' && { field: 'description', problem: 'DESCRIPTION_BLANK' },
    words.length > ARTIFACT_LIMITS.descriptionCharacters && {
      field: 'description',
      problem: 'DESCRIPTION_LONG',
    },
    !isTold && { field: 'instructions', problem: 'INSTRUCTIONS_BLANK' },
    utf8Bytes(instructions) > ARTIFACT_LIMITS.instructionsBytes && {
      field: 'instructions',
      problem: 'INSTRUCTIONS_LONG',
    },
    isHot && { field: 'temperature', problem: 'TEMPERATURE_RANGE' },
  ];
  return problems.filter((problem) => problem !== false);
}

/** Whether the chosen expert was removed since, or cannot be used any more. */
export const isExpertGone = ({ expert }: Pick<JobForm, 'expert'>, expertIds: readonly string[]): boolean =>
  expert === null || !expertIds.includes(expert.expertId);

/** Whether the section Task still has the words that the expert came with, and no description of another task. */
export const isTaskPlaceholder = ({ expert, instructions }: JobForm): boolean =>
  expert !== null && isTaskUnchanged(expert.instructions, instructions);
