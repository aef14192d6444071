import { REASONING_LEVELS } from '../domain/artifacts/artifact-calls.ts';
import { computeOverride, configSources, mergeConfig } from '../domain/artifacts/config-merge.ts';
import type { JsonObject } from '../domain/visuals.ts';
import { InvalidInputError, type InputIssue } from '../base/errors.ts';
import { checkLayer } from './config-layer.ts';
import { readConfigYaml } from './config-yaml.ts';
import type { ConfigLayer, ConfigResolution, ReasoningLevel, ResolvedConfig } from './expert.ts';
import { TOOL_CATEGORIES, type ToolCategoryName } from './tool-categories.ts';

/** Name of the lowest layer: temperature 0, high reasoning, the locked categories. */
export const BUILT_IN_LAYER = 'built-in';
/** Layers that a job may add to those of its expert. */
export const JOB_LAYERS = { upload: 'upload', override: 'override' } as const;

/** Merges checked layers, lowest first, and fills in defaults. */
export function resolveConfig(layers: readonly ConfigLayer[]): ConfigResolution {
  const merged = layers.reduce<JsonObject>((below, { config }) => mergeConfig(below, config), {});
  const config = complete(merged);
  const own = new Map(configSources(layers).map(({ path, layer }) => [path, layer]));
  return {
    config,
    sources: configSources([{ name: BUILT_IN_LAYER, config }]).map(({ path, layer }) => ({
      path,
      layer: own.get(path) ?? layer,
    })),
    warnings: warningsOf(config),
  };
}

/** Sources of a job's configuration. */
export type JobConfigParts = {
  /** Layers of its expert, lowest first. */
  readonly layers: readonly ConfigLayer[];
  /** Text of an uploaded YAML file; null: none. */
  readonly uploadedYaml: string | null;
  /** The override that was sent with the job; null or undefined: none. */
  readonly override: unknown;
};

/**
 * The configuration of a job: its expert's, overridden by the uploaded file, overridden by the override.
 * @throws InvalidInputError with every problem of both, under `input.configUploadId` and `input.configOverride`.
 */
export function resolveJobConfig({ layers, uploadedYaml, override }: JobConfigParts): ConfigResolution {
  const upload = uploadedYaml === null ? null : readUpload(uploadedYaml);
  const sent = override === null || override === undefined ? null : checkLayer(override, 'REFUSE');
  const issues = [
    ...issuesUnder(upload, ['input', 'configUploadId']),
    ...issuesUnder(sent, ['input', 'configOverride']),
  ];
  if (issues.length > 0) throw new InvalidInputError(issues);
  return resolveConfig([
    ...layers,
    ...layerOf(JOB_LAYERS.upload, upload),
    ...layerOf(JOB_LAYERS.override, sent),
  ]);
}

type Checked = ReturnType<typeof checkLayer>;

function readUpload(yaml: string): Checked {
  const read = readConfigYaml(yaml);
  return 'problem' in read
    ? { issues: [{ path: [], message: read.problem }] }
    : checkLayer(read.value, 'REFUSE');
}

const issuesUnder = (checked: Checked | null, prefix: readonly string[]): InputIssue[] =>
  checked !== null && 'issues' in checked
    ? checked.issues.map(({ path, message }) => ({ path: [...prefix, ...path], message }))
    : [];

const layerOf = (name: string, checked: Checked | null): ConfigLayer[] =>
  checked !== null && 'config' in checked ? [{ name, config: checked.config }] : [];

function complete({ llm, tools }: JsonObject): ResolvedConfig {
  const { model, temperature, reasoning_level: level } = objectOf(llm);
  const lists = objectOf(tools);
  const listOf = (name: string): readonly string[] => {
    const given = lists[name];
    return Array.isArray(given) ? given.filter((tool): tool is string => typeof tool === 'string') : [];
  };
  return {
    llm: {
      ...(typeof model === 'string' && { model }),
      temperature: typeof temperature === 'number' ? temperature : 0,
      reasoning_level: isReasoningLevel(level) ? level : 'high',
    },
    // One entry for each category of the table, by construction.
    tools: Object.fromEntries(
      TOOL_CATEGORIES.map(({ name, locked, tools: all }) => [
        name,
        locked ? all.map((tool) => tool.name) : listOf(name),
      ]),
    ) as Record<ToolCategoryName, readonly string[]>,
  };
}

function warningsOf({ tools }: ResolvedConfig): readonly string[] {
  return TOOL_CATEGORIES.flatMap(({ name, tools: known }) => {
    // Tools of other servers are known only while these run.
    if (name === 'mcp') return [];
    const unknown = tools[name].filter((tool) => !known.some((each) => each.name === tool));
    return unknown.length === 0 ? [] : [`tools.${name}: ${unknown.join(', ')} cannot be used here.`];
  });
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const isReasoningLevel = (value: unknown): value is ReasoningLevel =>
  REASONING_LEVELS.some((level) => level === value);

/**
 * The override that turns an expert's configuration into edited settings. If these name every tool category, they are
 * complete, and whatever they omit is removed; otherwise the expert's values hold for settings that they omit.
 */
export function overrideOfEdited(base: ResolvedConfig, edited: JsonObject): JsonObject {
  return computeOverride(base, isWholeView(edited) ? edited : mergeConfig(base, edited));
}

function isWholeView({ tools }: JsonObject): boolean {
  if (typeof tools !== 'object' || tools === null) return false;
  return TOOL_CATEGORIES.every(({ name }) => Object.hasOwn(tools, name));
}
