/** A question that is kept aside, and what the question files need to say what is expected. */
import { medianOf } from '../data/arithmetic.ts';
import type { Expectation } from '../scoring/expectation.ts';
import type { Device, PairRow, QubitRow, Snapshot } from './device.ts';

/** What questions are about; each has a score of its own. */
export const HELD_OUT_KINDS = [
  'two-qubit gates',
  'thresholds',
  'several conditions',
  'disabled parts',
  'periods',
  'named months',
  'what changed',
  'plausibility',
  'counts',
  'units',
  'typos',
  'exclusions',
  'negations',
  'change or level',
  'comparisons',
  'not there',
  'past or current',
  'one value',
  'several values',
  'rankings',
  'statistics',
  'conditions',
  'operational state',
  'health',
  'periods and trends',
  'topology',
  'notes and exclusions',
  'not in the data',
  'outside the field',
  'two parts',
  'follow-ups',
  'false premises',
] as const;
/** One of {@link HELD_OUT_KINDS}. */
export type HeldOutKind = (typeof HELD_OUT_KINDS)[number];

/** A question as it is typed; what is expected is computed from the files when it is read. */
export type HeldOut<Source = Device> = {
  readonly kind: HeldOutKind;
  readonly messages: readonly string[];
  readonly expect: (source: Source) => Expectation;
};

/** A question; of several messages of one conversation, the last is scored. */
export const ask = <Source = Device>(
  kind: HeldOutKind,
  text: string | readonly string[],
  expect: (source: Source) => Expectation,
): HeldOut<Source> => ({ kind, messages: [text].flat(), expect });

/** Rows by falling `of`, or by rising with a minus. */
export const falling = <Row>(rows: readonly Row[], of: (row: Row) => number): readonly Row[] =>
  rows.toSorted((a, b) => of(b) - of(a));
export const rising = <Row>(rows: readonly Row[], of: (row: Row) => number): readonly Row[] =>
  rows.toSorted((a, b) => of(a) - of(b));

/** The qubit of this number. @throws Error where there is none: a mistake of the question. */
export const qubit = ({ qubits, day }: Snapshot, id: number): QubitRow => found(qubits, String(id), day);

/** The pair of this id, lower qubit first. */
export const pair = ({ pairs, day }: Snapshot, id: string): PairRow => found(pairs, id, day);

/** Pairs that touch a qubit. */
export const pairsOf = ({ pairs }: Snapshot, id: number | string): readonly PairRow[] =>
  pairs.filter(({ id: ends }) => ends.split('-').includes(String(id)));

/** The other end of a pair. */
export const otherEnd = ({ id }: PairRow, of: number | string): string =>
  id.split('-').find((end) => end !== String(of)) ?? '';

/** The qubits beside one. */
export const neighbours = (now: Snapshot, id: number) =>
  pairsOf(now, id).map((row) => ({ id: otherEnd(row, id) }));

/** Rows without these. */
export const leaving = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  ...ids: readonly (number | string)[]
): readonly Row[] => rows.filter(({ id }) => !ids.map(String).includes(id));

export const medianBy = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  medianOf(rows.map(of));
export const meanBy = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0) / rows.length;

/** A row and what it became, by id. */
export type Change<Row> = { readonly id: string; readonly from: Row; readonly to: Row };

/** Rows of two snapshots, side by side. */
export const changes = <Row extends { readonly id: string }>(
  from: readonly Row[],
  to: readonly Row[],
): readonly Change<Row>[] =>
  from.flatMap((row) => {
    const later = to.find(({ id }) => id === row.id);
    return later === undefined ? [] : [{ id: row.id, from: row, to: later }];
  });

function found<Row extends { readonly id: string }>(rows: readonly Row[], id: string, day: string): Row {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new Error(`the snapshot of ${day} has no ${id}`);
  return row;
}
