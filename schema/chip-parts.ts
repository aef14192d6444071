/** From a part of a chip to its chip and its neighbours, through the loaders of the operation. */
import type { Chip, Coupling, Qubit } from '../src/domain/chip.ts';
import { neighborsOf as neighborQids } from '../src/domain/topology.ts';
import type { GraphQLContext } from './context.ts';
import { existing } from './existing.ts';

/** @throws NotFoundError when the chip was removed meanwhile. */
export function chipOf({ chipId }: { readonly chipId: string }, { loaders }: GraphQLContext): Promise<Chip> {
  return existing(loaders.chip.load(chipId), 'chip');
}

/** @throws NotFoundError when the chip has no such qubit. */
export async function qubitOf(chip: Chip, qid: string, { loaders }: GraphQLContext): Promise<Qubit> {
  const find = async () => (await loaders.qubitsOfChip.load(chip)).find((one) => one.qid === qid);
  return existing(find(), `qubit ${qid}`);
}

/** @throws NotFoundError when the chip has no such coupling. */
export async function couplingOf(
  chip: Chip,
  couplingId: string,
  { loaders }: GraphQLContext,
): Promise<Coupling> {
  const find = async () =>
    (await loaders.couplingsOfChip.load(chip)).find((one) => one.couplingId === couplingId);
  return existing(find(), `coupling ${couplingId}`);
}

/** Couplings in which the qubit is control or target. */
export async function couplingsOf(qubit: Qubit, context: GraphQLContext): Promise<Coupling[]> {
  const couplings = await context.loaders.couplingsOfChip.load(await chipOf(qubit, context));
  return couplings.filter(({ controlQid, targetQid }) => controlQid === qubit.qid || targetQid === qubit.qid);
}

/** Neighbours of `qubit` in the topology of its chip that the chip has, in the chip's order. */
export async function neighborsOf(qubit: Qubit, context: GraphQLContext): Promise<Qubit[]> {
  const chip = await chipOf(qubit, context);
  const [topology, qubits] = await Promise.all([
    context.loaders.topology.load(chip),
    context.loaders.qubitsOfChip.load(chip),
  ]);
  const near = new Set(neighborQids(qubit.qid, topology?.couplings ?? []));
  return qubits.filter(({ qid }) => near.has(qid));
}
