import type { Chip } from '../../domain/chip/chip.ts';
import { layerFidelitiesIn, type LayerFidelity } from '../../domain/chip/layer-fidelity.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';

/** Layer fidelities of chips that are imported as snapshots; imports keep them in the note of the whole execution. */
export function createLayerFidelities(store: Pick<CalibrationStore, 'machineNoteSlice'>) {
  return {
    /** Those of the newest snapshot, the shortest chain first; none where it has none, whatever earlier ones had. */
    async ofChip(chip: Chip): Promise<readonly LayerFidelity[]> {
      const snapshotAt = chip.snapshotAt ?? null;
      if (snapshotAt === null) return [];
      const filter = { taskId: 'master' };
      const [newest] = await store.machineNoteSlice({ ...scopeOf([chip]), filter, limit: 1, after: null });
      return newest?.row.timestamp.getTime() === snapshotAt.getTime()
        ? layerFidelitiesIn(newest.row.note)
        : [];
    },
  };
}
