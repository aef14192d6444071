import type { CurrentValuesRow } from '../../domain/values/stored-parameter.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';

/** Reads current values. */
export type CurrentValuesReader = Pick<CalibrationStore, 'currentValues'>;

/**
 * A reader for one operation: once all current values of some chips were read, later requests for single qubits of
 * the same chips are served from memory.
 */
export function shareCurrentValues(store: CurrentValuesReader): CurrentValuesReader {
  const whole = new Map<string, Promise<readonly CurrentValuesRow[]>>();
  return {
    async currentValues(kind, query) {
      const { projectId, chipIds, qids, names } = query;
      if (names !== null) return store.currentValues(kind, query);
      const key = JSON.stringify([kind, projectId, chipIds]);
      const held = whole.get(key);
      if (qids === null) {
        const all = held ?? store.currentValues(kind, query);
        whole.set(key, all);
        return all;
      }
      if (held === undefined) return store.currentValues(kind, query);
      const wanted = new Set(qids);
      return (await held).filter(({ qid }) => wanted.has(qid));
    },
  };
}
