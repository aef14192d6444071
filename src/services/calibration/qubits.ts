import type { Chip, Qubit } from '../../domain/chip/chip.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { compareQids, normaliseQid, qidLabel } from '../../domain/qid.ts';
import { NotFoundError } from '../../base/errors.ts';
import { scopeOf } from './chip-scope.ts';
import { currentParameters } from './current-parameters.ts';
import type { CurrentParametersDeps } from './current-parameters.ts';
import { knownNames } from './known-names.ts';
import type { CurrentValuesReader } from './current-values.ts';
import type { TopologiesService } from './topologies.ts';

/** Qubits of chips and their current values. */
export type QubitsService = ReturnType<typeof createQubits>;

/** Qubits of chips and their current values. */
export function createQubits(deps: CurrentParametersDeps & { readonly topologies: TopologiesService }) {
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
  /** The named ones by id and label, as `getMany`, at the cost of these alone where all of them exist. */
  const named = async (
    chip: Chip,
    written: readonly string[],
  ): Promise<readonly Pick<Qubit, 'qid' | 'label'>[]> => {
    const candidates = written.map((text) => [text, normaliseQid(text)]);
    const qids = [...new Set(candidates.flat())];
    const rows = await deps.store.currentValues('QUBIT', { ...scopeOf([chip]), qids, names: [] });
    const there = new Set(rows.map(({ qid }) => qid));
    const found = candidates.flatMap((each) => each.find((qid) => there.has(qid)) ?? []);
    if (found.length < written.length) return getMany(chip, written);
    return [...new Set(found)].map((qid) => ({ qid, label: qidLabel(qid, chip.size) }));
  };
  return {
    named,
    pick: pickQubits,
    /** In the order of `chips`, each in numeric order. */
    ofChips,
    /** As `get` for several, in the order given, each once. */
    getMany,
    /** The qubit for `7`, `Q7` or `Q07`, which are the same. @throws NotFoundError naming the chip's qubits */
    async get(chip: Chip, qid: string): Promise<Qubit> {
      const [qubit] = await getMany(chip, [qid]);
      if (!qubit) throw new Error(`qubit ${qid} was found and is not there`);
      return qubit;
    },
    /**
     * Current values in the order of `qubits`; empty for an uncalibrated one. `names` null means all parameters. One
     * read for any number of qubits; pass `reader` to share it.
     */
    parameters: (
      qubits: readonly Qubit[],
      names: readonly string[] | null,
      reader?: CurrentValuesReader,
    ): Promise<readonly (readonly ParameterValue[])[]> =>
      currentParameters(deps, 'QUBIT', qubits, names, reader),
  };
}

/**
 * Those of the chip's qubits that `written` names, in its order, each once.
 * @throws NotFoundError naming the qubits that the chip has
 */
function pickQubits(
  { chipId }: Pick<Chip, 'chipId'>,
  qubits: readonly Qubit[],
  written: readonly string[],
): readonly Qubit[] {
  const byQid = new Map(qubits.map((qubit) => [qubit.qid, qubit]));
  const found = written.map((text) => {
    const qubit = byQid.get(text) ?? byQid.get(normaliseQid(text));
    if (qubit) return qubit;
    const known = knownNames(qubits.map(({ label }) => label));
    throw new NotFoundError(`there is no qubit ${text} on chip ${chipId}; its qubits: ${known}`);
  });
  return [...new Set(found)];
}
