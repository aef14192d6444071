/** Says from a layout who is beside whom. */
import { z } from 'zod';
import { joinWords } from '../../../domain/display-text.ts';
import { listed } from './text.ts';

const layout = z.object({
  chip_id: z.string(),
  qubits: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      row: z.number().nullable(),
      col: z.number().nullable(),
      neighbors: z.array(z.string()),
    }),
  ),
});
type Layout = z.infer<typeof layout>;

/** The neighbours of each qubit; of two whether they are coupled. Null for no qubits, and for data that are no layout. */
export function neighboursText(qids: readonly string[], data: unknown): string | null {
  const read = layout.safeParse(data);
  if (qids.length === 0 || !read.success) return null;
  const [a, b, ...others] = qids;
  const verdict =
    a !== undefined && b !== undefined && others.length === 0 ? coupledText(a, b, read.data) : [];
  return listed([...verdict, ...qids.map((qid) => neighboursOf(qid, read.data))]);
}

function neighboursOf(qid: string, { chip_id: chipId, qubits }: Layout): string {
  const qubit = qubits.find((each) => each.qid === qid);
  if (qubit === undefined) {
    return `There is no qubit ${qid} in the layout of ${chipId}; it goes from ${qubits.at(0)?.label ?? '–'} to ${qubits.at(-1)?.label ?? '–'}.`;
  }
  const labels = new Map(qubits.map((each) => [each.qid, each.label]));
  const place = qubit.row === null || qubit.col === null ? '' : ` (row ${qubit.row}, column ${qubit.col})`;
  const neighbours = joinWords(qubit.neighbors.map((each) => labels.get(each) ?? each));
  return neighbours === ''
    ? `${qubit.label}${place} has no neighbours on ${chipId}.`
    : `${qubit.label}${place} is coupled to ${neighbours} on ${chipId}.`;
}

function coupledText(a: string, b: string, { qubits }: Layout): readonly string[] {
  const [first, second] = [a, b].map((qid) => qubits.find((qubit) => qubit.qid === qid));
  if (first === undefined || second === undefined) return [];
  return first.neighbors.includes(b)
    ? [`Yes, ${first.label} and ${second.label} are coupled.`]
    : [`No, ${first.label} and ${second.label} are not coupled.`];
}
