import { withoutBudget } from '../../base/read-budget.ts';
import type { CurrentEntity, CurrentValuesReader } from './current-values.ts';

/**
 * A reader for one operation: once all current values of some chips were read, later requests for single qubits of
 * the same chips are served from memory.
 */
export function shareCurrentValues(reader: CurrentValuesReader): CurrentValuesReader {
  const whole = new Map<string, Promise<readonly CurrentEntity[]>>();
  return {
    async read(kind, query) {
      const { projectId, chipIds, qids, names } = query;
      if (names !== null) return reader.read(kind, query);
      const key = JSON.stringify([kind, projectId, chipIds]);
      const held = whole.get(key);
      if (qids === null) {
        const all = held ?? withoutBudget(() => reader.read(kind, query));
        whole.set(key, all);
        return all;
      }
      if (held === undefined) return reader.read(kind, query);
      const wanted = new Set(qids);
      return (await held).filter(({ qid }) => wanted.has(qid));
    },
  };
}
