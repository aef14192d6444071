/** What the columns of a user's table are: read from its header alone, so that every row is read alike. */
import type { MetricCatalog } from '../../domain/values/metric.ts';
import { readHeader, type Heading } from '../../sources/tables/csv-header.ts';
import type { CsvRows } from '../../sources/tables/csv-rows.ts';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import { readParameter, wordKey } from './parameter-words.ts';
import { unitSuffix } from './units.ts';

/** The text of a row, by its index; empty where the table has none. */
export type Read = (row: number) => string;

/** The columns of one value per row and of what it measures. */
export type ValueColumn = {
  readonly parameter: Read;
  readonly value: Read;
  readonly unit: Read;
  /** One standard deviation, in the unit of the value. */
  readonly error: Read;
};

/** How rows are read: one value each in a long table, one for every metric in a wide one. */
export type TablePlan = {
  readonly entity: Read;
  /** Null where no column has times. */
  readonly time: Read | null;
  readonly task: Read;
  readonly values: readonly ValueColumn[];
  /** Headings that were not recognised. */
  readonly notTaken: readonly string[];
};

/** What a column may be for, and how laboratories head it. */
const ROLES = {
  entity: [
    'qid',
    'qubit',
    'q',
    'qubit_id',
    'qubit_index',
    'coupling',
    'coupling_id',
    'pair',
    'qubit_pair',
    'edge',
  ],
  control: ['control', 'control_qubit', 'control_qid'],
  target: ['target', 'target_qubit', 'target_qid'],
  parameter: ['parameter', 'parameter_name', 'param', 'name', 'metric', 'quantity', 'property'],
  value: ['value', 'val', 'result', 'measured', 'measured_value'],
  unit: ['unit', 'units'],
  error: ['error', 'err', 'value_error', 'uncertainty', 'sigma', 'std', 'stdev', 'stddev', 'std_dev', '±'],
  time: [
    'time',
    'timestamp',
    'date',
    'datetime',
    'date_time',
    'measured_at',
    'calibrated_at',
    'end_at',
    'at',
  ],
  task: ['task', 'task_name', 'experiment', 'protocol'],
} as const;
type Role = keyof typeof ROLES;

const NOTHING: Read = () => '';

/**
 * Reads the header.
 * @throws InvalidInputError for a table without qubits, without values, or with two columns for one thing.
 */
export function planTable({ header, cells }: CsvRows, metrics: MetricCatalog): TablePlan {
  const headings = readHeader(header);
  const reads = headings.map(
    (_, index): Read =>
      (row) =>
        cells[index]?.[row]?.trim() ?? '',
  );
  const roles = headings.map(({ name }) => roleOf(name));
  const column = (role: Role): Read | null => {
    const found = roles.flatMap((each, index) => (each === role ? [index] : []));
    if (found.length > 1) {
      const names = found.map((index) => JSON.stringify(header[index])).join(' and ');
      throw refuseFile(
        `the columns ${names} both look like the ${role === 'entity' ? 'qubit' : role}: rename or remove one of them`,
      );
    }
    return found[0] === undefined ? null : (reads[found[0]] ?? null);
  };

  const entity = column('entity') ?? pairOf(column('control'), column('target'));
  if (entity === null) {
    throw refuseFile(
      `no column names the qubit or coupling of a row: name one "qid" (or "qubit", "coupling"); the headings are ${header.join(', ')}`,
    );
  }
  const common = { entity, time: column('time'), task: column('task') ?? NOTHING };
  const [parameter, value] = [column('parameter'), column('value')];
  if (parameter !== null && value !== null) {
    const [unit, error] = [column('unit'), column('error')];
    const heading = headings[roles.indexOf('value')];
    const values = [{ parameter, value, unit: unit ?? (() => heading?.unit ?? ''), error: error ?? NOTHING }];
    return { ...common, values, notTaken: header.filter((_, index) => roles[index] === null) };
  }
  return { ...common, ...wideColumns(headings, reads, roles, metrics) };
}

function roleOf(name: string): Role | null {
  const key = wordKey(name);
  const roles = Object.keys(ROLES) as Role[];
  return roles.find((role) => (ROLES[role] as readonly string[]).includes(key)) ?? null;
}

const pairOf = (control: Read | null, target: Read | null): Read | null =>
  control && target && ((row) => `${control(row)}-${target(row)}`);

/** `name` as written, `metric` as named here; `isError` for a column of standard deviations. */
type MetricColumn = {
  readonly name: string;
  readonly metric: string;
  readonly unit: string;
  readonly isError: boolean;
};

/** What a wide table has beside its metrics. */
const WIDE_ROLES: readonly (Role | null)[] = ['entity', 'control', 'target', 'time', 'task'];

/** One column for each metric: only what the catalogue knows, since anything may head a column. */
function wideColumns(
  headings: readonly Heading[],
  reads: readonly Read[],
  roles: readonly (Role | null)[],
  metrics: MetricCatalog,
): Pick<TablePlan, 'values' | 'notTaken'> {
  const columns = headings.map((heading) => metricColumn(heading, metrics));
  const values = columns.flatMap((column, index): ValueColumn[] => {
    const value = reads[index];
    if (column === null || column.isError || value === undefined) return [];
    const { name, metric, unit } = column;
    const errors = columns.findIndex((each) => each?.isError && each.metric === metric);
    return [{ parameter: () => name, value, unit: () => unit, error: reads[errors] ?? NOTHING }];
  });
  if (values.length === 0) {
    throw refuseFile(
      `no column holds values: a long table needs the columns qid, parameter, value, unit and time; a wide one a column per metric, such as "T1 (us)"; the headings are ${headings.map(({ name }) => name).join(', ')}`,
    );
  }
  const isTaken = (index: number): boolean =>
    columns[index] !== null || WIDE_ROLES.includes(roles[index] ?? null);
  return { values, notTaken: headings.filter((_, index) => !isTaken(index)).map(({ name }) => name) };
}

/** `T1 (us)`, `t1_us`, `Readout error`, `T1 error (us)`: the metric, as rows will name it. */
function metricColumn({ name, unit }: Heading, metrics: MetricCatalog): MetricColumn | null {
  const named = readParameter(name, metrics);
  const column = { name, unit: unit ?? '' };
  if (named.type === 'known') return { ...column, metric: named.word.parameter, isError: false };
  if (named.type === 'ambiguous') throw refuseFile(`column ${name}: ${named.message}`);
  const suffix = unitSuffix(name);
  if (unit === null && suffix !== null) return metricColumn(suffix, metrics);
  const [, of = ''] = /^(.+)[_ ](?:err|error|std|stdev|stddev|sigma|uncertainty)$/iu.exec(name) ?? [];
  const metric = readParameter(of, metrics);
  return metric.type === 'known' ? { ...column, metric: metric.word.parameter, isError: true } : null;
}
