import { isSameJson, mergeConfig } from './config-merge.ts';
import { isJsonObject, type Json, type JsonObject } from '../visuals.ts';

/** One setting that differs; lists count as one value. */
export type ConfigChange = {
  /** The same for the same change of the same setting. */
  readonly id: string;
  readonly path: readonly string[];
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  /** Null where the setting was absent. */
  readonly before: Json;
  readonly after: Json;
};

/** The settings that differ, by their paths. */
export function diffConfig(from: JsonObject | null, to: JsonObject | null): readonly ConfigChange[] {
  const before = leavesOf(from ?? {});
  const after = leavesOf(to ?? {});
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return keys.flatMap((key): ConfigChange[] => {
    const [old, now] = [before.get(key), after.get(key)];
    if (isSameJson(old?.value, now?.value)) return [];
    const kind = old === undefined ? 'ADDED' : now === undefined ? 'REMOVED' : 'CHANGED';
    const path = (now ?? old)?.path ?? [];
    const change = { path, kind, before: old?.value ?? null, after: now?.value ?? null } as const;
    return [{ id: JSON.stringify([...path, change.after]), ...change }];
  });
}

/** The older configuration with the changes of `accepted`; null where there was none and nothing was accepted. */
export function applyConfigChanges(
  from: JsonObject | null,
  to: JsonObject | null,
  accepted: ReadonlySet<string>,
): JsonObject | null {
  return withConfigChanges(
    from,
    diffConfig(from, to).filter(({ id }) => accepted.has(id)),
  );
}

/** The configuration after changes of different settings; the same object without any. */
export function withConfigChanges(
  from: JsonObject | null,
  changes: readonly ConfigChange[],
): JsonObject | null {
  if (changes.length === 0) return from;
  const removed = changes.filter(({ kind }) => kind === 'REMOVED').map(({ path }) => nested(path, null));
  const set = changes.filter(({ kind }) => kind !== 'REMOVED').map(({ path, after }) => nested(path, after));
  return [...removed, ...set].reduce<JsonObject>(mergeConfig, from ?? {});
}

type Leaf = { readonly path: readonly string[]; readonly value: Json };

function leavesOf(config: JsonObject): ReadonlyMap<string, Leaf> {
  const found = new Map<string, Leaf>();
  const walk = (value: Json, path: readonly string[]): void => {
    if (isJsonObject(value)) for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    else found.set(JSON.stringify(path), { path, value });
  };
  walk(config, []);
  return found;
}

const nested = (path: readonly string[], value: Json): JsonObject =>
  path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
