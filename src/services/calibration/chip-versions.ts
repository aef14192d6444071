import { LRUCache } from 'lru-cache';
import { CalibrationAwayError } from '../../base/errors.ts';
import { sharedNext } from '../../base/shared-next.ts';
import type { CalibrationStore, ChipScope } from '../../stores/calibration-store.ts';

/** Chips whose marks are read at the same time by those who ask together. */
const CHIPS = 500;

/**
 * Versions of the data of chips: what was read before the version was asked for a second time, and came out equal, is
 * still what the database holds. Two sources:
 *
 * - The write clock of the server, if it has one: any write to any collection, by anybody, changes it.
 * - Else the mark of the chips, which new results, imports and notes change, but not an exclusion of a result older
 *   than the newest runs, nor an edit by hand that leaves `updated_at` as it was. Whoever holds answers by version has
 *   to bound their age, too.
 */
export function createChipVersions(store: Pick<CalibrationStore, 'writeClock' | 'chipMark'>) {
  const readClock = sharedNext(() => store.writeClock());
  const marks = new LRUCache<string, () => Promise<string | null>>({ max: CHIPS });
  const readMark = (scope: ChipScope): Promise<string | null> => {
    const key = JSON.stringify([scope.projectId, scope.chipIds]);
    const read = marks.get(key) ?? sharedNext(() => store.chipMark(scope));
    marks.set(key, read);
    return read();
  };
  return {
    /**
     * The version as of now, as text; null while the database is away. A mark takes ten commands: without `readsMark`,
     * a server without a clock gives null.
     */
    async of(scope: ChipScope, readsMark: boolean): Promise<string | null> {
      try {
        const clock = await readClock();
        if (clock !== null) return `clock ${clock}`;
        const mark = readsMark ? await readMark(scope) : null;
        return mark === null ? null : `mark ${mark}`;
      } catch (error) {
        if (error instanceof CalibrationAwayError) return null;
        throw error;
      }
    },
  };
}

export type ChipVersions = ReturnType<typeof createChipVersions>;
