import { isSameJson, mergeConfig } from './config-merge.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { JsonObject } from '../visuals.ts';
import type { ArtifactToolArgs } from './artifact-calls.ts';
import { ARTIFACT_LIMITS, refused, type ArtifactRules, type CategoryRule, type Edited } from './artifacts.ts';

/** Settings that `clear` may take away. */
const CLEARABLE: ReadonlySet<string> = new Set([
  'llm',
  'llm.model',
  'llm.temperature',
  'llm.reasoning_level',
]);

/** Applies `update_config`: objects merge, lists replace, null leaves as it is, `clear` takes away. */
export function editConfig(
  before: JsonObject | null,
  args: ArtifactToolArgs<'update_config'>,
  { categories }: ArtifactRules,
): Edited<JsonObject | null> {
  const problem = findProblem(args, categories);
  if (problem !== null) return refused(before, problem.outcome, problem.note);
  const cleared = (args.clear ?? []).reduce(
    (config, path) => mergeConfig(config, removalOf(path)),
    before ?? {},
  );
  const after = mergeConfig(cleared, overrideOf(args));
  if (isSameJson(after, before ?? {}))
    return refused(before, 'NO_CHANGE', 'The settings already have these values.');
  const bytes = utf8Bytes(JSON.stringify(after));
  const most = ARTIFACT_LIMITS.configBytes;
  if (bytes > most) {
    const note = `the settings would have ${bytes.toLocaleString('en')} bytes as JSON; at most ${most.toLocaleString('en')} are allowed`;
    return refused(before, 'INVALID_ARGS', note);
  }
  return { outcome: 'APPLIED', value: after, note: unknownTools(args, categories) };
}

function findProblem(
  { tools, clear }: ArtifactToolArgs<'update_config'>,
  categories: readonly CategoryRule[],
): { readonly outcome: 'INVALID_ARGS' | 'LOCKED'; readonly note: string } | null {
  const named = [...(tools ?? []).map(({ category }) => category), ...(clear ?? []).flatMap(clearedCategory)];
  const unknown = named.find((name) => !categories.some((category) => category.name === name));
  if (unknown !== undefined) {
    const known = categories.map(({ name }) => name).join(', ');
    return { outcome: 'INVALID_ARGS', note: `unknown tool category ${unknown}; the categories are ${known}` };
  }
  const twice = named.find((name, index) => named.indexOf(name) !== index);
  if (twice !== undefined) return { outcome: 'INVALID_ARGS', note: `the category ${twice} is named twice` };
  const wrong = (clear ?? []).find((path) => !CLEARABLE.has(path) && clearedCategory(path).length === 0);
  if (wrong !== undefined) {
    const known = [...CLEARABLE, 'tools.<category>'].join(', ');
    return { outcome: 'INVALID_ARGS', note: `${wrong} cannot be cleared; these can: ${known}` };
  }
  const locked = named.find((name) => categories.some((each) => each.name === name && each.locked));
  return locked === undefined
    ? null
    : { outcome: 'LOCKED', note: `the category ${locked} is part of every job and cannot be changed` };
}

const clearedCategory = (path: string): readonly string[] =>
  path.startsWith('tools.') ? [path.slice('tools.'.length)] : [];

function removalOf(path: string): JsonObject {
  const [group = path, setting] = path.split('.');
  return { [group]: setting === undefined ? null : { [setting]: null } };
}

function overrideOf({ llm, tools }: ArtifactToolArgs<'update_config'>): JsonObject {
  const set = Object.fromEntries(Object.entries(llm ?? {}).filter(([, value]) => value !== null));
  const lists = Object.fromEntries((tools ?? []).map(({ category, tools: names }) => [category, names]));
  return {
    ...(Object.keys(set).length > 0 && { llm: set }),
    ...(Object.keys(lists).length > 0 && { tools: lists }),
  };
}

function unknownTools(
  { tools }: ArtifactToolArgs<'update_config'>,
  categories: readonly CategoryRule[],
): string | null {
  const unknown = (tools ?? []).flatMap(({ category, tools: names }) => {
    const known = categories.find(({ name }) => name === category)?.tools ?? [];
    return names.filter((name) => !known.includes(name)).map((name) => `${category}.${name}`);
  });
  return unknown.length === 0
    ? null
    : `These tools do not exist here and will be unavailable: ${unknown.join(', ')}.`;
}
