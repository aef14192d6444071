/**
 * The form of a new job: what it holds and what changes it. Instructions, settings and description are the three artifacts
 * that the builder beside the form writes too; settings are the whole edited view, and what differs from the expert is
 * computed where the form is sent (`form-input.ts`). Pure; it must know nothing of React, of requests or of the clock.
 */
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { computeOverride, isSameJson, mergeConfig } from '../../../../src/domain/jobs/config-merge.ts';
import type { JsonObject } from '../../../../src/domain/visuals.ts';
import {
  settingOf,
  withoutSetting,
  withSetting,
  type SettingPath,
  type SettingValue,
} from './setting-paths.ts';

/** What the form starts from and goes back to. */
export type ExpertBase = {
  readonly expertId: string;
  readonly displayName: string;
  readonly instructions: string;
  /** `ExpertConfig.json`. */
  readonly config: JsonObject;
};

/** A text that was uploaded for the job. */
export type UploadedText = { readonly id: string; readonly name: string };

/** Who keeps the artifacts from being changed: a turn of the builder, or a request that is on its way. */
export type FormLock = 'BUILDER' | 'SUBMIT';

/** The form. */
export type JobForm = {
  /** Null until one is loaded; there is always one afterwards, at least the defaults. */
  readonly expert: ExpertBase | null;
  readonly description: string;
  readonly instructions: string;
  /** The edited view. */
  readonly config: JsonObject;
  /** Of the preset that was applied last; null for none, or when another expert took its place. */
  readonly presetId: string | null;
  readonly datasourceIds: readonly string[];
  readonly uploads: { readonly instructions: UploadedText | null; readonly config: UploadedText | null };
  readonly chipId: string | null;
  /** Facts that came with a draft or with the job that is made again. */
  readonly context: JsonObject | null;
  readonly builderSessionId: string | null;
  /** Revision of that session that the form was last the same as; null where they never agreed. */
  readonly agreedRevision: number | null;
  readonly lock: FormLock | null;
  /** Of the last request: the same content is sent under the same key, so that no job is made twice. */
  readonly attempt: { readonly key: string; readonly content: string } | null;
};

/** What can happen to the form. Those of the builder are the last four. */
export type FormAction =
  | { readonly type: 'expert'; readonly expert: ExpertBase; readonly edits: 'KEEP' | 'REPLACE' }
  | { readonly type: 'description'; readonly text: string }
  | { readonly type: 'instructions'; readonly text: string }
  | { readonly type: 'setting'; readonly path: SettingPath; readonly value: SettingValue }
  /** Back to the expert's value; null: all of them. */
  | { readonly type: 'reset-setting'; readonly path: SettingPath | null }
  | { readonly type: 'reset-instructions' }
  | { readonly type: 'preset'; readonly presetId: string; readonly override: JsonObject }
  | { readonly type: 'datasources'; readonly ids: readonly string[] }
  | {
      readonly type: 'upload';
      readonly field: keyof JobForm['uploads'];
      readonly upload: UploadedText | null;
    }
  | { readonly type: 'chip'; readonly chipId: string | null }
  | { readonly type: 'drop-context' }
  | { readonly type: 'fill'; readonly form: JobForm }
  | { readonly type: 'submit'; readonly key: string; readonly content: string }
  | { readonly type: 'refused' }
  | { readonly type: 'lock'; readonly isLocked: boolean }
  | { readonly type: 'builder-session'; readonly sessionId: string | null }
  /** The form holds what the session of the builder holds at a revision. */
  | { readonly type: 'agreed'; readonly revision: number }
  /**
   * The artifacts after an edit of the builder, an undo, or a decision about hunks; null leaves what nobody wrote. `expert`:
   * whom they are written for; null leaves the one of the form.
   */
  | { readonly type: 'artifacts'; readonly artifacts: Artifacts; readonly expert: ExpertBase | null };

/** Before anything is loaded or written. */
export const EMPTY_FORM: JobForm = {
  expert: null,
  description: '',
  instructions: '',
  config: {},
  presetId: null,
  datasourceIds: [],
  uploads: { instructions: null, config: null },
  chipId: null,
  context: null,
  builderSessionId: null,
  agreedRevision: null,
  lock: null,
  attempt: null,
};

/** The form after an action. While it is locked, only who locked it changes the artifacts. */
export function changeForm(form: JobForm, action: FormAction): JobForm {
  if (form.lock !== null && isEdit(action)) return form;
  switch (action.type) {
    case 'expert':
      return withExpert(form, action.expert, action.edits);
    case 'description':
      return { ...form, description: action.text };
    case 'instructions':
      return { ...form, instructions: action.text };
    case 'setting':
      return { ...form, config: withSetting(form.config, action.path, action.value) };
    case 'reset-setting':
      return {
        ...form,
        config: withReset(form, action.path),
        presetId: action.path === null ? null : form.presetId,
      };
    case 'reset-instructions':
      return { ...form, instructions: form.expert?.instructions ?? '' };
    case 'preset':
      return { ...form, config: mergeConfig(form.config, action.override), presetId: action.presetId };
    case 'datasources':
      return { ...form, datasourceIds: action.ids };
    case 'upload':
      return { ...form, uploads: { ...form.uploads, [action.field]: action.upload } };
    case 'chip':
      return { ...form, chipId: action.chipId };
    case 'drop-context':
      return { ...form, context: null };
    case 'fill':
      return action.form;
    case 'submit':
      return { ...form, lock: 'SUBMIT', attempt: { key: action.key, content: action.content } };
    case 'refused':
      return { ...form, lock: null };
    case 'lock':
      return { ...form, lock: action.isLocked ? 'BUILDER' : null };
    case 'builder-session':
      return form.builderSessionId === action.sessionId
        ? form
        : { ...form, builderSessionId: action.sessionId, agreedRevision: null };
    case 'agreed':
      return { ...form, agreedRevision: action.revision };
    case 'artifacts':
      return withArtifacts(form, action);
    default:
      return action satisfies never;
  }
}

/** Whether everything that a preset sets is still set so. */
export const holdsPreset = ({ config }: Pick<JobForm, 'config'>, override: JsonObject): boolean =>
  isSameJson(mergeConfig(config, override), config);

/** The artifacts as the builder is told of them with each message. */
export const artifactsOf = ({ instructions, config, description }: JobForm): Artifacts => ({
  instructions: instructions === '' ? null : instructions,
  config,
  description: description === '' ? null : description,
});

const EDITS: ReadonlySet<FormAction['type']> = new Set([
  'expert',
  'description',
  'instructions',
  'setting',
  'reset-setting',
  'reset-instructions',
  'preset',
  'fill',
]);

const isEdit = ({ type }: FormAction): boolean => EDITS.has(type);

/**
 * Another expert under the form. `KEEP`: what was changed stays changed, and what was not follows the new expert;
 * `REPLACE`: instructions and settings are the new expert's. The description is the user's either way.
 */
function withExpert(form: JobForm, expert: ExpertBase, edits: 'KEEP' | 'REPLACE'): JobForm {
  const old = form.expert;
  const fresh = { ...form, expert, instructions: expert.instructions, config: expert.config };
  if (old === null || edits === 'REPLACE') return { ...fresh, presetId: null };
  return {
    ...fresh,
    instructions: form.instructions === old.instructions ? expert.instructions : form.instructions,
    config: mergeConfig(expert.config, computeOverride(old.config, form.config)),
  };
}

function withReset({ expert, config }: JobForm, path: SettingPath | null): JsonObject {
  const base = expert?.config ?? {};
  if (path === null) return base;
  const value = settingOf(base, path);
  return value === undefined ? withoutSetting(config, path) : withSetting(config, path, value);
}

function withArtifacts(
  form: JobForm,
  { artifacts, expert }: { readonly artifacts: Artifacts; readonly expert: ExpertBase | null },
): JobForm {
  const { instructions, config, description } = artifacts;
  const isOther = expert !== null && expert.expertId !== form.expert?.expertId;
  const based = isOther ? withExpert(form, expert, 'REPLACE') : form;
  return {
    ...based,
    instructions: instructions ?? based.instructions,
    config: config ?? based.config,
    description: description ?? based.description,
  };
}
