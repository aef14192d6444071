import { z } from 'zod';
import { REASONING_LEVELS } from '../domain/artifacts/artifact-calls.ts';
import { ARTIFACT_LIMITS } from '../domain/artifacts/artifacts.ts';
import { utf8Bytes } from '../domain/text/utf8.ts';
import type { JsonObject } from '../domain/visuals.ts';
import type { InputIssue } from '../base/errors.ts';
import { TOOL_CATEGORIES, type ToolCategory } from './tool-categories.ts';

/** Maximum tools per category; more than QPilot has, so that tools of other servers may be named. */
const MAX_TOOLS = 100;
const MAX_MODEL_NAME = 200;

const toolList = z
  .array(z.string().regex(/^\w{1,64}$/u, 'must be the name of a tool: letters, digits and underscores'), {
    error: 'must be a list of tool names',
  })
  .max(MAX_TOOLS, `must have at most ${MAX_TOOLS} tools`)
  .transform((names) => [...new Set(names)]);

const llm = z.strictObject(
  {
    model: z
      .string({ error: 'must be the name of a model' })
      .trim()
      .min(1, 'must not be blank; leave it out for the model below this layer')
      .regex(/^\P{Cc}*$/u, 'must be the name of a model, in one line')
      .max(MAX_MODEL_NAME, `must have at most ${MAX_MODEL_NAME} characters`)
      .nullable()
      .exactOptional(),
    temperature: z
      .number({ error: 'must be a number from 0 to 2' })
      .min(0, 'must be from 0 to 2')
      .max(2, 'must be from 0 to 2')
      .nullable()
      .exactOptional(),
    reasoning_level: z
      .enum(REASONING_LEVELS, { error: `must be one of ${REASONING_LEVELS.join(', ')}` })
      .nullable()
      .exactOptional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object of settings' : undefined) },
);

const tools = z.strictObject(
  Object.fromEntries(TOOL_CATEGORIES.map((category) => [category.name, listOf(category)])),
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object of tool lists' : undefined) },
);

const layer = z.strictObject(
  { llm: llm.nullable().exactOptional(), tools: tools.nullable().exactOptional() },
  {
    error: (issue) =>
      issue.code === 'invalid_type' ? 'must be an object with llm, tools, or both' : undefined,
  },
);

/** Messages for unknown settings, by path. */
const KNOWN: Readonly<Record<string, string>> = {
  '': 'is not a setting; there are llm and tools',
  llm: 'is not a setting of llm; there are model, temperature and reasoning_level',
  tools: `is not a tool category; there are ${TOOL_CATEGORIES.map(({ name }) => name).join(', ')}`,
};

/** A valid layer, or all its problems; paths are relative to the layer. */
export type CheckedLayer =
  | {
      readonly config: JsonObject;
      /** Dotted paths of unknown settings that were dropped. */
      readonly ignored: readonly string[];
    }
  | { readonly issues: readonly InputIssue[] };

/**
 * Validates one layer of a configuration. Unknown settings are refused in user input and dropped from expert files,
 * which may contain addresses and keys for other programs.
 */
export function checkLayer(value: unknown, unknownSettings: 'REFUSE' | 'IGNORE'): CheckedLayer {
  const parsed = layer.safeParse(value);
  if (parsed.success) return within(parsed.data, []);
  const unknown = parsed.error.issues.flatMap(unknownIn);
  if (unknownSettings === 'IGNORE' && unknown.length > 0) {
    const checked = checkLayer(without(value, unknown), 'REFUSE');
    return 'issues' in checked ? checked : within(checked.config, unknown);
  }
  return { issues: parsed.error.issues.flatMap(issuesOf) };
}

/** Locked categories may be listed, as in a complete configuration, but not changed. */
function listOf({ locked, tools: all }: ToolCategory) {
  if (!locked) return toolList.nullable().exactOptional();
  return toolList
    .nullable()
    .refine((names) => all.every(({ name }) => names?.includes(name)) && names?.length === all.length, {
      error: 'is part of every job and cannot be changed; leave it out',
    })
    .exactOptional();
}

function within(config: JsonObject, ignored: readonly (readonly string[])[]): CheckedLayer {
  const bytes = utf8Bytes(JSON.stringify(config));
  const most = ARTIFACT_LIMITS.configBytes;
  if (bytes <= most) return { config, ignored: ignored.map((path) => path.join('.')) };
  const message = `has ${bytes.toLocaleString('en')} bytes as JSON; at most ${most.toLocaleString('en')} are allowed`;
  return { issues: [{ path: [], message }] };
}

function issuesOf(issue: z.core.$ZodIssue): InputIssue[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({
    path: [...path, key],
    message: KNOWN[path.join('.')] ?? 'is not a setting',
  }));
}

const unknownIn = (issue: z.core.$ZodIssue): (readonly string[])[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path.map(String), key]) : [];

/** A copy without the values at `paths`. */
function without(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (typeof value !== 'object' || value === null || paths.length === 0) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !paths.some((path) => path.length === 1 && path[0] === key))
      .map(([key, inner]): [string, unknown] => [
        key,
        without(
          inner,
          paths.flatMap(([first, ...rest]) => (first === key && rest.length > 0 ? [rest] : [])),
        ),
      ]),
  );
}
