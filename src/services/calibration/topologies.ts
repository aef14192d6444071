import type { Chip } from '../../domain/chip/chip.ts';
import { deriveTopology } from '../../domain/chip/topology.ts';
import type { Topology } from '../../domain/chip/topology.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';

/** Layouts of chips. */
export type TopologiesService = ReturnType<typeof createTopologies>;

/** Layouts of chips: those in the catalogue cost no read, all others together two. */
export function createTopologies(store: CalibrationStore, catalogue: ReadonlyMap<string, Topology>) {
  const known = ({ topologyId }: Chip): Topology | null =>
    topologyId === null ? null : (catalogue.get(topologyId) ?? null);
  return {
    /** In the order of `chips`; derived from couplings if the catalogue lacks it, null without couplings. */
    async ofChips(chips: readonly Chip[]): Promise<readonly (Topology | null)[]> {
      const unknown = chips.filter((chip) => known(chip) === null);
      const derived = unknown.length === 0 ? new Map<string, Topology>() : await deriveAll(store, unknown);
      return chips.map((chip) => known(chip) ?? derived.get(chip.chipId) ?? null);
    },
  };
}

async function deriveAll(
  store: CalibrationStore,
  chips: readonly Chip[],
): Promise<ReadonlyMap<string, Topology>> {
  const scope = scopeOf(chips);
  const [qubits, couplings] = await Promise.all([
    store.entityIds('QUBIT', scope),
    store.entityIds('COUPLING', scope),
  ]);
  const idsOf = (rows: typeof qubits, chip: Chip): readonly string[] => [
    ...new Set(rows.filter(({ chipId }) => chipId === chip.chipId).map(({ qid }) => qid)),
  ];
  return new Map(
    chips.flatMap((chip) => {
      const topology = deriveTopology({
        topologyId: chip.topologyId,
        qids: idsOf(qubits, chip),
        couplingIds: idsOf(couplings, chip),
        positions: chip.layout,
      });
      return topology ? [[chip.chipId, topology] as const] : [];
    }),
  );
}
