import type { ChipRecord } from '../data/chip-record.ts';
import { newestOf, type Reading } from '../data/chip-record.ts';
import type { AskedParameter } from '../data/parameters.ts';
import type { Draw } from './draw.ts';
import type { Asked, Check, Kind, WantedValue } from './question.ts';

/** Makes questions of one form about any chip. */
export type Template = {
  readonly kind: Kind;
  /** Unique within the kind. */
  readonly name: string;
  /** `demo` where only the demo has what is asked for; `any` chips are taken in turn. */
  readonly chips: 'demo' | 'any';
  /** Questions of one run. */
  readonly times: number;
  readonly make: (draw: Draw, record: ChipRecord) => Asked;
};

/** A reading as an answer must give it. */
export const wanted = ({ qid, parameter, value }: Reading, { unit }: AskedParameter): WantedValue => ({
  subject: qid,
  parameter,
  value,
  unit,
});

/** The newest value of one qubit or coupling. @throws Error where there is none, which is a mistake of the template. */
export function valueOf(record: ChipRecord, { name }: AskedParameter, qid: string): Reading {
  const reading = newestOf(record, name).find((each) => each.qid === qid);
  if (reading === undefined) throw new Error(`${record.chipId} has no ${name} of ${qid}`);
  return reading;
}

/** Qubits or couplings that have a value of all of these. */
export const measuredOf = (
  record: ChipRecord,
  ...parameters: readonly AskedParameter[]
): readonly string[] => {
  const [first = [], ...others] = parameters.map(({ name }) => newestOf(record, name).map(({ qid }) => qid));
  return first.filter((qid) => others.every((each) => each.includes(qid)));
};

/** The same readings from the lowest value to the highest. */
export const ascending = (readings: readonly Reading[]): readonly Reading[] =>
  readings.toSorted((a, b) => a.value - b.value);

/** The first `count` of ordered readings, and those after them that are as good as the last. */
export function firstOf(ordered: readonly Reading[], count: number): readonly Reading[] {
  const last = ordered[count - 1]?.value;
  return ordered.filter(({ value }, index) => index < count || value === last);
}

/** Names these first, in their order as far as they differ, with their values. */
export function ranked(picked: readonly Reading[], parameter: AskedParameter): readonly Check[] {
  const isClear = new Set(picked.map(({ value }) => value)).size === picked.length;
  return [
    { type: 'names', subjects: picked.map(({ qid }) => qid), how: isClear ? 'in order' : 'first' },
    { type: 'values', values: picked.map((each) => wanted(each, parameter)) },
  ];
}
