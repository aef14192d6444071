/**
 * Calibration of a Google device as Cirq keeps it: a protobuf as JSON, `metrics.metrics[]` of name, targets and values.
 * A target is a qubit by row and column, `3_2`; two of them are a pair.
 */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import { type MeasuredValue, taskFor } from '../../domain/values/measured-value.ts';
import { parsePythonJson } from '../python-json.ts';

const metric = z.object({
  name: z.string(),
  targets: z.array(z.string()).default([]),
  values: z.array(
    z.object({
      doubleVal: z.number().nullish(),
      floatVal: z.number().nullish(),
      int32Val: z.number().nullish(),
      int64Val: z.union([z.string(), z.number()]).nullish(),
      strVal: z.string().nullish(),
    }),
  ),
});

const calibration = z.object({
  metrics: z.object({
    timestampMs: z.union([z.string(), z.number()]).optional(),
    metrics: z.array(metric).min(1),
  }),
});

/** A value under our names; `qid` is a grid name `3_2`, or a pair of them. */
export type CirqReading = Omit<MeasuredValue, 'measuredAt' | 'doubt' | 'unusable'> & {
  /** The metric's name in the file. */
  readonly path: string;
  readonly written: string;
};

/** What a file holds. */
export type CirqCalibration = {
  /** The file's own time; null where it has none, as published ones. */
  readonly at: Date | null;
  readonly readings: readonly CirqReading[];
  /** Values of a pair that its other direction repeats: gates of these devices have none. */
  readonly repeated: number;
  /** Entries that are no number of a qubit or pair, by metric. */
  readonly notTaken: ReadonlyMap<string, number>;
};

type Rule = {
  readonly parameter: string;
  readonly unit: string;
  /** Errors that have a fidelity among our metrics are stored as 1 - error. */
  readonly isError: boolean;
};

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['single_qubit_idle_t1_micros', { parameter: 't1', unit: 'μs', isError: false }],
  ['single_qubit_p00_error', { parameter: 'readout_fidelity_0', unit: 'a.u.', isError: true }],
  ['single_qubit_p11_error', { parameter: 'readout_fidelity_1', unit: 'a.u.', isError: true }],
  ['parallel_p00_error', { parameter: 'parallel_readout_fidelity_0', unit: 'a.u.', isError: true }],
  ['parallel_p11_error', { parameter: 'parallel_readout_fidelity_1', unit: 'a.u.', isError: true }],
  [
    'single_qubit_rb_average_error_per_gate',
    { parameter: 'average_gate_fidelity', unit: 'a.u.', isError: true },
  ],
]);

/** `two_qubit_parallel_sycamore_gate_xeb_average_error_per_cycle`: of a cycle, which has one-qubit gates, too. */
const CYCLE = /^two_qubit_((?:parallel_)?[a-z0-9_]+)_gate_xeb_average_error_per_cycle$/u;

/** How an import reports conversions that change a meaning. */
export const CIRQ_DEFINITIONS: readonly string[] = [
  'p00 and p11 errors, and average errors of gates and cycles, are stored as fidelities, 1 - error',
  'average_readout_fidelity is 1 - (p00 error + p11 error) / 2 of the isolated readout',
  'other errors (Pauli, incoherent, separation, angles) keep their names and values; parallel_ ones are apart from isolated ones',
];

/** Names without what `targets` say already; those that cannot be a parameter have no rule. */
function ruleOf(name: string): Rule | null {
  const known = RULES.get(name);
  if (known !== undefined) return known;
  const [, gate] = CYCLE.exec(name) ?? [];
  if (gate !== undefined) return { parameter: `${gate}_cycle_fidelity`, unit: 'a.u.', isError: true };
  const parameter = name.replace(/^(?:single|two)_qubit_/u, '');
  const unit = parameter.endsWith('_micros')
    ? 'μs'
    : /_(?:theta|phi)_error/u.test(parameter)
      ? 'rad'
      : 'a.u.';
  return /^[a-z][a-z0-9_]{0,99}$/u.test(parameter) ? { parameter, unit, isError: false } : null;
}

/**
 * Reads a file; `name` is how errors call it. Pure.
 * @throws InvalidInputError for other files, and for two values of one metric and place.
 */
export function readCirqCalibration(name: string, text: string): CirqCalibration {
  const parsed = calibration.safeParse(parsePythonJson(name, text));
  if (!parsed.success) {
    const places = parsed.error.issues
      .slice(0, 3)
      .map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw invalid(
      `${name} is not a calibration of Cirq (metrics.metrics[] of name, targets, values): ${places.join('; ')}`,
    );
  }
  const { timestampMs, metrics } = parsed.data.metrics;
  const readings = new Map<string, CirqReading>();
  const notTaken = new Map<string, number>();
  let repeated = 0;
  for (const { name: path, targets, values } of metrics) {
    const rule = ruleOf(path);
    const places = targets.map(gridName);
    const [value, ...others] = values.map((each) => each.doubleVal ?? each.floatVal ?? each.int32Val ?? null);
    const isPlace =
      places.length > 0 && places.length <= 2 && !places.includes(null) && places[0] !== places[1];
    if (rule === null || !isPlace || typeof value !== 'number' || others.length > 0) {
      notTaken.set(path, (notTaken.get(path) ?? 0) + 1);
      continue;
    }
    const reading = readingOf(rule, places.join('-'), value, path);
    const same = readings.get(`${path} ${reading.qid}`);
    if (same !== undefined)
      throw invalid(`${name}: ${path} of ${reading.qid} has two values, ${same.written} and ${value}`);
    const twin = readings.get(`${path} ${places.toReversed().join('-')}`);
    if (twin?.written === reading.written && places.length === 2) repeated += 1;
    else readings.set(`${path} ${reading.qid}`, reading);
  }
  const at = timestampMs === undefined ? null : new Date(Number(timestampMs));
  if (at !== null && Number.isNaN(at.getTime()))
    throw invalid(`${name}: timestampMs is ${JSON.stringify(timestampMs)}, not milliseconds`);
  return {
    at,
    readings: [...readings.values(), ...assignmentOf([...readings.values()])],
    repeated,
    notTaken,
  };
}

/** Readout as other devices give it: 1 - (p00 error + p11 error) / 2. */
function assignmentOf(readings: readonly CirqReading[]): readonly CirqReading[] {
  const [path, otherPath] = ['single_qubit_p00_error', 'single_qubit_p11_error'];
  const parameter = 'average_readout_fidelity';
  return readings.flatMap((reading) => {
    const other = readings.find((each) => each.path === otherPath && each.qid === reading.qid);
    if (reading.path !== path || other === undefined) return [];
    return [
      {
        ...reading,
        parameter,
        task: taskFor(parameter),
        value: (reading.value + other.value) / 2,
        path: `${path}, ${otherPath}`,
        written: `${reading.written}, ${other.written}`,
      },
    ];
  });
}

function readingOf(
  { parameter, unit, isError }: Rule,
  qid: string,
  value: number,
  path: string,
): CirqReading {
  return {
    qid,
    kind: qid.includes('-') ? 'coupling' : 'qubit',
    parameter,
    task: taskFor(parameter),
    value: isError ? 1 - value : value,
    unit,
    error: 0,
    path,
    written: String(value),
  };
}

/** `3_2` for `3_2` and `q(3, 2)`. */
function gridName(target: string): string | null {
  const [, row, column] = /^(?:q\()?(\d{1,3})(?:_|, ?)(\d{1,3})\)?$/u.exec(target) ?? [];
  return row === undefined ? null : `${Number(row)}_${Number(column)}`;
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
