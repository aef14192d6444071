/** What a window of time holds: one value a qubit or coupling, and one point a day. */
import { cooldownsOf, latestPerDay, ofCooldown } from './daily.ts';
import { latestByQubit, type UsableMeasurement } from './measurement.ts';
import { scaled } from './parameter-value.ts';
import { statisticsOf } from './statistics.ts';
import { unitFactor } from './units.ts';

/** A window of time: `from` is inclusive, `to` exclusive. */
export type Period = { readonly from: Date; readonly to: Date };

/** A window just as long, right before. */
export function periodBefore({ from, to }: Period): Period {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from };
}

/** Usable results within a window, of qubits or of couplings. */
export type PeriodResults = Period & { readonly measurements: readonly UsableMeasurement[] };

/**
 * One day in a window: how many hours after its start the newest result was measured, and the mean of the members as
 * stored.
 */
export type PeriodPoint = {
  readonly day: string;
  readonly elapsedHours: number;
  readonly value: number;
  /** Qubits or couplings measured on that day. */
  readonly members: number;
};

/** The value of one qubit or coupling in a window. */
export type PeriodValue = { readonly value: number; readonly error: number | null; readonly at: Date };

/**
 * The latest value of each in the window's newest cool-down, in `unit`; results in a unit of another kind do
 * not count.
 */
export function valuesOf({ measurements }: PeriodResults, unit: string): ReadonlyMap<string, PeriodValue> {
  const [newest = null] = cooldownsOf(measurements);
  const latest = latestByQubit(ofCooldown(measurements, newest), 1);
  return new Map(
    [...latest].flatMap(([qid, [measurement]]) => {
      const value = measurement ? converted(measurement, unit) : null;
      return value ? [[qid, value] as const] : [];
    }),
  );
}

function converted(measurement: UsableMeasurement, unit: string): PeriodValue | null {
  const factor = measurement.unit === '' ? 1 : unitFactor(measurement.unit, unit);
  const value = factor === null ? null : scaled(measurement.value, factor);
  if (factor === null || value === null) return null;
  return { value, error: scaled(measurement.error, factor), at: measurement.at };
}

/**
 * One point a day: the mean of its members. One that several tasks measured on a day has one value that day: the
 * latest of them.
 */
export function seriesOf(
  { measurements, from }: PeriodResults,
  unit: string,
  timeZone: string,
): readonly PeriodPoint[] {
  const [newest = null] = cooldownsOf(measurements);
  const daily = latestPerDay(ofCooldown(measurements, newest), timeZone);
  return [...Map.groupBy(daily, ({ day }) => day)].flatMap(([day, rows]) => {
    const values = [...latestByQubit(rows, 1).values()].flatMap(([row]) =>
      row ? (converted(row, unit) ?? []) : [],
    );
    const { mean, count } = statisticsOf(values.map(({ value }) => value));
    if (mean === null) return [];
    const measuredMs = Math.max(...values.map(({ at }) => at.getTime()));
    return [{ day, elapsedHours: (measuredMs - from.getTime()) / 3_600_000, value: mean, members: count }];
  });
}
