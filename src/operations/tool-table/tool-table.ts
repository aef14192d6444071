/**
 * The table behind `npm run tools`: what a model reads of each tool, how many tokens that takes, and the answer to an
 * example call. Calls run as in a turn: arguments are checked, and the answer is the text that a model would read.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { DataStore } from '../../agent/data/session-data.ts';
import { prepareCall } from '../../agent/loop/prepare-call.ts';
import { runCall } from '../../agent/loop/tool-call.ts';
import type { ToolRegistry } from '../../agent/tool-registry.ts';
import type { ExampleSource, ToolContext } from '../../agent/tool.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import type { SessionDataEntry } from '../../stores/session-store.ts';

export type ToolRow = {
  readonly name: string;
  readonly description: string;
  /** Strict JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** Tokens that it takes in a request, as gpt-4.1 counts. */
  readonly tokens: number;
  readonly example: ToolExample;
};

/** A call and its answer. */
export type ToolExample = {
  /** Those left out are null. */
  readonly arguments: object;
  readonly status: string;
  /** The summary, or the error. */
  readonly summary: string;
  /** What the model reads. */
  readonly answer: string;
  readonly visuals: readonly string[];
};

/** What tools are called with. */
export type ToolTableDeps = {
  readonly tools: ToolRegistry;
  readonly context: Omit<ToolContext, 'signal'>;
  readonly source: ExampleSource;
  readonly limits: { readonly toolTimeoutMs: number; readonly resultCharacters: number };
  readonly signal: AbortSignal;
};

/** Rows in the order in which a model reads of the tools; calls are made one after another. */
export async function* toolTable(deps: ToolTableDeps): AsyncGenerator<ToolRow, void> {
  for (const schema of deps.tools.schemas) {
    deps.signal.throwIfAborted();
    yield {
      ...schema,
      tokens: countTokens(JSON.stringify(schema)),
      example: await tryTool(schema.name, deps),
    };
  }
}

async function tryTool(name: string, deps: ToolTableDeps): Promise<ToolExample> {
  const example = deps.tools.get(name)?.example ?? {};
  const given = typeof example === 'function' ? await example(deps.source) : example;
  const onBug = (error: unknown): void => {
    throw error;
  };
  const call = prepareCall({ callId: name, name, arguments: JSON.stringify(given) }, deps.tools, onBug);
  if (!call.runnable) throw new Error(`the example of ${name} cannot be called: ${call.error.message}`);
  const ending = await runCall(call, deps.context, { ...deps.limits, onBug }, deps.signal);
  return {
    arguments: given,
    status: ending.status,
    summary: ending.result?.formattedSummary ?? ending.error?.message ?? '',
    answer: ending.output,
    visuals: ending.result?.visuals.map(({ title }) => title) ?? [],
  };
}

/** A data store for the length of a table; nothing is ever evicted. */
export function createTableData(): DataStore {
  const kept = new Map<string, { readonly json: string; readonly entry: SessionDataEntry }>();
  return {
    async put(key, json, freshness = null) {
      kept.set(key, { json, entry: { key, bytes: json.length, updatedAt: new Date(), freshness } });
    },
    get: async (key) => kept.get(key)?.json ?? null,
    list: async () => [...kept.values()].map(({ entry }) => entry),
    all: async () => `{${[...kept].map(([key, { json }]) => `${JSON.stringify(key)}:${json}`).join(',')}}`,
  };
}

/** How to read the rows. */
export const TABLE_HEADING = `Each tool as a model reads it (name, description, arguments), with the tokens that takes;
then > an example call on the demo chip, < the summary, and what the user sees beside it.
Arguments that are left out are null: not given. A chip_id of null is the chip of the conversation.
`;

/** A row as text. */
export function rowText({ name, description, parameters, tokens, example }: ToolRow): string {
  const { status, summary, answer, visuals } = example;
  const shown = [...new Set(visuals)];
  return [
    `${name}  (${tokens} tokens)`,
    `  ${description}`,
    ...argumentLines(parameters),
    `  > ${JSON.stringify(example.arguments)}`,
    ...summary.split('\n').map((line) => `  < ${line}`),
    ...(shown.length === 0 ? [] : [`  shown: ${shown.join('; ')}`]),
    `  ${status}; the model reads ${answer.length.toLocaleString('en')} characters`,
  ].join('\n');
}

/** The arguments of a tool, a line each. */
export function argumentLines({ properties }: JsonObject): readonly string[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).map(
    ([name, schema]) => `    ${name}: ${typeText(schema)}${noteText(schema)}`,
  );
}

const noteText = ({ description }: JsonObject): string =>
  typeof description === 'string' ? ` – ${description}` : '';

function typeText({ type, anyOf, enum: values, items, properties }: JsonObject): string {
  if (isList(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (isList(anyOf)) return anyOf.map((each) => typeText(each as JsonObject)).join(' | ');
  const names = isList(type) ? type : [type ?? 'any'];
  return names
    .map((name) => plainType(typeof name === 'string' ? name : 'any', items, properties))
    .join(' | ');
}

function plainType(name: string, items: unknown, properties: unknown): string {
  if (name === 'array') return `(${typeText((items ?? {}) as JsonObject)})[]`;
  if (name !== 'object') return name;
  const members = Object.entries(properties as Readonly<Record<string, JsonObject>>);
  return `{${members.map(([key, schema]) => `${key}: ${typeText(schema)}`).join(', ')}}`;
}

const isList = (node: unknown): node is readonly unknown[] => Array.isArray(node);
