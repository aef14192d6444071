/** Single settings of a configuration: `llm.temperature`, or the tools of a category. Pure. */
import { isSameJson } from '../../../../src/domain/jobs/config-merge.ts';
import type { Json, JsonObject } from '../../../../src/domain/visuals.ts';

/** Where a setting stands: its group and its name, as in the YAML files. */
export type SettingPath =
  readonly ['llm', 'model' | 'temperature' | 'reasoning_level'] | readonly ['tools', string];

/** A value; a list of tools counts as one value. */
export type SettingValue = string | number | readonly string[];

/** The value of a setting; undefined where there is none. */
export function settingOf(config: JsonObject, [group, key]: SettingPath): Json | undefined {
  const settings = config[group];
  return isObject(settings) && Object.hasOwn(settings, key) ? settings[key] : undefined;
}

/** Tools of a category that are switched on. */
export function toolsOf(config: JsonObject, category: string): readonly string[] {
  const tools = settingOf(config, ['tools', category]);
  return isList(tools) ? tools.filter((tool) => typeof tool === 'string') : [];
}

/** The configuration with a setting changed; order and everything else stay. */
export function withSetting(config: JsonObject, [group, key]: SettingPath, value: Json): JsonObject {
  const settings = config[group];
  return { ...config, [group]: { ...(isObject(settings) && settings), [key]: value } };
}

/** The configuration without a setting. */
export function withoutSetting(config: JsonObject, [group, key]: SettingPath): JsonObject {
  const settings = config[group];
  if (!isObject(settings)) return config;
  return {
    ...config,
    [group]: Object.fromEntries(Object.entries(settings).filter(([name]) => name !== key)),
  };
}

/** Whether a setting differs from the expert's. */
export const isModified = (base: JsonObject, config: JsonObject, path: SettingPath): boolean =>
  !isSameJson(settingOf(base, path), settingOf(config, path));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value);

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
