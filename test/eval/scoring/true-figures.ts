/** Whether a figure that an answer gives of a part is one that the files have of it. */
import type { GivenFigure } from './statements.ts';

/** A value in the first unit of its dimension: μs, MHz, or a fraction. */
export type BaseFigure = { readonly dimension: string; readonly value: number };

/** All that is known of each part. */
export type TrueFigures = ReadonlyMap<string, readonly BaseFigure[]>;

const UNITS: Readonly<Record<string, readonly [dimension: string, factor: number]>> = {
  s: ['time', 1e6],
  ms: ['time', 1e3],
  μs: ['time', 1],
  us: ['time', 1],
  µs: ['time', 1],
  ns: ['time', 1e-3],
  GHz: ['frequency', 1e3],
  MHz: ['frequency', 1],
  kHz: ['frequency', 1e-3],
  Hz: ['frequency', 1e-6],
  '%': ['ratio', 0.01],
  fraction: ['ratio', 1],
};

/** A value in its base; of no dimension where the unit is unknown. */
export function inBase(value: number, unit: string): BaseFigure {
  const [dimension, factor] = UNITS[unit] ?? ['none', 1];
  return { dimension, value: value * factor };
}

/** What every snapshot has of each part, and by how much one differs from another. */
export function withDifferences(snapshots: readonly TrueFigures[]): TrueFigures {
  const parts = new Set(snapshots.flatMap((figures) => [...figures.keys()]));
  return new Map(
    [...parts].map((part) => {
      const each = snapshots.map((figures) => figures.get(part) ?? []);
      const differences = each.flatMap((from, index) =>
        each.slice(index + 1).flatMap((to) =>
          from.flatMap(({ dimension, value }, place) => {
            const later = to[place];
            return later?.dimension === dimension ? [{ dimension, value: later.value - value }] : [];
          }),
        ),
      );
      return [part, [...each.flat(), ...differences]];
    }),
  );
}

/** A figure with a unit that none of the parts it may be of has, whichever way it is rounded or turned. */
export function isFalse(figure: GivenFigure, known: TrueFigures): boolean {
  const parts = figure.of.filter((part) => known.has(part));
  if (figure.unit === null || parts.length === 0 || !figure.isBound) return false;
  const given = inBase(figure.value, figure.unit);
  const step = inBase(figure.step, figure.unit).value;
  if (given.dimension === 'none') return false;
  return !parts
    .flatMap((part) => known.get(part) ?? [])
    .some(
      ({ dimension, value }) =>
        dimension === given.dimension &&
        [value, -value, ...(dimension === 'ratio' ? [1 - value] : [])].some(
          (way) => Math.abs(way - given.value) <= step * 0.5001 + 1e-12,
        ),
    );
}
