/** `query_dataset`: rows or figures of a table that the user uploaded. */
import { z } from 'zod';
import type { DatasetAnswer } from '../../domain/datasets/dataset-answer.ts';
import { FILTER_OPERATORS, type DatasetFilter } from '../../domain/datasets/dataset-filter.ts';
import { AGGREGATES, type ResultColumn } from '../../domain/datasets/dataset-query.ts';
import type { SessionDataset } from '../../domain/datasets/dataset.ts';
import { compactNumber } from '../../domain/text/compact.ts';
import { countOf, formatQuantity } from '../../domain/text/display-text.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import { freshnessOf, type Freshness } from '../../domain/values/freshness.ts';
import { datasetTable } from '../../domain/visual-rules/record-tables.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';
import { NotFoundError } from '../../base/errors.ts';
import { DATASET_KEY_PREFIX } from '../data/datasets.ts';
import { dataKey, summariseStored } from '../data/stored-result.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { SESSION_DATA } from './chip-argument.ts';

const DEFAULT_LIMIT = 1000;
/** Rows that the model reads, and that the summary spells out. */
const READ_ROWS = 20;
const SHOWN_ROWS = 8;
const TITLE_LENGTH = 120;

export const queryDataset = defineTool({
  name: 'query_dataset',
  category: 'sandbox',
  rule: 'viewer: own',
  reads: 'STORED',
  label: 'Querying the uploaded table',
  title: { en: 'Ask an uploaded table', ja: 'アップロードした表の照会' },
  example: {
    dataset: 'pulse_sweep',
    group_by: ['qid'],
    aggregate: [{ column: 'contrast', figure: 'max' }],
    descending: false,
  },
  description:
    'Rows of an uploaded table, or figures of groups of its rows. Kept for execute_python_analysis and make_chart.',
  args: z.object({
    dataset: z.string(),
    columns: z.array(z.string()).nullable().describe('null for all; with aggregate those of group_by'),
    filters: z
      .array(
        z.strictObject({ column: z.string(), op: z.enum(FILTER_OPERATORS), value: z.string().nullable() }),
      )
      .nullable(),
    group_by: z.array(z.string()).nullable(),
    aggregate: z.array(z.strictObject({ column: z.string(), figure: z.enum(AGGREGATES) })).nullable(),
    order_by: z.string().nullable().describe('Column, or a figure such as mean_T1'),
    descending: z.boolean(),
    limit: z.number().int().min(1).max(10_000).nullable().describe(`null for ${DEFAULT_LIMIT}`),
  }),
  describe: ({ dataset, filters }) => whatOf(dataset, filters ?? []),
  conflictKey: () => SESSION_DATA,
  run: async ({ dataset: asked, ...args }, context) => {
    const { dataset, upload } = datasetOf(context, asked);
    const { columns, filters, group_by, aggregate, order_by, descending, limit } = args;
    const answer = await context.datasets.query(
      upload,
      {
        columns,
        filters: filters ?? [],
        groupBy: group_by ?? [],
        aggregates: aggregate ?? [],
        order: order_by ? { column: order_by, descending } : null,
        limit: limit ?? DEFAULT_LIMIT,
      },
      context.signal,
    );
    const data = { dataset, file: upload.name, columns: columnsData(answer), rows: answer.rows };
    const key = keyOf(dataset, args);
    const freshness = freshnessOfRows(answer);
    await context.dataStore.put(key, JSON.stringify(data), freshness);
    const { rows, ...shape } = data;
    const what = whatOf(dataset, filters ?? []);
    return {
      data,
      modelData: {
        ...summariseStored({ rows }, key),
        ...shape,
        first_rows: rows.slice(0, READ_ROWS).map(compactRow),
        matched: answer.matched,
        total: answer.total,
      },
      formattedSummary: wordsOf(what, upload.rowCount, answer),
      preview: `${countOf(answer.rows.length, 'row')} of ${answer.total}; ${answer.matched} of ${upload.rowCount} match`,
      freshness,
      source: 'DATASET',
      visuals: [datasetTable(what, answer)],
    };
  },
});

/** @throws NotFoundError naming the session's tables. */
function datasetOf({ datasets }: ToolContext, asked: string): SessionDataset {
  const found = datasets.all.find(({ dataset }) => dataset.toLowerCase() === asked.toLowerCase());
  if (found !== undefined) return found;
  const names = datasets.all.map(({ dataset }) => dataset);
  throw new NotFoundError(
    names.length === 0
      ? 'no table was uploaded to this conversation; ask the user to upload a CSV'
      : `there is no uploaded table ${asked}; there are ${names.join(', ')}`,
  );
}

/** The plain key is that of the stored part of the whole table. */
function keyOf(dataset: string, args: Readonly<Record<string, Json>>): string {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== false);
  return dataKey({
    name: `${DATASET_KEY_PREFIX}${dataset}`,
    chipId: dataset,
    sessionChipId: dataset,
    otherArguments: Object.fromEntries(given),
  });
}

const whatOf = (dataset: string, filters: readonly DatasetFilter[]): string =>
  shorten(
    filters.length === 0
      ? dataset
      : `${dataset} where ${filters.map(({ column, op, value }) => `${column} ${op}${value === null ? '' : ` ${value}`}`).join(' and ')}`,
    TITLE_LENGTH,
  );

/** By name, so that the rows are the only list of what is kept. */
const columnsData = ({ columns }: DatasetAnswer): JsonObject =>
  Object.fromEntries(columns.map(({ name, type, unit }) => [name, { type, unit }]));

const compactRow = (row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? compactNumber(value) : value,
    ]),
  );

function wordsOf(what: string, rowCount: number, { columns, rows, matched, total }: DatasetAnswer): string {
  const named = rows.slice(0, SHOWN_ROWS).map((row) => `${rowWords(columns, row)}.`);
  const shown = rows.length < total ? `${rows.length} of ${total} rows of the result are kept.` : null;
  // no claim: rows in the order of the query
  const more = rows.length > named.length ? `The first ${named.length} of ${rows.length} rows:` : null;
  return [
    `${what}: ${matched} of ${countOf(rowCount, 'row')} match.`,
    ...[shown, more].filter((line) => line !== null),
    ...named,
    'Uploaded by the user; not compared with stored results.',
  ].join('\n');
}

const rowWords = (columns: readonly ResultColumn[], row: JsonObject): string =>
  columns.map(({ name, unit }) => `${name} ${valueWords(row[name] ?? null, unit)}`).join(', ');

/** Whole numbers may be counts or ids, so they are not rounded. */
function valueWords(value: Json, unit: string | null): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return '–';
  if (!Number.isInteger(value)) return formatQuantity(value, unit ?? '');
  return unit === null ? `${value}` : `${value} ${unit}`;
}

/** By the first column of times, if any; uploaded values have no age limit. */
function freshnessOfRows({ columns, rows }: DatasetAnswer): Freshness {
  const time = columns.find(({ type }) => type === 'datetime');
  const texts = time === undefined ? [] : rows.map((row) => row[time.name]);
  const times = texts.flatMap((text) => (typeof text === 'string' ? [new Date(text)] : []));
  return freshnessOf('DATASET', times, null);
}
