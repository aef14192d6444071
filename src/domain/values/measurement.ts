/**
 * Single results of one parameter on one qubit and how they are reduced. The rules are the lab's, in one place: only
 * completed runs that are not excluded and brought a finite value count; the latest is the one that ended last (or
 * started last where no end is known), and of those at the same time the one with the greater document id. No order
 * of arrival changes anything.
 */
import { compareCurrent } from './current.ts';
import type { TaskStatus } from './task-result.ts';
import { unitFactor } from './units.ts';

/** One result. `value` and `error` are as stored, in `unit`. */
export type Measurement = {
  readonly documentId: string;
  readonly chipId: string;
  readonly qid: string;
  readonly taskId: string;
  readonly taskName: string;
  readonly executionId: string | null;
  readonly cooldownId: string | null;
  readonly status: TaskStatus;
  readonly excluded: boolean;
  /** End of the run, else its start. */
  readonly at: Date | null;
  readonly value: number | null;
  readonly error: number | null;
  readonly unit: string;
};

/** A measurement that may become a value. */
export type UsableMeasurement = Measurement & { readonly at: Date; readonly value: number };

/** Whether a result counts at all. One without any time has no place in an order and does not. */
export function isUsable(measurement: Measurement): measurement is UsableMeasurement {
  const { status, excluded, value, at } = measurement;
  return status === 'COMPLETED' && !excluded && value !== null && Number.isFinite(value) && at !== null;
}

/** What decides which of two results is later. */
export type Dated = { readonly at: Date; readonly documentId: string };

/** Sorts the latest first. */
export const compareLatest = (a: Dated, b: Dated): number => compareCurrent(candidateOf(a), candidateOf(b));

const candidateOf = ({ at, documentId }: Dated) => ({ counts: true, at, id: documentId });

/** Usable results of each qubit, latest first, at most `limit` of each, each document once. */
export function latestByQubit(
  measurements: readonly Measurement[],
  limit: number,
): ReadonlyMap<string, readonly UsableMeasurement[]> {
  const unique = new Map(measurements.filter(isUsable).map((each) => [each.documentId, each]));
  const byQubit = Map.groupBy(unique.values(), ({ qid }) => qid);
  return new Map([...byQubit].map(([qid, each]) => [qid, each.toSorted(compareLatest).slice(0, limit)]));
}

/** The best result of each qubit: greatest or least value, the latest of equals. */
export function bestByQubit(
  measurements: readonly Measurement[],
  best: 'GREATEST' | 'LEAST',
): ReadonlyMap<string, UsableMeasurement> {
  const sign = best === 'GREATEST' ? 1 : -1;
  const result = new Map<string, UsableMeasurement>();
  for (const candidate of measurements.filter(isUsable)) {
    const held = result.get(candidate.qid);
    const order = held ? sign * (held.value - candidate.value) || compareLatest(candidate, held) : -1;
    if (order < 0) result.set(candidate.qid, candidate);
  }
  return result;
}

/** Mean of a qubit's results in one unit. `deviation` is the sample deviation, null for a single one. */
export type MeasurementAverage = {
  readonly chipId: string;
  readonly qid: string;
  readonly unit: string;
  readonly mean: number;
  readonly deviation: number | null;
  readonly count: number;
  readonly newestAt: Date;
};

/**
 * One average from those of several units of the same kind, in the unit of the first; parts in another kind of unit
 * are left out.
 */
export function mergeAverages(parts: readonly MeasurementAverage[]): MeasurementAverage | null {
  const ordered = parts.toSorted((a, b) => b.count - a.count || (a.unit < b.unit ? -1 : 1));
  const first = ordered[0];
  if (!first) return null;
  const same = ordered.flatMap((part) => {
    const factor = unitFactor(part.unit, first.unit);
    return factor === null
      ? []
      : [{ ...part, mean: part.mean * factor, deviation: (part.deviation ?? 0) * factor }];
  });
  const count = same.reduce((sum, part) => sum + part.count, 0);
  const mean = same.reduce((sum, part) => sum + part.mean * (part.count / count), 0);
  const squares = same.reduce(
    (sum, part) => sum + (part.count - 1) * part.deviation ** 2 + part.count * (part.mean - mean) ** 2,
    0,
  );
  const newestAt = new Date(Math.max(...same.map((part) => part.newestAt.getTime())));
  return { ...first, mean, count, newestAt, deviation: count < 2 ? null : Math.sqrt(squares / (count - 1)) };
}
