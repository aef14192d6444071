/** One record of a snapshot: as a measured value, as a layer fidelity, or why it is neither. */
import { type MeasuredValue, taskFor } from '../../domain/values/measured-value.ts';
import { impossibleTime } from '../../domain/values/physical-limits.ts';
import { judgeNamed } from '../../domain/values/plausibility.ts';
import { gateSwitch, PART_SWITCH } from '../../domain/values/switches.ts';
import { readIbmDate, snapshotTime, type IbmProperties, type IbmRecord } from './ibm-json.ts';
import { gateName, type Rule } from './ibm-rules.ts';

/** A measurement, and name, value and unit in the file; the gate where it is one. */
export type IbmValue = MeasuredValue & {
  readonly origin: {
    readonly record: string;
    readonly value: number;
    readonly unit: string;
    readonly gate?: string;
  };
  /** As in {@link LeftOut.record}. */
  readonly label: string;
  /** Why the value says that its qubit or gate is disabled; null for a measurement. */
  readonly mark: string | null;
};

/** Fidelity of one layer of two-qubit gates on a chain of qubits, the best of its length that the vendor found. */
export type LayerFidelity = {
  readonly record: string;
  readonly value: number;
  readonly measuredAt: Date;
  readonly qubits: readonly number[];
};

/** A record that was not taken. */
export type LeftOut = {
  /** Its name, after that of its gate where it has one; for records named after a pair or a length only their kind. */
  readonly record: string;
  /** Qubit, qubits of a gate, or name in the file. */
  readonly where: string;
  readonly reason: string;
  /** Whether something is wrong with it. Else it holds nothing to take. */
  readonly isFault: boolean;
};

/** Where in the file a record is. */
export type Place = {
  readonly qid: string;
  readonly kind: 'qubit' | 'coupling';
  /** As in {@link LeftOut.record}. */
  readonly label: string;
  readonly gate?: string;
};

/** A value, or why there is none. */
export type Found = IbmValue | Pick<LeftOut, 'reason' | 'isFault'>;

export const fault = (reason: string) => ({ reason, isFault: true });

type Context = { readonly properties: IbmProperties; readonly now: Date };

export function measured(
  record: IbmRecord,
  rule: Rule,
  { qid, kind, label, gate }: Place,
  { properties, now }: Context,
): Found {
  if (typeof record.value !== 'number' || !Number.isFinite(record.value)) return fault('not a number');
  const placeholder = rule.placeholder(record.value);
  if (placeholder !== null) return { reason: placeholder, isFault: false };
  const unit = typeof record.unit === 'string' ? record.unit : '';
  const value = rule.convert(record.value, unit);
  if (value === null) return fault(`unknown unit ${JSON.stringify(unit)}`);
  const measuredAt = readIbmDate(record.date) ?? snapshotTime(properties);
  const impossible = impossibleTime(measuredAt, now);
  if (impossible !== null) return fault(`its date ${isoDay(measuredAt)} ${impossible}`);
  const { parameter } = rule;
  const mark = rule.mark(record.value);
  const judged = judgeNamed(parameter, value, rule.unit);
  return {
    qid,
    kind,
    parameter,
    task: taskFor(parameter),
    value,
    unit: rule.unit,
    error: 0,
    measuredAt,
    origin: {
      record: record.name,
      value: record.value,
      unit,
      ...(gate === undefined ? {} : { gate }),
    },
    label,
    mark,
    doubt: rule.doubt(record.value) ?? judged.doubt,
    unusable: rule.unusable(record.value) ?? judged.unusable,
  };
}

/**
 * A record `operational` as the switch of a qubit, or of its gate. It says how things stand in this snapshot, so it is
 * of the snapshot's time: the newest snapshot decides.
 */
export function switchIn(
  { name: record, value }: IbmRecord,
  { qid, kind, label, gate }: Place,
  { properties }: Context,
): Found {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (number !== 0 && number !== 1) return fault('neither 0 nor 1');
  const parameter = gate === undefined ? PART_SWITCH : gateSwitch(gateName(gate));
  return {
    qid,
    kind,
    parameter,
    task: taskFor(parameter),
    value: number,
    unit: '',
    error: 0,
    measuredAt: snapshotTime(properties),
    origin: { record, value: number, unit: '', ...(gate === undefined ? {} : { gate }) },
    label,
    mark: number === 0 ? 'the vendor reports it as not operational' : null,
    doubt: null,
    unusable: null,
  };
}

/** A record `lf_<number of qubits>`; the file lists the qubits under the same name. */
export function layerOf(
  record: IbmRecord,
  { properties, now }: Context,
): LayerFidelity | Pick<LeftOut, 'reason' | 'isFault'> {
  const { name, value } = record;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) return fault('not a probability');
  const measuredAt = readIbmDate(record.date) ?? snapshotTime(properties);
  const impossible = impossibleTime(measuredAt, now);
  if (impossible !== null) return fault(`its date ${isoDay(measuredAt)} ${impossible}`);
  const qubits = properties.general_qlists.find((list) => list.name === name)?.qubits ?? [];
  if (qubits.length === 0) return fault('the file does not say on which qubits');
  const wrong = qubits.some((qubit) => qubit >= properties.qubits.length);
  return wrong
    ? fault('names a qubit that the chip does not have')
    : { record: name, value, measuredAt, qubits };
}

const isoDay = (at: Date): string => at.toISOString().slice(0, 10);
