/** From a part of a chip to its chip and its neighbours, through the loaders of the operation. */
import type { Chip, Coupling, Qubit } from '../../src/domain/chip/chip.ts';
import { neighborsOf as neighborQids } from '../../src/domain/chip/topology.ts';
import type { GraphQLContext } from '../context.ts';
import { existing } from '../existing.ts';

/** @throws NotFoundError when the chip was removed meanwhile. */
export function chipOf({ chipId }: { readonly chipId: string }, { loaders }: GraphQLContext): Promise<Chip> {
  return existing(loaders.chip.load(chipId), 'chip');
}

/**
 * What is made of a list once, however many of its parts ask for it: the loaders give all of an operation the same list, and
 * looking through it for each of a thousand qubits would be a million looks.
 */
function oncePerList<Item, Made>(make: (list: readonly Item[]) => Made): (list: readonly Item[]) => Made {
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

/** @throws NotFoundError when the chip has no such qubit. */
export function qubitOf(chip: Chip, qid: string, { loaders }: GraphQLContext): Promise<Qubit> {
  const qubit = loaders.qubitsOfChip.load(chip).then((qubits) => qubitsById(qubits).get(qid));
  return existing(qubit, `qubit ${qid}`);
}

/** @throws NotFoundError when the chip has no such coupling. */
export function couplingOf(chip: Chip, couplingId: string, { loaders }: GraphQLContext): Promise<Coupling> {
  const coupling = loaders.couplingsOfChip.load(chip).then((list) => couplingsById(list).get(couplingId));
  return existing(coupling, `coupling ${couplingId}`);
}

/** Couplings in which the qubit is control or target. */
export async function couplingsOf(qubit: Qubit, context: GraphQLContext): Promise<Coupling[]> {
  const couplings = await context.loaders.couplingsOfChip.load(await chipOf(qubit, context));
  return couplingsByEnd(couplings).get(qubit.qid) ?? [];
}

/** Neighbours of `qubit` in the topology of its chip that the chip has, in the chip's order. */
export async function neighborsOf(qubit: Qubit, context: GraphQLContext): Promise<Qubit[]> {
  const chip = await chipOf(qubit, context);
  const [topology, qubits] = await Promise.all([
    context.loaders.topology.load(chip),
    context.loaders.qubitsOfChip.load(chip),
  ]);
  const byId = qubitsById(qubits);
  return neighborQids(qubit.qid, topology?.couplings ?? []).flatMap((qid) => byId.get(qid) ?? []);
}
