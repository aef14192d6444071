/**
 * What a model reads of a tool result: JSON text of bounded length. Summary and freshness are never cut; lists are cut
 * between rows, with a note of how many are shown.
 */
import { z } from 'zod';
import { jsonIn } from '../../base/json.ts';
import { countOf } from '../../domain/text/display-text.ts';
import type { DataSource, Freshness } from '../../domain/values/freshness.ts';
import type { Json } from '../../domain/visuals.ts';
import type { CurrentValues } from '../live/current-values.ts';
import type { ToolResult } from '../tool.ts';
import { shortForm } from './short-form.ts';

/** The JSON that a model reads. */
export type ToolText = {
  readonly data: unknown;
  readonly formattedSummary: string;
  readonly freshness: Freshness | null;
  readonly source: DataSource;
  /** The omitted parts; absent when everything is shown. */
  readonly _note?: string;
};

/** Longest error text. */
const MAX_ERROR_CHARACTERS = 2000;
/** Room for the note on what was cut. */
const NOTE_CHARACTERS = 300;
/** Lists that are cut before a result counts as too large. */
const MOST_CUTS = 3;

/**
 * The whole result as JSON text for the record of the call, with the source of each current value.
 * @throws TypeError if it cannot be JSON.
 */
export function resultJson({ data, formattedSummary, freshness, source, current }: ToolResult): string {
  const records = current ? recordsOf(current) : null;
  return JSON.stringify({
    data: toJson(data),
    formattedSummary,
    freshness,
    source,
    ...(records === null ? {} : { records }),
  });
}

/** Results with more values than this are kept without their records. */
const MAX_RECORDS = 4_096;

/** `{parameter: {qid: [task id, time]}}`, null where there is none. */
function recordsOf({ values }: CurrentValues): object | null {
  const stored = values.filter(({ isStored }) => isStored);
  if (stored.length === 0 || stored.length > MAX_RECORDS) return null;
  const byParameter = Map.groupBy(stored, ({ parameter }) => parameter);
  return Object.fromEntries(
    [...byParameter].map(([parameter, ofOne]) => [
      parameter,
      Object.fromEntries(ofOne.map(({ qid, taskId, measuredAt }) => [qid, [taskId, measuredAt]])),
    ]),
  );
}

/**
 * The result as a program of ours reads it, at most `maxCharacters` long.
 * @throws TypeError if it cannot be JSON; RangeError if its summary alone is too long.
 */
export function modelText(result: ToolResult, maxCharacters: number): string {
  const { formattedSummary, freshness, source } = result;
  const data = toJson(result.modelData ?? result.data);
  const rest = JSON.stringify({ data: null, formattedSummary, freshness, source } satisfies ToolText);
  const room = maxCharacters - rest.length;
  if (room < NOTE_CHARACTERS)
    throw new RangeError(`its summary alone is longer than ${maxCharacters} characters`);
  const cut = cutRows(data, room, 'Ask for fewer rows to see the rest.');
  return JSON.stringify({ ...cut, formattedSummary, freshness, source } satisfies ToolText);
}

/** Room for data that a long summary leaves. */
const LEAST_DATA = 160;

/**
 * The result as a language model reads it: its short form, at most `maxCharacters` long. `narrower` names arguments
 * that ask for less. Where the summary leaves no room, its last lines but one are left out.
 */
export function shortText(
  result: ToolResult,
  { maxCharacters, now, narrower }: { maxCharacters: number; now: Date; narrower: readonly string[] },
): string {
  const { freshness, source } = result;
  const data = shortForm(toJson(result.shortData ?? result.modelData ?? result.data), now);
  const frame = JSON.stringify({ data: null, formattedSummary: '', freshness, source } satisfies ToolText);
  const room = maxCharacters - frame.length;
  const least = Math.min(JSON.stringify(data).length, LEAST_DATA);
  const formattedSummary = cutLines(result.formattedSummary, room - least);
  const hint = narrower.length === 0 ? '' : `Narrow it by ${narrower.join(', ')}.`;
  const cut = cutRows(data, room - JSON.stringify(formattedSummary).length + 2, hint);
  return JSON.stringify({ ...cut, formattedSummary, freshness, source } satisfies ToolText);
}

/** The first lines that fit, and the last, which says the age of the data. */
function cutLines(text: string, room: number): string {
  const fits = (part: string): boolean => JSON.stringify(part).length <= room;
  if (fits(text)) return text;
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  for (let shown = lines.length - 2; shown > 0; shown -= 1) {
    const part = [...lines.slice(0, shown), `(${countOf(lines.length - 1 - shown, 'more line')})`, last].join(
      '\n',
    );
    if (fits(part)) return part;
  }
  const part = text.slice(0, Math.max(0, room - 60));
  // Between two items: half a number would be another number.
  return `${part.slice(0, Math.max(part.lastIndexOf(', '), part.lastIndexOf('; '), 0))} and more`;
}

/** Longer outputs of earlier rounds give way to their summaries where room is short. */
const SHORT_OUTPUT = 600;

const summed = z.looseObject({ formattedSummary: z.string() });

/** An output with its summary alone, and how to have the rest again; itself where that is no shorter. */
export function summaryText(output: string): string {
  if (output.length <= SHORT_OUTPUT) return output;
  const { data, success } = summed.safeParse(jsonIn(output));
  const kept = success
    ? { ...data, data: null, _note: SHORTENED }
    : { beginning: output.slice(0, SHORT_OUTPUT / 2), _note: SHORTENED };
  const text = JSON.stringify(kept);
  return text.length < output.length ? text : output;
}

const SHORTENED = 'Left out to save room. Make the same call again where its data is needed.';

/** The output of a failed call. */
export function errorText(message: string): string {
  const text = message.length > MAX_ERROR_CHARACTERS ? `${message.slice(0, MAX_ERROR_CHARACTERS)}…` : message;
  return JSON.stringify({ error: text });
}

/** JSON of anything: numbers that are not finite become null, big integers numbers, times ISO text. */
function toJson(value: unknown): Json {
  const text: string | undefined = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? Number(item) : item,
  );
  return text === undefined ? null : (JSON.parse(text) as Json);
}

type Cut = { readonly data: Json; readonly _note?: string };

/** Shortens the longest lists first, keeping whole rows from the front, until data and note fit. */
function cutRows(data: Json, room: number, hint: string): Cut {
  const whole = JSON.stringify(data).length;
  if (whole <= room) return { data };
  const cuts = new Map<string, { readonly shown: number; readonly of: number }>();
  let left = data;
  for (;;) {
    const notes = [...cuts].map(([path, { shown, of }]) => `${path}: ${shown} of ${of} shown`);
    const _note = `Cut to fit: ${notes.join('; ')}. ${hint}`.trim();
    const surplus = JSON.stringify(left).length + JSON.stringify({ _note }).length - room;
    if (cuts.size > 0 && surplus <= 0) return { data: left, _note };
    const longest = longestList(left, 'data');
    if (longest === null || cuts.size > MOST_CUTS) return largestLeftOut(data, room, hint);
    const { path, rows } = longest;
    const shown = rowsThatFit(rows, Math.max(1, surplus));
    cuts.set(path, { shown, of: cuts.get(path)?.of ?? rows.length });
    left = replaceList(left, rows, rows.slice(0, shown));
  }
}

/** The largest objects and lists go first, until the rest fits: names, keys and counts stay longest. */
function largestLeftOut(data: Json, room: number, hint: string): Cut {
  let left = typeof data === 'object' && data !== null && !isList(data) ? Object.entries(data) : [];
  const gone: string[] = [];
  const sizeOf = ([, value]: readonly [string, Json]): number =>
    JSON.stringify(value).length + (typeof value === 'object' ? room : 0);
  for (;;) {
    const _note = `Left out${gone.length > 0 ? ` of data: ${gone.join(', ')}` : ': data'}. ${hint}`.trim();
    if (left.length === 0) return { data: null, _note };
    const kept = Object.fromEntries(left);
    const length = JSON.stringify(kept).length + JSON.stringify({ _note }).length;
    if (gone.length > 0 && length <= room) return { data: kept, _note };
    const [name] = left.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
    gone.push(name);
    left = left.filter(([each]) => each !== name);
  }
}

type FoundList = { readonly path: string; readonly rows: readonly Json[]; readonly length: number };

/** Names of columns, without which rows mean nothing. */
const WHOLE_LISTS = new Set(['columns', '_schema']);

/** The list with the longest text, outermost first where one holds another. */
function longestList(node: Json, path: string): FoundList | null {
  if (typeof node !== 'object' || node === null) return null;
  if (isList(node))
    return node.length === 0 ? null : { path, rows: node, length: JSON.stringify(node).length };
  let longest: FoundList | null = null;
  for (const [key, value] of Object.entries(node)) {
    if (WHOLE_LISTS.has(key)) continue;
    const found = longestList(value, `${path}.${key}`);
    if (found !== null && found.length > (longest?.length ?? 0)) longest = found;
  }
  return longest;
}

/** How many rows stay when at least `surplus` characters go, from the end. */
function rowsThatFit(rows: readonly Json[], surplus: number): number {
  let shown = rows.length;
  let gone = 0;
  while (shown > 0 && gone < surplus) {
    shown -= 1;
    gone += JSON.stringify(rows[shown]).length + 1;
  }
  return shown;
}

function replaceList(node: Json, from: readonly Json[], to: readonly Json[]): Json {
  if (node === from) return to;
  if (typeof node !== 'object' || node === null || isList(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaceList(value, from, to)]));
}

const isList = (node: Json): node is readonly Json[] => Array.isArray(node);
