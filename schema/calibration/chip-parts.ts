/** Finds the chip, qubits and couplings that a part of a chip refers to, through the loaders of the operation. */
import type { Chip, Coupling, Qubit } from '../../src/domain/chip/chip.ts';
import { neighborsOf as neighborQids } from '../../src/domain/chip/topology.ts';
import { qidLabel } from '../../src/domain/qid.ts';
import type { GraphQLContext } from '../context.ts';
import { existing } from '../existing.ts';

/** @throws NotFoundError if the chip was removed meanwhile */
export function chipOf({ chipId }: { readonly chipId: string }, { loaders }: GraphQLContext): Promise<Chip> {
  return existing(loaders.chip.load(chipId), 'chip');
}

/**
 * Computes something from a list once, however often it is needed. The loaders return the same list throughout an
 * operation, and searching it for each of a thousand qubits would take a million steps.
 */
export function oncePerList<Item, Made>(
  make: (list: readonly Item[]) => Made,
): (list: readonly Item[]) => Made {
  const made = new WeakMap<readonly Item[], Made>();
  return (list) => {
    const held = made.get(list) ?? make(list);
    made.set(list, held);
    return held;
  };
}

const qubitsById = oncePerList((list: readonly Qubit[]) => new Map(list.map((one) => [one.qid, one])));
const couplingsById = oncePerList(
  (list: readonly Coupling[]) => new Map(list.map((one) => [one.couplingId, one])),
);
/** By control and by target. */
const couplingsByEnd = oncePerList((list: readonly Coupling[]) => {
  const byEnd = new Map<string, Coupling[]>();
  for (const coupling of list) {
    for (const qid of [coupling.controlQid, coupling.targetQid]) {
      const ofQubit = byEnd.get(qid) ?? [];
      byEnd.set(qid, ofQubit);
      ofQubit.push(coupling);
    }
  }
  return byEnd;
});

/**
 * The qubit that a coupling or value names. Databases hold couplings of qubits that the chip does not have: such a qubit
 * has its id and nothing else, so that one bad row does not cost the answer of the whole chip.
 */
export async function qubitOf(chip: Chip, qid: string, { loaders }: GraphQLContext): Promise<Qubit> {
  const { projectId, chipId, size } = chip;
  const found = qubitsById(await loaders.qubitsOfChip.load(chip)).get(qid);
  return found ?? { projectId, chipId, qid, label: qidLabel(qid, size), position: null };
}

/** @throws NotFoundError if the chip has no such coupling */
export function couplingOf(chip: Chip, couplingId: string, { loaders }: GraphQLContext): Promise<Coupling> {
  const coupling = loaders.couplingsOfChip.load(chip).then((list) => couplingsById(list).get(couplingId));
  return existing(coupling, `coupling ${couplingId}`);
}

/** Couplings with the qubit as control or target. */
export async function couplingsOf(qubit: Qubit, context: GraphQLContext): Promise<Coupling[]> {
  const couplings = await context.loaders.couplingsOfChip.load(await chipOf(qubit, context));
  return couplingsByEnd(couplings).get(qubit.qid) ?? [];
}

/** Neighbours of `qubit` in the topology that exist on the chip, in numeric order. */
export async function neighborsOf(qubit: Qubit, context: GraphQLContext): Promise<Qubit[]> {
  const chip = await chipOf(qubit, context);
  const [topology, qubits] = await Promise.all([
    context.loaders.topology.load(chip),
    context.loaders.qubitsOfChip.load(chip),
  ]);
  const byId = qubitsById(qubits);
  return neighborQids(qubit.qid, topology?.couplings ?? []).flatMap((qid) => byId.get(qid) ?? []);
}
