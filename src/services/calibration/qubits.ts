import type { Chip, Qubit } from '../../domain/chip/chip.ts';
import { compareQids, normaliseQid, qidLabel } from '../../domain/qid.ts';
import { NotFoundError } from '../../base/errors.ts';
import { scopeOf } from './chip-scope.ts';
import type { QubitsService, TopologiesService } from './chip-services.ts';
import { currentParameters } from './current-parameters.ts';
import type { CurrentParametersDeps } from './current-parameters.ts';
import { knownNames } from './known-names.ts';

/** Qubits of chips and what is set on them now. */
export function createQubits(
  deps: CurrentParametersDeps & { readonly topologies: TopologiesService },
): QubitsService {
  const ofChips = async (chips: readonly Chip[]): Promise<readonly (readonly Qubit[])[]> => {
    if (chips.length === 0) return [];
    const [rows, topologies] = await Promise.all([
      deps.store.entityIds('QUBIT', scopeOf(chips)),
      deps.topologies.ofChips(chips),
    ]);
    const byChip = Map.groupBy(rows, ({ chipId }) => chipId);
    return chips.map(({ projectId, chipId, size }, index) => {
      const qids = new Set((byChip.get(chipId) ?? []).map(({ qid }) => qid));
      return [...qids].toSorted(compareQids).map((qid) => ({
        projectId,
        chipId,
        qid,
        label: qidLabel(qid, size),
        position: topologies[index]?.positions.get(qid) ?? null,
      }));
    });
  };
  const getMany = async (chip: Chip, qids: readonly string[]): Promise<readonly Qubit[]> => {
    const [qubits = []] = await ofChips([chip]);
    return pickQubits(chip, qubits, qids);
  };
  return {
    ofChips,
    getMany,
    async get(chip, qid) {
      const [qubit] = await getMany(chip, [qid]);
      if (!qubit) throw new Error(`qubit ${qid} was found and is not there`);
      return qubit;
    },
    parameters: (qubits, names, reader) => currentParameters(deps, 'QUBIT', qubits, names, reader),
  };
}

/**
 * Those of a chip's qubits that `written` means, in its order, each once.
 * @throws NotFoundError naming the qubits that the chip has.
 */
export function pickQubits(
  { chipId }: Chip,
  qubits: readonly Qubit[],
  written: readonly string[],
): readonly Qubit[] {
  const byQid = new Map(qubits.map((qubit) => [qubit.qid, qubit]));
  const found = written.map((text) => {
    const qubit = byQid.get(text) ?? byQid.get(normaliseQid(text));
    if (qubit) return qubit;
    const known = knownNames(
      qubits.map(({ label }) => label),
      'none at all',
    );
    throw new NotFoundError(`there is no qubit ${text} on chip ${chipId}; its qubits: ${known}`);
  });
  return [...new Set(found)];
}
