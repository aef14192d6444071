/** What the columns of a user's table are: decided once for all rows, so that every row is read alike. */
import type { MetricCatalog } from '../../domain/values/metric.ts';
import { readHeader } from '../../sources/tables/csv-header.ts';
import type { CsvRows } from '../../sources/tables/csv-rows.ts';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import { mayBeGridName } from './entities.ts';
import { metricColumns } from './metric-columns.ts';
import { chooseNaming, type NamingChoice } from './naming.ts';
import { readParameter, wordKey } from './parameter-words.ts';
import { placeColumns } from './place-columns.ts';
import { scopesOf, type TableHints } from './table-subject.ts';
import { NOTHING, type Columns, type Read, type TablePlan } from './table-shape.ts';

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

/**
 * Reads the header, and of the rows what the header leaves open.
 * @throws InvalidInputError for a table without qubits, without values, or with two columns for one thing.
 */
export function planTable(
  { header, cells, lines }: CsvRows,
  hints: TableHints,
  metrics: MetricCatalog,
): TablePlan {
  const headings = readHeader(header);
  const reads = headings.map(
    (_, index): Read =>
      (row) =>
        cells[index]?.[row]?.trim() ?? '',
  );
  const roles = headings.map(({ name }) => roleOf(name));
  const columns: Columns = { headings, reads, roles, rowCount: lines.length };
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
  const time = column('time');
  const task = column('task') ?? NOTHING;
  const [parameter, value] = [column('parameter'), column('value')];
  const placed = placeColumns(columns, { entity, time, parameter, unit: column('unit') }, hints, metrics);
  if (placed !== null) return { ...placed, task };
  if (entity === null) {
    throw refuseFile(
      `no column names the qubit or coupling of a row: name one "qid" (or "qubit", "coupling"), or head a column by each qubit (q0, q1, …); the headings are ${header.join(', ')}`,
    );
  }
  if (hints.parameter !== null || hints.unit !== null) {
    throw refuseFile(
      '--parameter and --unit are for tables with a column per qubit; this one says both in its own columns',
    );
  }
  const common = { entity, time, word: null };
  if (parameter !== null && value !== null) {
    const [unit, error] = [column('unit'), column('error')];
    const heading = headings[roles.indexOf('value')];
    const values = [
      { ...common, parameter, value, unit: unit ?? (() => heading?.unit ?? ''), error: error ?? NOTHING },
    ];
    const notTaken = header.filter((_, index) => roles[index] === null);
    return {
      task,
      values,
      notTaken,
      understood: [],
      ...namingOf(entity, [parameter], columns, hints, metrics),
    };
  }
  const wide = metricColumns(columns, metrics);
  const parameters = wide.values.map((each) => each.parameter);
  const choice = namingOf(entity, parameters, columns, hints, metrics);
  return {
    task,
    values: wide.values.map((each) => ({ ...each, ...common })),
    notTaken: wide.notTaken,
    understood: wide.understood,
    naming: choice.naming,
    guesses: [...wide.guesses, ...choice.guesses],
  };
}

/** Reads names such as `0_6` by what is measured there, where the chip and the user do not say. */
function namingOf(
  entity: Read,
  parameters: readonly Read[],
  { rowCount }: Columns,
  hints: TableHints,
  metrics: MetricCatalog,
): NamingChoice {
  const texts = new Set<string>();
  const measured = new Set<string>();
  for (let row = 0; row < rowCount; row += 1) {
    const text = entity(row);
    texts.add(text);
    if (mayBeGridName(text)) for (const parameter of parameters) measured.add(parameter(row));
  }
  const scopes = [...measured].flatMap((name) => {
    const reading = readParameter(name, metrics);
    return reading.type === 'known' ? scopesOf(reading.word.parameter, metrics) : [];
  });
  return chooseNaming([...texts], scopes, hints);
}

function roleOf(name: string): Role | null {
  const key = wordKey(name);
  const roles = Object.keys(ROLES) as Role[];
  return roles.find((role) => (ROLES[role] as readonly string[]).includes(key)) ?? null;
}

const pairOf = (control: Read | null, target: Read | null): Read | null =>
  control && target && ((row) => `${control(row)}-${target(row)}`);
