/**
 * `calibration.json` of a Qibolab platform: per qubit and pair, frequencies in Hz and times in ns, as a number or as
 * `[value, error]`. Null and 0 both mean that nothing was measured. The file carries no times.
 */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import { type MeasuredValue, taskFor } from '../../domain/values/measured-value.ts';
import { parsePythonJson } from '../python-json.ts';

const calibration = z.looseObject({
  single_qubits: z.record(z.string(), z.record(z.string(), z.unknown())),
  two_qubits: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/** A value of the file under our names; only the owner of the file can know when it was measured. */
export type QibolabReading = Omit<MeasuredValue, 'measuredAt' | 'doubt' | 'unusable' | 'task'> & {
  readonly task: string;
  /** Where it is in the file, such as `readout.fidelity`. */
  readonly path: string;
  /** Its content. As long as that stays the same, nothing was measured anew. */
  readonly written: string;
  /** Why the value is doubtful unless an older file shows that it was measured for this one. */
  readonly doubtAlone: string | null;
};

/** What a file holds. */
export type QibolabCalibration = {
  readonly qids: readonly string[];
  /** As the file directs them, `0-2`. */
  readonly couplingIds: readonly string[];
  readonly readings: readonly QibolabReading[];
  /** Places of parameters that hold null or 0. */
  readonly notMeasured: number;
  /** Other places that hold something, and how often: `readout.ground_state` 5. */
  readonly notTaken: ReadonlyMap<string, number>;
};

type Rule = {
  /** In the order of preference; older versions of Qibocal name some otherwise. */
  readonly paths: readonly string[];
  readonly parameter: string;
  readonly unit: string;
  /** From the number in the file to the stored one; of a difference, both numbers are given. */
  readonly convert: (value: number, other: number) => number;
  /** What the error is divided by. */
  readonly errorPer: number;
  /** The number that `convert` needs beside the value. */
  readonly with?: readonly string[];
};

const F01 = ['qubit.frequency_01', 'qubit.omega_01'];
const F12 = ['qubit.frequency_12', 'qubit.omega_12'];
const GIGAHERTZ = { unit: 'GHz', convert: (hertz: number) => hertz / 1e9, errorPer: 1e9 };
const MICROSECONDS = { unit: 'μs', convert: (ns: number) => ns / 1000, errorPer: 1000 };
const FIDELITY = { unit: 'a.u.', convert: (fidelity: number) => fidelity, errorPer: 1 };

const QUBIT_RULES: readonly Rule[] = [
  { paths: F01, parameter: 'qubit_frequency', ...GIGAHERTZ },
  {
    paths: F12,
    with: F01,
    parameter: 'anharmonicity',
    ...GIGAHERTZ,
    convert: (f12, f01) => (f12 - f01) / 1e9,
  },
  { paths: ['qubit.maximum_frequency'], parameter: 'maximum_qubit_frequency', ...GIGAHERTZ },
  { paths: ['resonator.dressed_frequency'], parameter: 'readout_frequency', ...GIGAHERTZ },
  { paths: ['resonator.bare_frequency'], parameter: 'bare_resonator_frequency', ...GIGAHERTZ },
  { paths: ['t1', 'coherence.t1'], parameter: 't1', ...MICROSECONDS },
  { paths: ['t2', 'coherence.t2'], parameter: 't2_star', ...MICROSECONDS },
  { paths: ['t2_spin_echo', 'coherence.t2_spin_echo'], parameter: 't2_echo', ...MICROSECONDS },
  {
    paths: ['readout.fidelity'],
    parameter: 'average_readout_fidelity',
    ...FIDELITY,
    convert: (fidelity) => (1 + fidelity) / 2,
    errorPer: 2,
  },
  {
    paths: ['readout.effective_temperature'],
    parameter: 'effective_temperature',
    unit: 'K',
    convert: (kelvin) => kelvin,
    errorPer: 1,
  },
  { paths: ['rb_fidelity'], parameter: 'average_gate_fidelity', ...FIDELITY },
];

const PAIR_RULES: readonly Rule[] = [
  { paths: ['rb_fidelity'], parameter: 'two_qubit_rb_fidelity', ...FIDELITY },
  { paths: ['cz_fidelity'], parameter: 'cz_gate_fidelity', ...FIDELITY },
];

/** How an import reports conversions that change a definition. */
export const QIBOLAB_DEFINITIONS: readonly string[] = [
  'readout.fidelity is 1 - P(0|1) - P(1|0) there; stored is the assignment fidelity, (1 + it) / 2',
  'anharmonicity is frequency_12 - frequency_01 of the file in which frequency_12 changed',
  'readout_frequency is resonator.dressed_frequency, t2_star is t2, average_gate_fidelity is rb_fidelity',
];

/**
 * Reads a file; `name` is how errors call it. Pure.
 * @throws InvalidInputError for other files, naming the place.
 */
export function readQibolabCalibration(name: string, text: string): QibolabCalibration {
  const parsed = calibration.safeParse(parsePythonJson(name, text));
  if (!parsed.success) {
    const places = parsed.error.issues
      .slice(0, 3)
      .map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw invalid(`${name} is not the calibration.json of a Qibolab platform: ${places.join('; ')}`);
  }
  const { single_qubits: qubits, two_qubits: pairs, ...others } = parsed.data;
  const readings: QibolabReading[] = [];
  const notTaken = new Map<string, number>();
  let notMeasured = 0;
  const read = (qid: string, kind: 'qubit' | 'coupling', part: unknown, rules: readonly Rule[]): void => {
    const leaves = new Map(leavesOf(part));
    for (const rule of rules) {
      const found = readingOf(leaves, rule, qid, kind, name);
      if (found === null) notMeasured += 1;
      else readings.push(found);
    }
    const known = new Set(rules.flatMap(({ paths }) => paths));
    for (const [path, value] of leaves) {
      if (!known.has(path) && value !== null) notTaken.set(path, (notTaken.get(path) ?? 0) + 1);
    }
  };
  for (const [qid, part] of Object.entries(qubits)) read(requireQid(qid, name), 'qubit', part, QUBIT_RULES);
  for (const [pair, part] of Object.entries(pairs))
    read(requirePair(pair, qubits, name), 'coupling', part, PAIR_RULES);
  for (const [path, value] of Object.entries(others)) if (value !== null) notTaken.set(path, 1);
  return { qids: Object.keys(qubits), couplingIds: Object.keys(pairs), readings, notMeasured, notTaken };
}

function readingOf(
  leaves: ReadonlyMap<string, unknown>,
  { paths, parameter, unit, convert, errorPer, with: withPaths }: Rule,
  qid: string,
  kind: 'qubit' | 'coupling',
  name: string,
): QibolabReading | null {
  const path = paths.find((each) => leaves.has(each));
  const found = path === undefined ? null : numbersIn(leaves.get(path), `${name}: ${path} of ${qid}`);
  const otherPath = withPaths?.find((each) => leaves.has(each));
  const other =
    withPaths === undefined || otherPath === undefined
      ? null
      : numbersIn(leaves.get(otherPath), `${name}: ${otherPath} of ${qid}`);
  if (path === undefined || found === null || (withPaths !== undefined && other === null)) return null;
  return {
    qid,
    kind,
    parameter,
    task: taskFor(parameter),
    value: convert(found.value, other?.value ?? 0),
    unit,
    error: Math.abs((found.error ?? 0) / errorPer),
    path,
    written: JSON.stringify(found.error === null ? found.value : [found.value, found.error]),
    doubtAlone:
      withPaths === undefined
        ? null
        : 'one file does not tell whether both frequencies were measured together',
  };
}

/** A number or `[value, error]`; null for what was not measured. */
function numbersIn(
  leaf: unknown,
  where: string,
): { readonly value: number; readonly error: number | null } | null {
  const [value, error = null] = Array.isArray(leaf) ? (leaf as unknown[]) : [leaf];
  if (value === null || value === undefined || value === 0) return null;
  if (typeof value !== 'number' || (error !== null && typeof error !== 'number')) {
    throw invalid(`${where} is ${JSON.stringify(leaf)}: expected a number, or [value, error]`);
  }
  return { value, error };
}

/** Every path of a tree with its value; lists are values. */
function leavesOf(part: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return [[path, part]];
  return Object.entries(part).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

function requireQid(qid: string, name: string): string {
  if (/^[A-Za-z0-9]{1,20}$/u.test(qid)) return qid;
  throw invalid(
    `${name}: ${JSON.stringify(qid)} in single_qubits is not the name of a qubit, such as 0 or A1`,
  );
}

function requirePair(pair: string, qubits: Readonly<Record<string, unknown>>, name: string): string {
  const ends = pair.split('-');
  if (ends.length === 2 && ends[0] !== ends[1] && ends.every((end) => Object.hasOwn(qubits, end)))
    return pair;
  throw invalid(`${name}: ${JSON.stringify(pair)} in two_qubits is not a pair of its qubits, such as 0-1`);
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
