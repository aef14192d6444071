/** Neighbours and couplings of qubits, from a chip's layout. */
import { z } from 'zod';
import type { Ask } from '../../domain/questions/query.ts';
import type { AnswerWords } from './messages.ts';
import { headedList } from '../shared/text.ts';

/** What `get_chip_topology` answers. */
export const layout = z.object({
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
type Qubit = Layout['qubits'][number];
type Say = AnswerWords['t'];

/**
 * The neighbours of each qubit; of two whether they are coupled. Null for no qubits, and for data that are no layout.
 */
export function neighboursText(
  { qids, beside }: Pick<Ask, 'qids' | 'beside'>,
  data: unknown,
  { t }: AnswerWords,
): string | null {
  const read = layout.safeParse(data).data;
  if (qids.length === 0 || read === undefined) return null;
  const { chip_id: chip, qubits } = read;
  const textOf = beside === 'others' ? othersText : besideText;
  const lines = (beside === 'others' ? qids.slice(0, 1) : qids).map((qid) => {
    const qubit = qubits.find((each) => each.qid === qid);
    if (qubit !== undefined) return textOf(qubit, read, t);
    return t('notInLayout', {
      qid,
      chip,
      first: qubits.at(0)?.label ?? '–',
      last: qubits.at(-1)?.label ?? '–',
    });
  });
  return headedList([...(beside === 'others' ? [] : coupledText(qids, read, t)), ...lines]);
}

/** Where a qubit is, and what is next to it. */
function besideText(
  { label, row, col, neighbors }: Qubit,
  { chip_id: chip, qubits }: Layout,
  t: Say,
): string {
  const place = row === null || col === null ? '' : t('place', { row, column: col });
  const labels = new Map(qubits.map((each) => [each.qid, each.label]));
  const neighbours = neighbors.map((each) => labels.get(each) ?? each);
  return t(neighbours.length === 0 ? 'noNeighbours' : 'neighbours', { label, place, neighbours, chip });
}

/** All qubits that are not next to it. */
function othersText({ qid, label, neighbors }: Qubit, { chip_id: chip, qubits }: Layout, t: Say): string {
  const others = qubits.filter((each) => each.qid !== qid && !neighbors.includes(each.qid));
  return t('others', { label, chip, count: others.length, others: others.map((each) => each.label) });
}

/** Whether two qubits are coupled; nothing for more of them, or fewer. */
function coupledText(qids: readonly string[], { qubits }: Layout, t: Say): readonly string[] {
  const [first, second] = qids.map((qid) => qubits.find((qubit) => qubit.qid === qid));
  if (qids.length !== 2 || first === undefined || second === undefined) return [];
  const isCoupled = first.neighbors.includes(second.qid);
  return [t(isCoupled ? 'coupled' : 'notCoupled', { a: first.label, b: second.label })];
}
