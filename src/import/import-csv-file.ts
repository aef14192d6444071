/** The `csv` importer: from a file to a written database, with a report for people. */
import { basename } from 'node:path';
import { countOf, formatTime } from '../domain/text/display-text.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { InvalidInputError } from '../base/errors.ts';
import { readCsvRows } from '../sources/tables/csv-rows.ts';
import { decodeCsv } from '../sources/tables/csv-text.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { csvDocuments } from './csv/csv-documents.ts';
import { readRows, type CsvValue, type RowIssue } from './csv/row-values.ts';
import { planTable } from './csv/table-plan.ts';
import { findTargetChip, type ChipRequest } from './csv/target-chip.ts';
import type { TableHints } from './csv/table-subject.ts';
import { createTimeReader } from './csv/times.ts';
import { confirm, type Dialogue } from './confirm.ts';
import { gridLegend } from './grid-names.ts';
import { previewOf, type Table } from './csv/preview.ts';
import { readInputBytes } from './read-input.ts';
import { remarkLines } from './remark-lines.ts';

/** What to import, and how to read it. */
export type CsvFileRequest = Omit<ChipRequest, 'projectId'> &
  Dialogue &
  Pick<TableHints, 'parameter' | 'unit' | 'naming'> & {
    readonly path: string;
    /** Null: the only project, else `demo`. */
    readonly project: string | null;
    /** Clock of the times without an offset, an IANA name. */
    readonly timeZone: string;
    /** When everything was measured, for a table without times. */
    readonly time: string | null;
    /** Take what is usable and leave the rest out. */
    readonly skipBad: boolean;
    readonly metrics: MetricCatalog;
    readonly now: Date;
  };

/** Bad rows that are listed; the rest is counted. */
const LISTED_ROWS = 20;

/**
 * Reads and checks every row, and shows what it had to guess, before anything is written.
 * @throws InvalidInputError for a file or unusable rows, naming the lines, and for guesses that nobody agrees to;
 * NotFoundError for a chip that is not there.
 */
export async function importCsvFile(
  writer: CalibrationWriter,
  request: CsvFileRequest,
  signal?: AbortSignal,
): Promise<void> {
  const { path, skipBad, print } = request;
  const target = { ...request, projectId: await writer.projectFor(request.project) };
  const chip = await findTargetChip(writer, target);
  const table = await readTable(request, chip.isGrid);
  const places = chip.placesFor(table.values, table.plan.naming);
  const values: CsvValue[] = [];
  const issues: RowIssue[] = [...table.issues];
  for (const value of table.values) {
    const place = places.of(value);
    if (typeof place === 'string') issues.push({ line: value.line, message: place });
    else values.push({ ...value, ...place });
  }
  const bad = issues
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `line ${line}: ${message}`);
  const [first, ...others] = values;
  if ((bad.length > 0 && !skipBad) || first === undefined) throw refuse(path, bad, first === undefined);
  if (table.plan.understood.length > 0) {
    const legend = table.plan.naming === 'grid' && places.layout ? gridLegend(places.layout) : null;
    await confirm(request, previewOf(basename(path), table, values, bad.length, legend), table.plan.guesses);
  }
  const documents = csvDocuments([first, ...others], basename(path), chip, places.layout, target);
  signal?.throwIfAborted();
  const { added, alreadyThere } = await writer.merge(documents);

  const [oldest, newest] = [documents.executions[0]?.start_at, documents.executions[0]?.end_at];
  print(`${request.chipId}: ${basename(path)} into project ${target.projectId}`);
  print(`  ${countOf(values.length, 'value')} of ${placesIn(values)}`);
  if (oldest && newest) print(`  measured between ${formatTime(oldest)} and ${formatTime(newest)}`);
  for (const line of remarksOf(values, table, bad, request)) print(line);
  print(`  task results: ${added} added, ${alreadyThere} already present`);
}

async function readTable(request: CsvFileRequest, isGridChip: boolean): Promise<Table> {
  const { path, timeZone, time, metrics, now } = request;
  const readTime = createTimeReader(timeZone, now);
  const bytes = await readInputBytes(path);
  try {
    const rows = readCsvRows(decodeCsv(bytes));
    const hints = { ...request, title: rows.title, fileName: basename(path), isGridChip };
    const plan = planTable(rows, hints, metrics);
    const hasTimes = plan.values.every((column) => column.time !== null);
    const context = {
      metrics,
      readTime,
      time: timeOfAll(hasTimes, time, readTime),
      hasDecimalCommas: rows.hasSemicolons,
    };
    const { title, lines } = rows;
    return { ...readRows(plan, lines, context), title, rowCount: lines.length, plan };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const messages = error.issues.map(({ message }) => message).join('; ');
    throw Object.assign(invalid(`${path}: ${messages}`), { cause: error });
  }
}

function timeOfAll(
  hasColumn: boolean,
  time: string | null,
  readTime: (text: string) => Date | string,
): Date | null {
  if (hasColumn) {
    if (time === null) return null;
    throw invalid('the table has its own time column: remove --time');
  }
  if (time === null) {
    throw invalid('no column gives measurement times: name one "time", or pass --time for all rows');
  }
  const read = readTime(time);
  if (typeof read === 'string') throw invalid(`--time: ${read}`);
  return read;
}

const placesIn = (values: readonly CsvValue[]): string => {
  const placesOf = (kind: CsvValue['kind']) =>
    new Set(values.flatMap((value) => (value.kind === kind ? [value.qid] : []))).size;
  return [[placesOf('qubit'), 'qubit'] as const, [placesOf('coupling'), 'directed coupling'] as const]
    .flatMap(([count, noun]) => (count === 0 ? [] : [countOf(count, noun)]))
    .join(' and ');
};

function remarksOf(
  values: readonly CsvValue[],
  { empty, plan }: Table,
  bad: readonly string[],
  { metrics, timeZone }: CsvFileRequest,
): readonly string[] {
  const remark = (reason: 'doubt' | 'unusable') =>
    values.flatMap((value) =>
      value[reason] ? [`line ${value.line}, ${value.parameter} of ${value.qid}: ${value[reason]}`] : [],
    );
  const known = new Set(metrics.metrics.map(({ name }) => name));
  const own = new Set(values.flatMap(({ parameter }) => (known.has(parameter) ? [] : [parameter])));
  const commas = values.filter(({ written }) => written.value.includes(',')).length;
  return [
    `  times without an offset are read in ${timeZone}`,
    ...remarkLines('parameters missing from config/metrics.yaml, shown unrated', [...own]),
    ...remarkLines('columns ignored', plan.notTaken),
    ...(commas > 0 ? [`  decimal commas read as points: ${commas}`] : []),
    ...(empty > 0 ? [`  cells without a value: ${empty}`] : []),
    ...remarkLines('kept, but implausible', remark('doubt')),
    ...remarkLines('kept, but excluded from all statistics', remark('unusable')),
    ...remarkLines('rows skipped', bad, LISTED_ROWS),
  ];
}

function refuse(path: string, bad: readonly string[], isNothingLeft: boolean): InvalidInputError {
  if (bad.length === 0) return invalid(`${path}: no row contains a value`);
  const advice = isNothingLeft ? 'no row can be used' : 'fix them, or pass --skip-bad to import the rest';
  return invalid(
    [`${path}: nothing was imported; ${advice}`, ...remarkLines('unusable rows', bad, LISTED_ROWS)].join(
      '\n',
    ),
  );
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
