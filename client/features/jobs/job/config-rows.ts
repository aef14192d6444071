/** The settings of a job beside those of its expert, row by row. Pure. */
import { isSameJson } from '../../../../src/domain/artifacts/config-merge.ts';
import type { Json, JsonObject } from '../../../../src/domain/visuals.ts';
import { settingOf, type SettingPath } from '../new/job-form.ts';

/** Where a value comes from: the job's own override, a layer of its expert by name, or neither that is still there. */
export type RowSource =
  { readonly kind: 'JOB' } | { readonly kind: 'LAYER'; readonly layer: string } | { readonly kind: 'OTHER' };

/** A setting. */
export type ConfigRow = {
  readonly path: SettingPath;
  /** Undefined where there is none. */
  readonly value: Json | undefined;
  readonly ofExpert: Json | undefined;
  readonly isChanged: boolean;
  readonly source: RowSource;
};

type Parts = {
  readonly resolved: JsonObject;
  /** Of the expert as it is now; null when it was deleted. */
  readonly base: JsonObject | null;
  readonly override: JsonObject | null;
  readonly sources: readonly { readonly path: string; readonly layer: string }[];
};

const LLM = ['model', 'temperature', 'reasoning_level'] as const;

/** All settings of a job: of the model first, then each category of tools. */
export function configRows({ resolved, base, override, sources }: Parts): readonly ConfigRow[] {
  const categories = Object.keys(objectOf(resolved['tools']));
  const paths: readonly SettingPath[] = [
    ...LLM.map((name) => ['llm', name] as const),
    ...categories.map((name) => ['tools', name] as const),
  ];
  return paths.map((path) => {
    const value = settingOf(resolved, path);
    const ofExpert = base === null ? undefined : settingOf(base, path);
    const isChanged = base !== null && !isSameJson(value, ofExpert);
    const isOverridden = override !== null && settingOf(override, path) !== undefined;
    const layer = sources.find((each) => each.path === path.join('.'))?.layer;
    const source: RowSource = isOverridden
      ? { kind: 'JOB' }
      : isChanged || layer === undefined
        ? { kind: 'OTHER' }
        : { kind: 'LAYER', layer };
    return { path, value, ofExpert, isChanged, source };
  });
}

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
