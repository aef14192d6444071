/**
 * Devices that name a qubit by row and column, `3_2`. Everything else here counts qubits, so each gets a number, row by
 * row; its name and place are kept in the layout of the chip and in its own document.
 */
import { couplingEnds } from '../domain/qid.ts';
import type { ChipDocument } from './documents.ts';

/** `3_2` for `3_2`, `q3_2` and `03_02`; null for other text. */
export function readGridName(text: string): string | null {
  const [, row, column] = /^q?(\d{1,3})_(\d{1,3})$/iu.exec(text.trim()) ?? [];
  return row === undefined ? null : `${Number(row)}_${Number(column)}`;
}

/** Numbers for names, and the layout that holds both. */
export type GridNumbers = {
  /** The stored id of a qubit or pair of names; null for a name that has no number. */
  readonly qidOf: (named: string) => string | null;
  readonly layout: NonNullable<ChipDocument['layout']>;
};

/** Numbers `names`; those that `stored` has numbered already keep their numbers, and new ones follow. */
export function numberGrid(names: Iterable<string>, stored: ChipDocument['layout']): GridNumbers {
  const numbered = new Map(
    Object.entries(stored ?? {}).flatMap(([qid, { name }]) => (name === undefined ? [] : [[name, qid]])),
  );
  const fresh = [...new Set(names)].filter((name) => !numbered.has(name)).toSorted(byPlace);
  const first = [...numbered.values()].reduce((most, qid) => Math.max(most, Number(qid)), -1) + 1;
  fresh.forEach((name, index) => numbered.set(name, String(first + index)));
  const places = [...numbered].map(([name, qid]) => ({ qid, name, place: placeOf(name) }));
  const top = places.reduce((least, { place }) => Math.min(least, place[0]), Number.POSITIVE_INFINITY);
  const left = places.reduce((least, { place }) => Math.min(least, place[1]), Number.POSITIVE_INFINITY);
  return {
    qidOf(named) {
      const ends = (couplingEnds(named) ?? [named]).map((name) => numbered.get(name));
      return ends.includes(undefined) ? null : ends.join('-');
    },
    layout: Object.fromEntries(
      places.map(({ qid, name, place: [row, column] }) => [
        qid,
        { row: row - top, col: column - left, name },
      ]),
    ),
  };
}

/** `0 is 3_2, 1 is 4_1, …` for people. */
export const gridLegend = (layout: NonNullable<ChipDocument['layout']>): string =>
  Object.entries(layout)
    .map(([qid, { name = '' }]) => `${qid} is ${name}`)
    .join(', ');

function placeOf(name: string): readonly [row: number, column: number] {
  const [row = 0, column = 0] = name.split('_').map(Number);
  return [row, column];
}

function byPlace(a: string, b: string): number {
  const [[rowA, columnA], [rowB, columnB]] = [placeOf(a), placeOf(b)];
  return rowA - rowB || columnA - columnB;
}
