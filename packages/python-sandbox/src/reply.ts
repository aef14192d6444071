import { z } from 'zod';
import type { SandboxLimits } from './limits.ts';
import { MAX_TABLE_NAME, messages } from './messages.ts';
import type { JsonObject, JsonValue, PlotlySpec, PythonResult } from './python-result.ts';

/** A result without the time it took. */
export type PythonAnswer = Omit<PythonResult, 'durationMs'>;

/** Deeper values would overflow the stack of code that walks them. */
const MAX_DEPTH = 100;
/**
 * Lists, dicts and their entries of an answer, and different names of entries: whoever receives it copies them at once, within 50 ms of
 * processor time. Items of lists cost a hundredth.
 */
const MAX_PARTS = 100_000;
const MAX_NAMES = 10_000;
/** Tables of one analysis: each becomes a row of the store and a line of what the model reads. */
const MAX_TABLES = 50;

const jsonObject = z.custom<JsonObject>((value) => isObject(value));
const replySchema = z.object({
  output: z.string(),
  truncated: z.boolean(),
  error: z.string().max(8_192).nullable(),
  chart: z.custom<JsonValue>().optional(),
  tables: z.record(z.string(), z.array(jsonObject)).nullable().optional(),
});

/** An answer with nothing but an error. */
export function failedAnswer(error: string): PythonAnswer {
  return { output: null, charts: [], refused: [], tables: {}, error };
}

/** Parses the reply of a process. The text is hostile: whatever it holds, the answer stays within the limits. */
export function readReply(text: string, limits: SandboxLimits): PythonAnswer {
  const parsed = parseJson(text);
  if (isObject(parsed) && parsed['broken'] === true) return failedAnswer(messages.broken);
  const size = sizeOf(parsed);
  if (size === 'too deep') return failedAnswer(messages.badReply);
  if (size === 'too many') return failedAnswer(messages.tooManyParts(MAX_PARTS, MAX_NAMES));
  const reply = replySchema.safeParse(storable(text, parsed));
  if (!reply.success) return failedAnswer(messages.badReply);
  const { output, truncated, error, chart = null, tables } = reply.data;
  const cut = truncated || output.length > limits.outputChars;
  const shown = cut
    ? output.slice(0, limits.outputChars).toWellFormed() + messages.truncated(limits.outputChars)
    : output;
  const named = tablesOf(tables ?? {});
  const drawn = chartsOf(chart);
  return {
    output: error !== null && shown === '' ? null : shown,
    charts: drawn.charts,
    tables: named.tables,
    refused: [...drawn.refused, ...named.refused],
    error,
  };
}

/**
 * The value with every string, keys included, such that databases and clients can hold it: NUL and lone surrogates
 * become U+FFFD. `text` is its JSON; a walk over every string is not worth it without one of them.
 */
function storable(text: string, value: unknown): unknown {
  return /\\u(?:0000|d[89a-f])/iu.test(text) || !text.isWellFormed() ? mended(value) : value;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mended(key), mended(each)]));
}

function tablesOf(
  tables: Readonly<Record<string, readonly JsonObject[]>>,
): Pick<PythonAnswer, 'tables' | 'refused'> {
  const all = Object.entries(tables);
  const kept = all.filter(([name]) => name.length <= MAX_TABLE_NAME).slice(0, MAX_TABLES);
  const missing = all.length - kept.length;
  return {
    tables: Object.fromEntries(kept),
    refused: missing === 0 ? [] : [messages.tooManyTables(missing, MAX_TABLES)],
  };
}

/** Keeps values that have traces and describes the others. */
function chartsOf(chart: JsonValue): Pick<PythonAnswer, 'charts' | 'refused'> {
  if (chart === null) return { charts: [], refused: [] };
  const candidates: readonly JsonValue[] = Array.isArray(chart) ? chart : [chart];
  const isFigure = (value: JsonValue): value is PlotlySpec => isObject(value) && Array.isArray(value['data']);
  return {
    charts: candidates.filter(isFigure),
    refused: candidates.flatMap((value, index) =>
      isFigure(value) ? [] : [messages.noFigure(index + 1, kindOf(value))],
    ),
  };
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return 'data' in value ? 'a dict whose "data" is not a list' : 'a dict without "data"';
}

/** Breadth first: recursion would overflow on exactly the values that this rejects. */
function sizeOf(value: unknown): 'fine' | 'too deep' | 'too many' {
  const names = new Set<string>();
  let parts = 0;
  let level: unknown[] = [value];
  for (let left = MAX_DEPTH; level.length > 0; left -= 1) {
    if (left === 0) return 'too deep';
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const children: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      parts += Array.isArray(each) ? 1 : 1 + children.length;
      if (!Array.isArray(each)) for (const name of Object.keys(each)) names.add(name);
      if (parts > MAX_PARTS || names.size > MAX_NAMES) return 'too many';
      for (const child of children) if (typeof child === 'object') next.push(child);
    }
    level = next;
  }
  return 'fine';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
