/**
 * What a model reads of a tool result: JSON text of bounded length. Summary and freshness are never cut; lists are cut
 * between rows, with a note of how many are shown.
 */
import type { DataSource, Freshness } from '../../domain/values/freshness.ts';
import type { Json } from '../../domain/visuals.ts';
import type { CurrentValues } from '../live/current-values.ts';
import type { ToolResult } from '../tool.ts';

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
 * The result as a model reads it, at most `maxCharacters` long.
 * @throws TypeError if it cannot be JSON; RangeError if its summary alone is too long.
 */
export function modelText(result: ToolResult, maxCharacters: number): string {
  const { formattedSummary, freshness, source } = result;
  const data = toJson(result.modelData ?? result.data);
  const whole = JSON.stringify({ data, formattedSummary, freshness, source } satisfies ToolText);
  if (whole.length <= maxCharacters) return whole;
  const rest = JSON.stringify({ data: null, formattedSummary, freshness, source } satisfies ToolText);
  const room = maxCharacters - rest.length - NOTE_CHARACTERS;
  if (room < 0) throw new RangeError(`its summary alone is longer than ${maxCharacters} characters`);
  const cut = cutRows(data, room);
  return JSON.stringify({ ...cut, formattedSummary, freshness, source } satisfies ToolText);
}

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

type Cut = { readonly data: Json; readonly _note: string };

/** Shortens the longest lists first, keeping whole rows from the front, until the data fits. */
function cutRows(data: Json, room: number): Cut {
  const notes: string[] = [];
  let left = data;
  for (;;) {
    const length = JSON.stringify(left).length;
    if (length <= room) break;
    const longest = longestList(left, 'data');
    if (longest === null || notes.length >= 3) {
      return { data: null, _note: `Too large to show (${length} characters); ask for less.` };
    }
    const shown = rowsThatFit(longest.rows, length - room);
    notes.push(`${longest.path}: ${shown} of ${longest.rows.length} shown`);
    left = replaceList(left, longest.rows, longest.rows.slice(0, shown));
  }
  return { data: left, _note: `Cut to fit: ${notes.join('; ')}. Ask for fewer rows to see the rest.` };
}

type FoundList = { readonly path: string; readonly rows: readonly Json[]; readonly length: number };

/** The list with the longest text, outermost first where one holds another. */
function longestList(node: Json, path: string): FoundList | null {
  if (typeof node !== 'object' || node === null) return null;
  if (isList(node))
    return node.length === 0 ? null : { path, rows: node, length: JSON.stringify(node).length };
  let longest: FoundList | null = null;
  for (const [key, value] of Object.entries(node)) {
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
