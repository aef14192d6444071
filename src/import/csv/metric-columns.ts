/** Tables with a column for each metric, and a row for each qubit or coupling. */
import type { MetricCatalog } from '../../domain/values/metric.ts';
import { numbersOf } from './column-numbers.ts';
import type { Heading } from '../../sources/tables/csv-header.ts';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import { readParameter } from './parameter-words.ts';
import { NOTHING, type Columns, type TablePlan, type ValueColumn } from './table-shape.ts';
import { metricOf, unitOf } from './table-subject.ts';
import { readUnit, unitSuffix } from './units.ts';

/** `name` as written, `metric` as named here; `isError` for a column of standard deviations. */
type MetricColumn = {
  readonly name: string;
  readonly metric: string;
  readonly unit: string;
  readonly isError: boolean;
  /** One minus the value is the metric. */
  readonly isErrorRate: boolean;
};

/** What such a table has beside its metrics. */
const ROLES: readonly (string | null)[] = ['entity', 'control', 'target', 'time', 'task'];

type Wide = Pick<TablePlan, 'notTaken' | 'understood' | 'guesses'> & {
  readonly values: readonly Pick<ValueColumn, 'parameter' | 'value' | 'unit' | 'error'>[];
};

/**
 * Only what the catalogue knows is a metric, since anything may head a column.
 * @throws InvalidInputError for a table without any, and for values of an unknown unit.
 */
export function metricColumns({ headings, reads, roles, rowCount }: Columns, metrics: MetricCatalog): Wide {
  const columns = headings.map((heading) => metricColumn(heading, metrics));
  const understood: string[] = [];
  const guesses: string[] = [];
  const values = columns.flatMap((column, index) => {
    const value = reads[index];
    if (column === null || column.isError || value === undefined) return [];
    const { name, metric } = column;
    const errors = columns.findIndex((each) => each?.isError && each.metric === metric);
    const known = metricOf(metric, metrics);
    const unit = unitOf(numbersOf([value], rowCount), known, named(column), null, column.isErrorRate);
    if (column.unit === '' && unit.isGuess) {
      understood.push(`${name}: ${unit.found === '' ? 'no unit' : `in ${unit.found}`}, from ${unit.from}`);
      if (unit.found !== '')
        guesses.push(`the unit of ${name} (write "${name} (${unit.found})" in the header)`);
    }
    return [{ parameter: () => name, value, unit: () => unit.found, error: reads[errors] ?? NOTHING }];
  });
  if (values.length === 0) {
    throw refuseFile(
      `no column holds values: a long table needs the columns qid, parameter, value, unit and time; a wide one a column per metric, such as "T1 (us)", or per qubit, such as "q0"; the headings are ${headings.map(({ name }) => name).join(', ')}`,
    );
  }
  const isTaken = (index: number): boolean => columns[index] !== null || ROLES.includes(roles[index] ?? null);
  const notTaken = headings.filter((_, index) => !isTaken(index)).map(({ name }) => name);
  return { values, notTaken, understood, guesses };
}

const named = ({ unit, name }: MetricColumn) =>
  unit === '' ? null : { unit: readUnit(unit), from: `the heading of ${name}` };

/** `T1 (us)`, `t1_us`, `Readout error`, `T1 error (us)`: the metric, as rows will name it. */
function metricColumn({ name, unit }: Heading, metrics: MetricCatalog): MetricColumn | null {
  const reading = readParameter(name, metrics);
  const column = { name, unit: unit ?? '', isErrorRate: false };
  if (reading.type === 'known') {
    const { parameter, isError: isErrorRate } = reading.word;
    return { ...column, metric: parameter, isError: false, isErrorRate };
  }
  if (reading.type === 'ambiguous') throw refuseFile(`column ${name}: ${reading.message}`);
  const suffix = unitSuffix(name);
  if (unit === null && suffix !== null) return metricColumn(suffix, metrics);
  const [, of = ''] = /^(.+)[_ ](?:err|error|std|stdev|stddev|sigma|uncertainty)$/iu.exec(name) ?? [];
  const metric = readParameter(of, metrics);
  return metric.type === 'known' ? { ...column, metric: metric.word.parameter, isError: true } : null;
}
