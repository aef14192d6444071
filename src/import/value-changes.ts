/** Sources that repeat a value until it is measured again: which of their values are results, and since when. */
import { countOf } from '../domain/text/display-text.ts';
import type { WrittenValue } from './calibration-writer.ts';
import type { DeviceSnapshot } from './snapshot-documents.ts';

/** Snapshots reduced to what is new in each. */
export type ValueChanges = {
  readonly snapshots: readonly DeviceSnapshot[];
  /** Values that only repeat an older one. */
  readonly repeated: number;
  /** Values that were imported at a later time than these snapshots show: one sentence each. */
  readonly datedLater: readonly string[];
};

/** A value counts from the first snapshot that has it until another follows. `snapshots` are in order of time. */
export function valueChanges(
  snapshots: readonly DeviceSnapshot[],
  earlier: readonly WrittenValue[],
): ValueChanges {
  const known = new Map<string, WrittenValue[]>();
  for (const result of earlier) timelineOf(known, result).push(result);
  for (const results of known.values()) results.sort(byTime);
  const stored = new Set(earlier);
  const datedLater: string[] = [];
  let repeated = 0;
  const changed = snapshots.map((snapshot) => {
    const values = snapshot.values.filter((value) => {
      const timeline = timelineOf(known, value);
      const before = timeline.findLast(({ measuredAt }) => measuredAt <= value.measuredAt);
      if (before?.written === value.written) {
        const isStored = before.measuredAt.getTime() === value.measuredAt.getTime() && stored.has(before);
        if (!isStored) repeated += 1;
        return isStored;
      }
      const after = timeline.find(({ measuredAt }) => measuredAt > value.measuredAt);
      if (after?.written === value.written) {
        datedLater.push(
          `${value.parameter} of ${value.qid}: stored as of ${after.measuredAt.toISOString()}, but there since ${value.measuredAt.toISOString()}`,
        );
      }
      timeline.push(value);
      timeline.sort(byTime);
      return true;
    });
    return { ...snapshot, values };
  });
  return { snapshots: changed, repeated, datedLater };
}

/** What an importer answers to values that it once dated too late. */
export const datedLaterAdvice = (datedLater: readonly string[]): string =>
  `${countOf(datedLater.length, 'value')} first appeared before the time that they are stored with (${datedLater[0]}): import the whole history at once under another --chip-id`;

function timelineOf(known: Map<string, WrittenValue[]>, { qid, parameter }: WrittenValue): WrittenValue[] {
  const key = `${parameter} ${qid}`;
  const timeline = known.get(key) ?? [];
  known.set(key, timeline);
  return timeline;
}

const byTime = (a: WrittenValue, b: WrittenValue): number => a.measuredAt.getTime() - b.measuredAt.getTime();
