/** The `csv` importer: from a file to a written database, with a report for people. */
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countOf, formatTime } from '../domain/text/display-text.ts';
import type { ShowProgress } from '../domain/imports/file-import.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { InvalidInputError } from '../base/errors.ts';
import { readCsvRows } from '../sources/tables/csv-rows.ts';
import { checkCsv } from '../sources/tables/csv-text.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { csvDocuments } from './csv/csv-documents.ts';
import { readRow, type CsvValue, type RowContext, type RowValue } from './csv/row-values.ts';
import { planTable } from './csv/table-plan.ts';
import { TableSurvey } from './csv/table-survey.ts';
import { findTargetChip, type ChipRequest, type Places } from './csv/target-chip.ts';
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
    readonly onProgress?: ShowProgress;
  };

/** Rows between two turns of the event loop, and two reports of how far it is. */
const ROWS_AT_ONCE = 2_000;

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
  const { path, skipBad, print, onProgress } = request;
  const target = { ...request, projectId: await writer.projectFor(request.project) };
  const chip = await findTargetChip(writer, target);
  const table = await readTable(request, chip.isGrid);
  const onGrid = table.plan.naming === 'grid' ? await namesIn(table, signal) : [];
  const places = chip.placesFor(onGrid, table.plan.naming);
  const survey = new TableSurvey(target);
  await forEachRow(table, signal, onProgress, (found) => {
    for (const each of found) {
      if (each === null) survey.empty += 1;
      else if ('message' in each) survey.addIssue(each, 'row');
      else {
        const value = placed(each, places);
        if (typeof value === 'string') survey.addIssue({ line: each.line, message: value }, 'place');
        else survey.add(value);
      }
    }
  });
  if ((survey.issues > 0 && !skipBad) || survey.count === 0) throw refuse(path, survey);
  if (table.plan.understood.length > 0) {
    const legend = table.plan.naming === 'grid' && places.layout ? gridLegend(places.layout) : null;
    await confirm(request, previewOf(basename(path), table, survey, legend), table.plan.guesses);
  }
  const values = (): Iterable<CsvValue> => valuesIn(table, places);
  const documents = csvDocuments(survey, values, basename(path), chip, places.layout, target);
  signal?.throwIfAborted();
  const { added, alreadyThere } = await writer.merge(documents, {
    ...(signal && { signal }),
    onWritten: (done) => onProgress?.({ step: 'writing', done, total: survey.ids.distinct }),
  });

  const [oldest, newest] = [new Date(survey.oldest), new Date(survey.newest)];
  print(`${request.chipId}: ${basename(path)} into project ${target.projectId}`);
  print(`  ${countOf(survey.count, 'value')} of ${placesIn(survey)}`);
  print(`  measured between ${formatTime(oldest)} and ${formatTime(newest)}`);
  for (const line of remarksOf(survey, table, request)) print(line);
  print(`  task results: ${added} added, ${alreadyThere} already present`);
}

/** A table whose rows can be read, again and again. */
type OpenTable = Table & { readonly rowAt: (row: number) => readonly RowValue[] };

async function readTable(request: CsvFileRequest, isGridChip: boolean): Promise<OpenTable> {
  const { path, timeZone, time, metrics, now, onProgress } = request;
  const readTime = createTimeReader(timeZone, now);
  const bytes = await readInputBytes(path);
  try {
    const rows = readCsvRows(checkCsv(bytes), (done) => onProgress?.({ step: 'reading', done, total: null }));
    const hints = { ...request, title: rows.title, fileName: basename(path), isGridChip };
    const plan = planTable(rows, hints, metrics);
    const hasTimes = plan.values.every((column) => column.time !== null);
    const context: RowContext = {
      metrics,
      readTime,
      time: timeOfAll(hasTimes, time, readTime),
      hasDecimalCommas: rows.hasSemicolons,
      words: new Map(),
    };
    const { title, lines } = rows;
    const rowAt = (row: number) => readRow(plan, row, lines[row] ?? 0, context);
    return { title, rowCount: lines.length, plan, rowAt };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const messages = error.issues.map(({ message }) => message).join('; ');
    throw Object.assign(invalid(`${path}: ${messages}`), { cause: error });
  }
}

/** Lets others have their turn between rows. */
async function forEachRow(
  { rowCount, rowAt }: OpenTable,
  signal: AbortSignal | undefined,
  onProgress: ShowProgress | undefined,
  take: (found: readonly RowValue[]) => void,
): Promise<void> {
  for (let row = 0; row < rowCount; row += 1) {
    if (row % ROWS_AT_ONCE === 0) {
      onProgress?.({ step: 'checking', done: row, total: rowCount });
      await nextTurn();
      signal?.throwIfAborted();
    }
    take(rowAt(row));
  }
}

const isValue = (found: RowValue): found is CsvValue => found !== null && !('message' in found);

async function namesIn(table: OpenTable, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await forEachRow(table, signal, undefined, (found) => {
    for (const each of found) if (isValue(each)) names.add(each.qid);
  });
  return names;
}

/** A value where the chip has its place, or what is wrong with the place. */
function placed(value: CsvValue, places: Places): CsvValue | string {
  const place = places.of(value);
  return typeof place === 'string' ? place : { ...value, ...place };
}

function* valuesIn({ rowCount, rowAt }: OpenTable, places: Places): Generator<CsvValue, void> {
  for (let row = 0; row < rowCount; row += 1) {
    for (const each of rowAt(row)) {
      const value = isValue(each) ? placed(each, places) : '';
      if (typeof value !== 'string') yield value;
    }
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

const placesIn = ({ qubits, couplings }: TableSurvey): string =>
  [[qubits.size, 'qubit'] as const, [couplings.size, 'directed coupling'] as const]
    .flatMap(([count, noun]) => (count === 0 ? [] : [countOf(count, noun)]))
    .join(' and ');

function remarksOf(
  survey: TableSurvey,
  { plan }: Table,
  { metrics, timeZone }: CsvFileRequest,
): readonly string[] {
  const known = new Set(metrics.metrics.map(({ name }) => name));
  const own = [...survey.parameters].filter((parameter) => !known.has(parameter));
  const { decimalCommas: commas, empty, doubts, unusable } = survey;
  return [
    `  times without an offset are read in ${timeZone}`,
    ...remarkLines('parameters missing from config/metrics.yaml, shown unrated', own),
    ...remarkLines('columns ignored', plan.notTaken),
    ...(commas > 0 ? [`  decimal commas read as points: ${commas}`] : []),
    ...(empty > 0 ? [`  cells without a value: ${empty}`] : []),
    ...remarkLines('kept, but implausible', doubts.listed, doubts.listed.length, doubts.count),
    ...remarkLines(
      'kept, but excluded from all statistics',
      unusable.listed,
      unusable.listed.length,
      unusable.count,
    ),
    ...badRows('rows skipped', survey),
  ];
}

function badRows(title: string, { issues, listedIssues }: TableSurvey): readonly string[] {
  return remarkLines(title, listedIssues, listedIssues.length, issues);
}

function refuse(path: string, survey: TableSurvey): InvalidInputError {
  if (survey.issues === 0) return invalid(`${path}: no row contains a value`);
  const advice =
    survey.count === 0 ? 'no row can be used' : 'fix them, or pass --skip-bad to import the rest';
  return invalid(
    [`${path}: nothing was imported; ${advice}`, ...badRows('unusable rows', survey)].join('\n'),
  );
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
