/**
 * From the records of a snapshot to measured values under our names: units converted, each with its own date, and
 * judged by physics. A value that cannot be right is kept as measured and flagged; what is missing stays missing.
 */
import type { IbmProperties, IbmRecord } from './ibm-json.ts';
import { type MeasuredValue, taskFor } from '../../domain/values/measured-value.ts';

/** A measurement, and name, value and unit in the file; the gate where it is one. */
export type IbmValue = MeasuredValue & {
  readonly origin: {
    readonly record: string;
    readonly value: number;
    readonly unit: string;
    readonly gate?: string;
  };
};

/** Values of a snapshot, and in plain words what could not be taken from it. */
export type SnapshotValues = {
  readonly values: readonly IbmValue[];
  readonly leftOut: readonly string[];
};

type Rule = {
  readonly parameter: string;
  readonly unit: string;
  readonly convert: (value: number, unit: string) => number | null;
  readonly unusable: (raw: number) => string | null;
  readonly doubt: (raw: number) => string | null;
};

const MICROSECONDS = new Map([
  ['s', 1e6],
  ['ms', 1e3],
  ['us', 1],
  ['\u00b5s', 1],
  ['\u03bcs', 1],
  ['ns', 1e-3],
]);
const GIGAHERTZ = new Map([
  ['Hz', 1e-9],
  ['kHz', 1e-6],
  ['MHz', 1e-3],
  ['GHz', 1],
]);
const PROBABILITY = new Map([['', 1]]);

const scaled = (factors: ReadonlyMap<string, number>) => (value: number, unit: string) => {
  const factor = factors.get(unit);
  return factor === undefined ? null : value * factor;
};
const oneMinus = (value: number, unit: string) => (PROBABILITY.has(unit) ? 1 - value : null);

const never = () => null;
const notPositive = (raw: number) => (raw > 0 ? null : `${raw} is not a duration or frequency`);
const notProbability = (raw: number) =>
  raw >= 0 && raw <= 1 ? null : `an error of ${raw} is not a probability`;
/** An error of 1 or more is the vendor's mark of a disabled gate: a fidelity of 0 or less, which reads know by it. */
const negative = (raw: number) => (raw >= 0 ? null : notProbability(raw));

const duration = { unit: '\u03bcs', convert: scaled(MICROSECONDS), unusable: notPositive, doubt: never };
const gate = { unit: 'a.u.', convert: oneMinus, unusable: negative, doubt: never };

/** IBM's T2 is a Hahn echo: https://quantum.cloud.ibm.com/docs/guides/qpu-information */
const QUBIT_RULES: ReadonlyMap<string, Rule> = new Map([
  ['T1', { parameter: 't1', ...duration }],
  ['T2', { parameter: 't2_echo', ...duration }],
  [
    'frequency',
    {
      parameter: 'qubit_frequency',
      unit: 'GHz',
      convert: scaled(GIGAHERTZ),
      unusable: notPositive,
      doubt: never,
    },
  ],
  [
    'anharmonicity',
    {
      parameter: 'anharmonicity',
      unit: 'GHz',
      convert: scaled(GIGAHERTZ),
      unusable: (raw: number) => (raw === 0 ? 'an anharmonicity of 0 was not measured' : null),
      doubt: (raw: number) => (raw > 0 ? 'a transmon has a negative anharmonicity' : null),
    },
  ],
  [
    'readout_error',
    {
      parameter: 'average_readout_fidelity',
      unit: 'a.u.',
      convert: oneMinus,
      unusable: notProbability,
      doubt: (raw: number) =>
        raw >= 0.5 ? `a readout error of ${raw} distinguishes the states no better than a coin toss` : null,
    },
  ],
]);

const GATE_RULES: ReadonlyMap<string, Rule> = new Map([
  ['sx', { parameter: 'x90_gate_fidelity', ...gate }],
  ['ecr', { parameter: 'zx90_gate_fidelity', ...gate }],
  ['cx', { parameter: 'zx90_gate_fidelity', ...gate }],
  ['cz', { parameter: 'cz_gate_fidelity', ...gate }],
]);

/** Takes every value that has a place in QPilot out of a snapshot. Pure. */
export function valuesOf(properties: IbmProperties): SnapshotValues {
  const values: IbmValue[] = [];
  const leftOut: string[] = [];
  const snapshotAt = new Date(properties.last_update_date);
  const take = (found: IbmValue | string) => {
    if (typeof found === 'string') leftOut.push(found);
    else values.push(found);
  };

  properties.qubits.forEach((records, index) => {
    const qid = String(index);
    for (const record of records) {
      const rule = QUBIT_RULES.get(record.name);
      if (rule) take(measured({ qid, kind: 'qubit', record, rule, snapshotAt }));
    }
  });
  for (const { gate: name, qubits, parameters } of properties.gates) {
    const rule = GATE_RULES.get(name);
    const record = parameters.find((parameter) => parameter.name === 'gate_error');
    if (rule === undefined || record === undefined) continue;
    const kind = qubits.length === 1 ? 'qubit' : 'coupling';
    take(measured({ qid: qubits.join('-'), kind, record, rule, snapshotAt, gate: name }));
  }
  return { values: values.map((value) => doubtLongT2(value, values)), leftOut };
}

function measured(found: {
  readonly qid: string;
  readonly kind: 'qubit' | 'coupling';
  readonly record: IbmRecord;
  readonly rule: Rule;
  readonly snapshotAt: Date;
  readonly gate?: string;
}): IbmValue | string {
  const { qid, kind, record, rule, snapshotAt, gate: gateName } = found;
  const where = `${gateName ? `${gateName} ` : ''}${record.name} of ${qid}`;
  if (typeof record.value !== 'number' || !Number.isFinite(record.value)) return `${where}: not a number`;
  const unit = typeof record.unit === 'string' ? record.unit : '';
  const value = rule.convert(record.value, unit);
  if (value === null) return `${where}: unknown unit ${JSON.stringify(unit)}`;
  return {
    qid,
    kind,
    parameter: rule.parameter,
    task: taskFor(rule.parameter),
    value,
    unit: rule.unit,
    error: 0,
    measuredAt: dateOf(record.date) ?? snapshotAt,
    origin: {
      record: record.name,
      value: record.value,
      unit,
      ...(gateName === undefined ? {} : { gate: gateName }),
    },
    doubt: rule.doubt(record.value),
    unusable: rule.unusable(record.value),
  };
}

/** Dates without an offset are taken as UTC, as the file gives no other zone. */
function dateOf(date: unknown): Date | null {
  if (typeof date !== 'string') return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(date) || !date.includes('T') ? date : `${date}Z`;
  const parsed = new Date(zoned);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
}

/** Coherence cannot outlive twice the relaxation: T2 ≤ 2·T1. */
function doubtLongT2(value: IbmValue, all: readonly IbmValue[]): IbmValue {
  if (value.parameter !== 't2_echo' || value.unusable !== null) return value;
  const t1 = all.find((other) => other.parameter === 't1' && other.qid === value.qid);
  if (t1 === undefined || t1.unusable !== null || value.value <= 2 * t1.value) return value;
  return {
    ...value,
    doubt: `T2 of ${value.value.toFixed(1)} \u03bcs is above twice the T1 of ${t1.value.toFixed(1)} \u03bcs`,
  };
}
