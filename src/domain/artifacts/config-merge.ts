import { isJsonObject, isJsonList, type Json, type JsonObject } from '../visuals.ts';

/** Where a value of a merged configuration comes from: its path, keys joined by dots, and the name of its layer. */
export type ConfigSource = { readonly path: string; readonly layer: string };

/** Keys that would reach into a JavaScript object's prototype; no configuration needs them. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A configuration with a key that none may have. */
export class ForbiddenKeyError extends Error {
  readonly path: readonly string[];
  constructor(path: readonly string[]) {
    super(`${path.join('.')} is not a setting`);
    this.path = path;
  }
}

/**
 * Lays `override` over `base`: objects merge key by key, anything else replaces, lists as a whole, and null takes the
 * key away. Neither argument is changed.
 * @throws ForbiddenKeyError with the path of a key that no configuration may have.
 */
export function mergeConfig(base: JsonObject, override: JsonObject): JsonObject {
  return mergeObjects(base, override, []);
}

/**
 * The override that turns `base` into `edited`: only differences, whole lists, null for removed keys. For every
 * `edited` without nulls, `mergeConfig(base, computeOverride(base, edited))` is `edited` again.
 */
export function computeOverride(base: JsonObject, edited: JsonObject): JsonObject {
  const gone = Object.keys(base).filter((key) => !Object.hasOwn(edited, key));
  const changed = Object.entries(edited).flatMap(([key, value]) => {
    const before = own(base, key);
    if (isSameJson(before, value)) return [];
    return [
      [key, isJsonObject(before) && isJsonObject(value) ? computeOverride(before, value) : value] as const,
    ];
  });
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}

/** Which layer each value of a merge of `layers`, lowest first, comes from; sorted by path. */
export function configSources(
  layers: readonly { readonly name: string; readonly config: JsonObject }[],
): readonly ConfigSource[] {
  const merged = layers.reduce<JsonObject>((all, { config }) => mergeConfig(all, config), {});
  const sources = leaves(merged, []).map((path) => {
    const layer = layers.findLast(({ config }) => valueAt(config, path) !== undefined);
    return { path: path.join('.'), layer: layer?.name ?? '' };
  });
  return sources.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (isJsonList(one) && isJsonList(other)) {
    return one.length === other.length && one.every((value, index) => isSameJson(value, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => isSameJson(one[key], own(other, key)))
  );
}

function mergeObjects(base: JsonObject, override: JsonObject, path: readonly string[]): JsonObject {
  const merged = new Map<string, Json>(Object.entries(base));
  for (const [key, value] of Object.entries(override)) {
    const here = [...path, key];
    if (FORBIDDEN_KEYS.has(key)) throw new ForbiddenKeyError(here);
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isJsonObject(value))
      merged.set(key, mergeObjects(isJsonObject(before) ? before : {}, value, here));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function leaves(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function valueAt(config: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, key) => (isJsonObject(value) ? own(value, key) : undefined),
    config,
  );
}

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
