/** Layer fidelities: how well one layer of two-qubit gates works on a whole chain of qubits, as vendors publish it. */
import { readDate, readNumber, readRecord, readText } from '../values/stored-values.ts';
import type { JsonObject } from '../visuals.ts';

/** Of one chain, which the vendor chose. `value` is from 0 to 1. */
export type LayerFidelity = {
  /** In the order of the chain. */
  readonly qids: readonly string[];
  readonly value: number;
  readonly measuredAt: Date;
};

/** Those in a machine note, under the key by which imports keep them, the shortest chain first. */
export function layerFidelitiesIn(note: JsonObject): readonly LayerFidelity[] {
  return Object.values(readRecord(note['layer_fidelity']))
    .flatMap((raw): LayerFidelity[] => {
      const layer = readRecord(raw);
      const value = readNumber(layer['value']);
      const measuredAt = readDate(layer['measured_at']);
      const qids = readText(layer['qubits'])?.split('-') ?? [];
      return value === null || measuredAt === null || qids.length < 2 ? [] : [{ qids, value, measuredAt }];
    })
    .toSorted((a, b) => a.qids.length - b.qids.length);
}
