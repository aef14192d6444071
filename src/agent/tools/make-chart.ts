/** `make_chart`: a chart of the model's choice over rows that this conversation kept. */
import { z } from 'zod';
import { countOf } from '../../domain/text/display-text.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { DataSource } from '../../domain/values/freshness.ts';
import { MODEL_CHART_TYPES, modelChart, type ModelChartType } from '../../domain/visual-rules/model-chart.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { DATASET_KEY_PREFIX } from '../data/datasets.ts';
import { defineTool } from '../tool.ts';
import { SESSION_DATA } from './chip-argument.ts';

/** Most marks of all series together, and most bars of one: more could not be distinguished. */
const MAX_POINTS = 20_000;
const MAX_BARS = 200;
/** Longest title, label or note. */
const MAX_TEXT = 200;

export const makeChart = defineTool({
  name: 'make_chart',
  category: 'sandbox',
  rule: 'viewer: own',
  label: 'Drawing a chart',
  title: { en: 'Draw a chart', ja: 'グラフの作成' },
  example: {
    df_name: 'chip_summary',
    logical_name: 'qubits',
    chart_type: 'scatter',
    x_field: 't1',
    x_label: 'T1 in μs',
    y_label: 'T2 Echo in μs',
    series: [{ name: 'T2 Echo', y_field: 't2_echo' }],
    title: 'T2 Echo against T1',
    note: '',
  },
  description: 'A chart over a kept result. Only where no tool of this turn draws one by itself.',
  args: z.object({
    df_name: z.string().describe('data_key of a kept result'),
    logical_name: z.string().describe('List within it, for example qubits; empty for the longest'),
    chart_type: z.enum(MODEL_CHART_TYPES),
    x_field: z.string(),
    x_label: z.string(),
    y_label: z.string(),
    series: z
      .array(z.strictObject({ name: z.string(), y_field: z.string() }))
      .min(1)
      .max(10),
    title: z.string(),
    note: z.string(),
  }),
  describe: ({ chart_type, df_name, x_field, series }) =>
    `${chart_type.replace('_', ' ')} of ${series.map(({ y_field }) => y_field).join(', ')} by ${x_field} from ${df_name}`,
  conflictKey: () => SESSION_DATA,
  run: async (args, { dataStore }) => {
    const { df_name: key, chart_type: type, x_field: xField, series } = args;
    const [json, kept] = [await dataStore.get(key), await dataStore.list()];
    if (json === null) {
      const keys = kept.map((entry) => entry.key);
      throw new NotFoundError(
        keys.length === 0
          ? // no claim: what to do
            'no result is kept yet: fetch one first, for example with get_chip_summary or query_dataset'
          : `no result is kept as ${key}; there are ${keys.join(', ')}`,
      );
    }
    const stored = JSON.parse(json) as Json;
    const rows = rowsOf(stored, args.logical_name);
    assertFields(rows, xField, series);
    assertDrawable(type, rows.length, series.length);
    const named = series.map(({ name, y_field }) => ({ name: short(name || y_field), yField: y_field }));
    const title = short(args.title || `${named.map(({ name }) => name).join(', ')} by ${xField}`);
    const chart = modelChart({
      type,
      rows,
      xField,
      series: named,
      title,
      xLabel: short(args.x_label),
      yLabel: short(args.y_label),
      note: short(args.note),
      source: key,
    });
    return {
      data: { df_name: key, chart_type: type, points: rows.length, series: series.length },
      formattedSummary: `Chart "${title}" of ${countOf(rows.length, 'row')}, marked as chosen by the model. It is shown unless this turn shows charts or tables of stored results.`,
      preview: `${title}, ${countOf(rows.length, 'row')}`,
      freshness: kept.find((entry) => entry.key === key)?.freshness ?? null,
      source: sourceOf(key, stored),
      visuals: [chart],
    };
  },
});

/**
 * The list of a kept result: the one named, else the longest. @throws InvalidInputError naming the existing
 * ones.
 */
function rowsOf(stored: Json, name: string): readonly JsonObject[] {
  if (isRows(stored)) return stored;
  const lists = isObject(stored)
    ? Object.entries(stored).flatMap(([key, value]) => (isRows(value) ? [{ key, rows: value }] : []))
    : [];
  const [longest] = lists.toSorted((a, b) => b.rows.length - a.rows.length);
  const found = name === '' ? longest : lists.find(({ key }) => key === name);
  if (found !== undefined && found.rows.length > 0) return found.rows;
  const names = lists.map(({ key, rows }) => `${key} (${countOf(rows.length, 'row')})`).join(', ');
  throw invalid('logical_name', `there are no rows in ${JSON.stringify(name)}; there are ${names || 'none'}`);
}

/** @throws InvalidInputError for a field that no row has, and for values that are not numbers. */
function assertFields(
  rows: readonly JsonObject[],
  xField: string,
  series: readonly { readonly y_field: string }[],
): void {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  for (const [path, field] of [
    ['x_field', xField],
    ...series.map(({ y_field }) => ['series', y_field]),
  ] as const) {
    if (field !== undefined && !fields.includes(field)) {
      throw invalid(path, `the rows have no ${field}; they have ${fields.join(', ')}`);
    }
  }
  for (const { y_field: field } of series) {
    const values = rows.map((row) => row[field] ?? null).filter((value) => value !== null);
    const other = values.find((value) => typeof value !== 'number');
    if (other !== undefined)
      throw invalid('series', `${field} holds ${JSON.stringify(other)}, which is no number`);
    if (values.length === 0) throw invalid('series', `${field} has no value in any row`);
  }
  if (rows.some((row) => typeof (row[xField] ?? null) === 'object' && (row[xField] ?? null) !== null)) {
    throw invalid('x_field', `${xField} holds lists or objects; take a field of numbers, texts or times`);
  }
}

function assertDrawable(type: ModelChartType, rows: number, series: number): void {
  const isBars = type !== 'line' && type !== 'scatter';
  if (isBars && rows > MAX_BARS) {
    throw invalid(
      'chart_type',
      // no claim: what to do
      `${rows} bars are too many; at most ${MAX_BARS}: filter or group the rows first`,
    );
  }
  if (rows * series > MAX_POINTS) {
    throw invalid(
      'series',
      // no claim: what to do
      `${rows * series} points are too many; at most ${MAX_POINTS}: filter or group the rows first`,
    );
  }
}

/** Named tables of an analysis are plain lists; everything else that is kept was fetched. */
function sourceOf(key: string, stored: Json): DataSource {
  if (key.startsWith(DATASET_KEY_PREFIX)) return 'DATASET';
  return isRows(stored) ? 'SANDBOX' : 'SNAPSHOT';
}

const short = (text: string): string => shorten(text, MAX_TEXT);

const invalid = (path: string, message: string): InvalidInputError =>
  new InvalidInputError([{ path: [path], message }]);

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: Json): value is readonly JsonObject[] =>
  Array.isArray(value) && value.every((row: Json) => isObject(row));
