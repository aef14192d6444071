/**
 * The values of the new-job form and the pure changes to them. Instructions, settings and description are the three
 * artifacts that the builder beside the form edits too. `config` is the whole edited configuration; what differs from
 * the expert is computed when the form is sent (`job-input.ts`). Nothing here may depend on React, requests or the
 * clock.
 */
import { z } from 'zod';
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { computeOverride, isSameJson, mergeConfig } from '../../../../src/domain/artifacts/config-merge.ts';
import { takeBack } from '../../../../src/domain/artifacts/take-back.ts';
import type { Json, JsonObject } from '../../../../src/domain/visuals.ts';
import { jsonObject } from '../json-object.ts';

const expertBase = z.object({
  expertId: z.string(),
  displayName: z.string(),
  instructions: z.string(),
  /** `ExpertConfig.json`. */
  config: jsonObject,
});
const uploadedText = z.object({ id: z.string(), name: z.string() });

const jobForm = z.object({
  /** Null until one is loaded; from then on there is always one, at least the defaults. */
  expert: expertBase.nullable(),
  description: z.string(),
  instructions: z.string(),
  config: jsonObject,
  /** The preset applied last; null for none. */
  presetId: z.string().nullable(),
  datasourceIds: z.array(z.string()),
  uploads: z.object({ instructions: uploadedText.nullable(), config: uploadedText.nullable() }),
  chipId: z.string().nullable(),
  /** Facts that came with a draft or with the job that is cloned. */
  context: jsonObject.nullable(),
  builderSessionId: z.string().nullable(),
  /** Revision of that session at which form and session were last equal; null if they never were. */
  agreedRevision: z.number().nullable(),
  /** Why the artifacts cannot be edited: a builder turn is running, or a request is in flight. */
  lock: z.enum(['BUILDER', 'SUBMIT']).nullable(),
  /** The last request: the same content is sent under the same key, so a retry never creates a second job. */
  attempt: z.object({ key: z.string(), content: z.string() }).nullable(),
});

/** The values of the form. */
export type JobForm = Readonly<z.infer<typeof jobForm>>;
/** An expert as the form starts from it and resets to it. */
export type ExpertBase = Readonly<z.infer<typeof expertBase>>;
/** A text that was uploaded for the job. */
export type UploadedText = z.infer<typeof uploadedText>;
/** Path of a single setting, as in the YAML files. */
export type SettingPath =
  readonly ['llm', 'model' | 'temperature' | 'reasoning_level'] | readonly ['tools', string];

/** The form before anything is loaded or typed. */
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

/** Id of the expert that has only the server's defaults; a job without an expert runs with it. */
export const DEFAULTS_ID = 'defaults';

/** What the form needs of an expert that was read. */
export const baseOf = ({
  expertId,
  displayName,
  instructions,
  config,
}: Omit<ExpertBase, 'config'> & { readonly config: { readonly json: unknown } }): ExpertBase => ({
  expertId,
  displayName,
  instructions,
  config: jsonObject.parse(config.json),
});

/** A draft read from storage; null if the text is not one, for example because an older client wrote it. */
export function readDraft(text: string | null): JobForm | null {
  if (text === null) return null;
  try {
    // Whoever held the lock is gone after a reload; a builder that is still writing locks the form again.
    const read = jobForm.safeParse({ ...(JSON.parse(text) as object), lock: null });
    return read.success ? read.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A change by the user; ignored while the form is locked. */
export const editForm = (form: JobForm, change: (form: JobForm) => JobForm): JobForm =>
  form.lock === null ? change(form) : form;

/** The form with nothing changed from its expert. */
export const baselineOf = (form: JobForm): JobForm =>
  form.expert === null
    ? form
    : { ...form, instructions: form.expert.instructions, config: form.expert.config };

/** What differs from the expert's settings; null for nothing. */
export function overrideOf({ expert, config }: Pick<JobForm, 'expert' | 'config'>): JsonObject | null {
  const override = computeOverride(expert?.config ?? {}, config);
  return Object.keys(override).length === 0 ? null : override;
}

/** Whether instructions or settings differ from the expert's, so that switching experts could lose something. */
export const hasEdits = (form: JobForm): boolean =>
  form.expert !== null && (form.instructions !== form.expert.instructions || overrideOf(form) !== null);

/** The artifacts, as they are sent with each message to the builder. */
export const artifactsOf = ({ instructions, config, description }: JobForm): Artifacts => ({
  instructions: instructions === '' ? null : instructions,
  config,
  description: description === '' ? null : description,
});

/** Switches the expert. `KEEP` carries the user's changes over; `REPLACE` takes the new instructions and settings. */
export function withExpert(form: JobForm, expert: ExpertBase, edits: 'KEEP' | 'REPLACE'): JobForm {
  const old = form.expert;
  const fresh = { ...form, expert, instructions: expert.instructions, config: expert.config };
  if (old === null || edits === 'REPLACE') return { ...fresh, presetId: null };
  return {
    ...fresh,
    instructions: form.instructions === old.instructions ? expert.instructions : form.instructions,
    config: mergeConfig(expert.config, computeOverride(old.config, form.config)),
  };
}

/**
 * The artifacts after an edit by the builder, an undo, or a decision about hunks; null keeps the form's. `expert` is
 * the one they are written for; null keeps the form's.
 */
export function withArtifacts(form: JobForm, artifacts: Artifacts, expert: ExpertBase | null): JobForm {
  const isOther = expert !== null && expert.expertId !== form.expert?.expertId;
  const base = isOther ? withExpert(form, expert, 'REPLACE') : form;
  return {
    ...base,
    instructions: artifacts.instructions ?? base.instructions,
    config: artifacts.config ?? base.config,
    description: artifacts.description ?? base.description,
  };
}

/** Attaches another builder session, or none. */
export const withSession = (form: JobForm, sessionId: string | null): JobForm =>
  form.builderSessionId === sessionId ? form : { ...form, builderSessionId: sessionId, agreedRevision: null };

/** Merges a preset's settings into those of the form. */
export const withPreset = (form: JobForm, presetId: string, override: JsonObject): JobForm => ({
  ...form,
  config: mergeConfig(form.config, override),
  presetId,
});

/** Settings that the user changed: neither the expert's nor of the preset that was applied last. */
export function ownSettings(form: JobForm, preset: JsonObject): readonly SettingPath[] {
  const [changed, ofPreset] = [overrideOf(form) ?? {}, mergeConfig(form.expert?.config ?? {}, preset)];
  return Object.entries(changed).flatMap(([group, settings]) =>
    isObject(settings)
      ? Object.keys(settings)
          .map((key) => [group, key] as SettingPath)
          .filter((path) => !isSameJson(settingOf(form.config, path), settingOf(ofPreset, path)))
      : [],
  );
}

/** The form with one change of the artifacts taken back, and everything since as it is. */
export function withChangeTakenBack(form: JobForm, before: JobForm, after: JobForm): JobForm {
  const [was, is] = [artifactsOf(before), artifactsOf(after)];
  const { artifacts } = takeBack({ before: was, after: is }, [artifactsOf(form)], new Map());
  return {
    ...form,
    instructions: artifacts.instructions ?? '',
    config: artifacts.config ?? {},
    description: artifacts.description ?? '',
    presetId: form.presetId === after.presetId ? before.presetId : form.presetId,
  };
}

/** Whether all settings of a preset still have its values. */
export const holdsPreset = ({ config }: Pick<JobForm, 'config'>, override: JsonObject): boolean =>
  isSameJson(mergeConfig(config, override), config);

/** The value of a setting; undefined if it is not set. */
export function settingOf(config: JsonObject, [group, key]: SettingPath): Json | undefined {
  const settings = config[group];
  return isObject(settings) && Object.hasOwn(settings, key) ? settings[key] : undefined;
}

/** The enabled tools of a category. */
export function toolsOf(config: JsonObject, category: string): readonly string[] {
  const tools = settingOf(config, ['tools', category]);
  return Array.isArray(tools) ? tools.filter((tool) => typeof tool === 'string') : [];
}

/** Changes one setting; undefined removes it. A list of tools counts as one value. */
export function withSetting(form: JobForm, [group, key]: SettingPath, value: Json | undefined): JobForm {
  const settings = form.config[group];
  const { [key]: _old, ...others } = isObject(settings) ? settings : {};
  const changed = value === undefined ? others : { ...(isObject(settings) && settings), [key]: value };
  return { ...form, config: { ...form.config, [group]: changed } };
}

/** Resets a setting to the expert's value. */
export const withoutEdit = (form: JobForm, path: SettingPath): JobForm =>
  withSetting(form, path, settingOf(form.expert?.config ?? {}, path));

/** Resets all settings to the expert's. */
export const withoutEdits = (form: JobForm): JobForm => ({
  ...form,
  config: form.expert?.config ?? {},
  presetId: null,
});

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
