import { presentOf, type Chip, type Coupling } from '../../domain/chip/chip.ts';
import { deriveTopology } from '../../domain/chip/topology.ts';
import type { Topology } from '../../domain/chip/topology.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService } from './couplings.ts';

/** Layouts of chips. */
export type TopologiesService = ReturnType<typeof createTopologies>;

export type TopologiesDeps = {
  readonly store: CalibrationStore;
  readonly couplings: Pick<CouplingsService, 'ofChips'>;
  /** By topology id. */
  readonly catalogue: ReadonlyMap<string, Topology>;
};

/**
 * Layouts of chips, without past couplings: a chip whose topology is in the catalogue costs no read unless it was
 * imported as snapshots, all others together two.
 */
export function createTopologies({ store, couplings, catalogue }: TopologiesDeps) {
  const known = ({ topologyId }: Chip): Topology | null =>
    topologyId === null ? null : (catalogue.get(topologyId) ?? null);
  return {
    /** In the order of `chips`; derived from couplings if the catalogue lacks it, null without qubits. */
    async ofChips(chips: readonly Chip[]): Promise<readonly (Topology | null)[]> {
      const unknown = chips.filter((chip) => known(chip) === null);
      const read = chips.filter((chip) => known(chip) === null || (chip.snapshotAt ?? null) !== null);
      const [qubits, listed] = await Promise.all([
        unknown.length === 0 ? [] : store.entityIds('QUBIT', scopeOf(unknown)),
        couplings.ofChips(read),
      ]);
      const byChip = Map.groupBy(qubits, ({ chipId }) => chipId);
      return chips.map((chip) => {
        const own = listed[read.indexOf(chip)] ?? [];
        const declared = known(chip);
        if (declared !== null) return withoutPast(declared, own);
        return deriveTopology({
          topologyId: chip.topologyId,
          qids: [...new Set((byChip.get(chip.chipId) ?? []).map(({ qid }) => qid))],
          couplingIds: presentOf(own).map(({ couplingId }) => couplingId),
          positions: chip.layout,
        });
      });
    },
  };
}

function withoutPast(topology: Topology, couplings: readonly Coupling[]): Topology {
  const past = new Set(
    couplings.flatMap(({ lastSeenAt, controlQid, targetQid }) =>
      lastSeenAt === null ? [] : [`${controlQid}-${targetQid}`, `${targetQid}-${controlQid}`],
    ),
  );
  if (past.size === 0) return topology;
  return { ...topology, couplings: topology.couplings.filter(([a, b]) => !past.has(`${a}-${b}`)) };
}
