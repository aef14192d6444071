/** Neighbours and couplings of qubits, from a chip's layout. */
import { z } from 'zod';
import type { Ask } from '../../domain/questions/query.ts';
import type { AnswerWords } from './messages.ts';
import { headedList } from '../shared/text.ts';

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

/**
 * The neighbours of each qubit; of two whether they are coupled. Null for no qubits, and for data that are no layout.
 */
export function neighboursText(
  { qids, beside }: Pick<Ask, 'qids' | 'beside'>,
  data: unknown,
  words: AnswerWords,
): string | null {
  const read = layout.safeParse(data);
  if (qids.length === 0 || !read.success) return null;
  if (beside === 'others') return othersText(qids, read.data, words);
  const [a, b, ...others] = qids;
  const verdict =
    a !== undefined && b !== undefined && others.length === 0 ? coupledText([a, b], read.data, words) : [];
  return headedList([...verdict, ...qids.map((qid) => neighboursOf(qid, read.data, words))]);
}

function neighboursOf(qid: string, { chip_id: chip, qubits }: Layout, { t }: AnswerWords): string {
  const qubit = qubits.find((each) => each.qid === qid);
  if (qubit === undefined) return t('notInLayout', { qid, chip, ...endsOf(qubits) });
  const { label, row, col, neighbors } = qubit;
  const labels = new Map(qubits.map((each) => [each.qid, each.label]));
  const place = row === null || col === null ? '' : t('place', { row, column: col });
  const neighbours = neighbors.map((each) => labels.get(each) ?? each);
  return t(neighbours.length === 0 ? 'noNeighbours' : 'neighbours', { label, place, neighbours, chip });
}

const endsOf = (qubits: Layout['qubits']) => ({
  first: qubits.at(0)?.label ?? '–',
  last: qubits.at(-1)?.label ?? '–',
});

/** All qubits that are not beside the named one. */
function othersText(
  [qid = '']: readonly string[],
  { chip_id: chip, qubits }: Layout,
  { t }: AnswerWords,
): string {
  const own = qubits.find((each) => each.qid === qid);
  if (own === undefined) return t('notInLayout', { qid, chip, ...endsOf(qubits) });
  const others = qubits.filter((each) => each.qid !== qid && !own.neighbors.includes(each.qid));
  return t('others', {
    label: own.label,
    chip,
    count: others.length,
    others: others.map(({ label }) => label),
  });
}

function coupledText(
  [a, b]: readonly [string, string],
  { qubits }: Layout,
  words: AnswerWords,
): readonly string[] {
  const [first, second] = [a, b].map((qid) => qubits.find((qubit) => qubit.qid === qid));
  if (first === undefined || second === undefined) return [];
  const isCoupled = first.neighbors.includes(b);
  return [words.t(isCoupled ? 'coupled' : 'notCoupled', { a: first.label, b: second.label })];
}
