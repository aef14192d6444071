/** From a part of a chip to its chip and its neighbours, through the loaders of the operation. */
import type { Chip, Coupling, Qubit } from '../src/domain/chip.ts';
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

/** Couplings in which the qubit is control or target. */
export async function couplingsOf(qubit: Qubit, context: GraphQLContext): Promise<Coupling[]> {
  const couplings = await context.loaders.couplingsOfChip.load(await chipOf(qubit, context));
  return couplings.filter(({ controlQid, targetQid }) => controlQid === qubit.qid || targetQid === qubit.qid);
}

/** Qubits coupled to `qubit`, each once, in the chip's order. */
export async function neighborsOf(qubit: Qubit, context: GraphQLContext): Promise<Qubit[]> {
  const near = new Set((await couplingsOf(qubit, context)).flatMap((one) => [one.controlQid, one.targetQid]));
  const qubits = await context.loaders.qubitsOfChip.load(await chipOf(qubit, context));
  return qubits.filter(({ qid }) => qid !== qubit.qid && near.has(qid));
}
