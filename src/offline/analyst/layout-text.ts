/** Says from a layout who is beside whom. */
import { z } from 'zod';
import type { AnswerWords } from './answer-words.ts';
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
export function neighboursText(qids: readonly string[], data: unknown, words: AnswerWords): string | null {
  const read = layout.safeParse(data);
  if (qids.length === 0 || !read.success) return null;
  const [a, b, ...others] = qids;
  const verdict =
    a !== undefined && b !== undefined && others.length === 0 ? coupledText([a, b], read.data, words) : [];
  return listed([...verdict, ...qids.map((qid) => neighboursOf(qid, read.data, words))]);
}

function neighboursOf(qid: string, { chip_id: chipId, qubits }: Layout, words: AnswerWords): string {
  const qubit = qubits.find((each) => each.qid === qid);
  if (qubit === undefined) {
    return words.notInLayout(qid, chipId, qubits.at(0)?.label ?? '–', qubits.at(-1)?.label ?? '–');
  }
  const { label, row, col, neighbors } = qubit;
  const labels = new Map(qubits.map((each) => [each.qid, each.label]));
  const place = row === null || col === null ? '' : words.place(row, col);
  const near = neighbors.map((each) => labels.get(each) ?? each);
  return near.length === 0
    ? words.noNeighbours(label, place, chipId)
    : words.neighbours(label, place, near, chipId);
}

function coupledText(
  [a, b]: readonly [string, string],
  { qubits }: Layout,
  words: AnswerWords,
): readonly string[] {
  const [first, second] = [a, b].map((qid) => qubits.find((qubit) => qubit.qid === qid));
  if (first === undefined || second === undefined) return [];
  const say = first.neighbors.includes(b) ? words.coupled : words.notCoupled;
  return [say(first.label, second.label)];
}
