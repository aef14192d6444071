/** From the rows of a table to measured values under our names, and what is wrong with the rows that hold none. */
import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { readCell } from '../../sources/tables/column-values.ts';
import { type MeasuredValue, taskFor } from '../../domain/values/measured-value.ts';
import { judge } from '../../domain/values/plausibility.ts';
import { readEntity, type Entity } from './entities.ts';
import { readParameter, type ParameterReading, type ParameterWord } from './parameter-words.ts';
import type { TablePlan, ValueColumn } from './table-shape.ts';
import type { ReadTime } from './times.ts';
import { readUnit, toStored } from './units.ts';

/** A value with its place and its text in the file. */
export type CsvValue = MeasuredValue & {
  readonly line: number;
  readonly written: { readonly parameter: string; readonly value: string; readonly unit: string };
};

/** A problem with a row, and how to fix it. */
export type RowIssue = { readonly line: number; readonly message: string };

/** What a cell holds; null for one without a value, which is nothing wrong. */
export type RowValue = CsvValue | RowIssue | null;

/** What reading rows needs beside the table. */
export type RowContext = {
  readonly metrics: MetricCatalog;
  readonly readTime: ReadTime;
  /** Of every row, where no column has times. */
  readonly time: Date | null;
  /** Cells are separated by semicolons, as where `84,5` is 84.5. */
  readonly hasDecimalCommas: boolean;
  /** What texts were read as: a table says few, again and again. */
  readonly words: Map<string, ParameterReading>;
};

/** Reads a row: its values, or the first problem of each. */
export const readRow = (
  plan: TablePlan,
  row: number,
  line: number,
  context: RowContext,
): readonly RowValue[] =>
  plan.values.map((column) => {
    const found = readValue(plan, column, row, context);
    if (found === null) return null;
    return typeof found === 'string' ? { line, message: found } : { ...found, line };
  });

type Found = Omit<CsvValue, 'line'>;

/** A value, null where there is none, or what is wrong. */
function readValue(
  plan: TablePlan,
  column: ValueColumn,
  row: number,
  context: RowContext,
): Found | string | null {
  const written = { parameter: column.parameter(row), value: column.value(row), unit: column.unit(row) };
  const number = numberIn(written.value, `value of ${written.parameter}`, context);
  if (number === null || typeof number === 'string') return number;
  const place = column.entity(row);
  const entity = readEntity(place, plan.naming);
  if (entity === null) {
    return plan.naming === 'grid'
      ? `${JSON.stringify(place)} is not a qubit by row and column: write 0_6, and 0_6-1_6 for a coupling`
      : `${JSON.stringify(place)} is not a qubit or coupling: write 12 or Q12, and 0-1 for a coupling (control, target)`;
  }
  const measuredAt = column.time === null ? context.time : context.readTime(column.time(row));
  if (measuredAt === null) return 'no column gives its measurement time';
  if (typeof measuredAt === 'string') return measuredAt;
  const quantity = quantityOf(number, column.error(row), written, column.word, entity, context);
  if (typeof quantity === 'string') return quantity;
  const task = plan.task(row) || taskFor(quantity.parameter);
  return { ...entity, ...quantity, task, measuredAt, written };
}

/** A number, null for an empty cell, or what is wrong. */
function numberIn(text: string, what: string, { hasDecimalCommas }: RowContext): number | null | string {
  const cell = readCell(text);
  switch (cell.type) {
    case 'missing':
      return null;
    case 'number':
      return cell.value;
    case 'decimal-comma':
      if (hasDecimalCommas) return Number(cell.corrected);
      return `${what} is ${JSON.stringify(text)}: write decimal points, for example ${cell.corrected}`;
    case 'text':
      return `${what} is ${JSON.stringify(text)}: it must be a number, with its unit in the column "unit"`;
    default:
      return cell satisfies never;
  }
}

const MOST_WORDS = 10_000;

function readWord(text: string, { words, metrics }: RowContext): ParameterReading {
  const known = words.get(text);
  if (known !== undefined) return known;
  const reading = readParameter(text, metrics);
  if (words.size < MOST_WORDS) words.set(text, reading);
  return reading;
}

function quantityOf(
  number: number,
  errorText: string,
  written: CsvValue['written'],
  word: ParameterWord | null,
  { qid, kind }: Entity,
  context: RowContext,
): Pick<Found, 'parameter' | 'value' | 'unit' | 'error' | 'doubt' | 'unusable'> | string {
  const { metrics } = context;
  const reading = word === null ? readWord(written.parameter, context) : { type: 'known' as const, word };
  if (reading.type === 'ambiguous' || reading.type === 'invalid') return reading.message;
  const { parameter, isError } = reading.word;
  const scope = kind === 'qubit' ? 'QUBIT' : 'COUPLING';
  const metric = metrics.find(parameter, scope);
  const otherScope: MetricScope = scope === 'QUBIT' ? 'COUPLING' : 'QUBIT';
  if (metric === null && metrics.find(parameter, otherScope) !== null) {
    return kind === 'qubit'
      ? `${parameter} belongs to couplings, and ${qid} is a qubit: write control-target, for example 0-1`
      : `${parameter} belongs to qubits, and ${qid} is a coupling: write one qubit`;
  }
  const spread = numberIn(errorText, `error of ${written.parameter}`, context);
  if (typeof spread === 'string') return spread;
  const unit = readUnit(written.unit);
  const stored = toStored(number, unit, metric);
  if (typeof stored === 'string') return stored;
  const error = toStored(Math.abs(spread ?? 0), unit, metric);
  if (typeof error === 'string') return `error of ${parameter}: ${error}`;
  const value = isError ? 1 - stored.value : stored.value;
  return { parameter, value, unit: stored.unit, error: error.value, ...judge(value, stored.unit, metric) };
}
