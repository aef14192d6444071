/** The request that the form becomes, and what is wrong with it before and after the server has seen it. Pure. */
import { ARTIFACT_LIMITS } from '../../../../src/domain/artifacts/artifacts.ts';
import { utf8Bytes } from '../../../../src/domain/text/utf8.ts';
import type { CreateJobInput } from '../../../gql/graphql.ts';
import type { Words } from '../../../lib/i18n/words.ts';
import { overrideOf, settingOf, type JobForm } from './job-form.ts';

/** The input of `createJob` without its key. */
export function jobInputOf(form: JobForm): Omit<CreateJobInput, 'idempotencyKey'> {
  const { expert, uploads, builderSessionId } = form;
  const isEdited = form.instructions !== (expert?.instructions ?? '');
  // The server takes what is not sent from the builder session, so everything is sent when there is one.
  const isComplete = builderSessionId !== null;
  return {
    description: form.description.trim(),
    expertId: expert?.expertId ?? null,
    instructions: isEdited || isComplete ? form.instructions || null : null,
    instructionsUploadId: uploads.instructions?.id ?? null,
    configOverride: overrideOf(form) ?? (isComplete ? {} : null),
    configUploadId: uploads.config?.id ?? null,
    datasourceIds: [...form.datasourceIds],
    builderSessionId,
    chipId: form.chipId,
    context: form.context,
  };
}

/** The request: under the key of the last attempt if nothing has changed since, else under `freshKey`. */
export function requestOf(
  form: JobForm,
  freshKey: string,
): { readonly input: CreateJobInput; readonly content: string } {
  const job = jobInputOf(form);
  const content = JSON.stringify(job);
  const key = form.attempt?.content === content ? form.attempt.key : freshKey;
  return { input: { ...job, idempotencyKey: key }, content };
}

/** Something wrong with a field; the catalogues have a text for each. */
export type FormProblem = keyof Words['newJob']['problems'];

/** Errors by path of the form; those that belong to no field are at `form.0`, `form.1`, … */
export type ErrorsByPath<Text extends string = string> = Readonly<Record<string, Text>>;

/** The highest temperature that the server accepts. */
export const HOTTEST = 2;

/** What the server would refuse, in the order of the fields. `expertIds` are the experts that can be used. */
export function problemsOf(form: JobForm, expertIds: readonly string[]): ErrorsByPath<FormProblem> {
  const { description, instructions, config, uploads } = form;
  const words = description.trim();
  const temperature = settingOf(config, ['llm', 'temperature']) ?? 0;
  const isInRange = typeof temperature === 'number' && temperature >= 0 && temperature <= HOTTEST;
  const hasInstructions =
    instructions.trim() !== '' || (instructions === '' && uploads.instructions !== null);
  const problems: readonly (readonly [path: string, isWrong: boolean, problem: FormProblem])[] = [
    ['expert', isExpertGone(form, expertIds), 'EXPERT_GONE'],
    ['description', words === '', 'DESCRIPTION_BLANK'],
    ['description', words.length > ARTIFACT_LIMITS.descriptionCharacters, 'DESCRIPTION_LONG'],
    ['instructions', !hasInstructions, 'INSTRUCTIONS_BLANK'],
    ['instructions', utf8Bytes(instructions) > ARTIFACT_LIMITS.instructionsBytes, 'INSTRUCTIONS_LONG'],
    ['config.llm.temperature', !isInRange, 'TEMPERATURE_RANGE'],
  ];
  return Object.fromEntries(
    problems.flatMap(([path, isWrong, problem]) => (isWrong ? [[path, problem]] : [])),
  );
}

/** Whether the chosen expert has been deleted or can no longer be used. */
export const isExpertGone = ({ expert }: Pick<JobForm, 'expert'>, expertIds: readonly string[]): boolean =>
  expert === null || !expertIds.includes(expert.expertId);

/** An issue of `InvalidInputError`; its path begins with `input`. */
type Issue = { readonly path: readonly string[]; readonly message: string };

/** Paths of the form by argument of `createJob`. */
const PATHS: Readonly<Record<string, string>> = {
  expertId: 'expert',
  description: 'description',
  chipId: 'chipId',
  instructions: 'instructions',
  datasourceIds: 'datasourceIds',
  instructionsUploadId: 'uploads',
  configUploadId: 'uploads',
};
const SETTINGS = ['model', 'temperature', 'reasoning_level'];

/** The server's issues at their fields, the first of each field. */
export function errorsOfIssues(issues: readonly Issue[]): ErrorsByPath {
  const errors = new Map<string, string>();
  for (const [index, { path, message }] of issues.entries()) {
    const { at = `form.${index}`, rest } = placeOf(path);
    if (!errors.has(at)) errors.set(at, [rest.join('.'), message].filter(Boolean).join(' '));
  }
  return Object.fromEntries(errors);
}

/** Where an issue belongs, and the rest of its path, which goes in front of the message. */
function placeOf(path: readonly string[]): {
  readonly at?: string | undefined;
  readonly rest: readonly string[];
} {
  const [, argument = '', group, key = ''] = path;
  if (argument !== 'configOverride')
    return { at: PATHS[argument], rest: path.slice(argument in PATHS ? 2 : 1) };
  if (group === 'tools') return { at: 'config.tools', rest: path.slice(3) };
  if (!SETTINGS.includes(key)) return { rest: path.slice(1) };
  return { at: `config.llm.${key}`, rest: path.slice(4) };
}
