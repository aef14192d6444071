/**
 * Identifiers of qubits and couplings. Stored: `"7"` for a qubit, `"4-1"` (control, target) for a coupling. Shown:
 * `Q07`, `Q04-Q01`. People and models write any of them.
 */

/** The stored form of a written id: `7`, `Q7`, `q07` and `007` are `7`; `Q04-Q01` is `4-1`; other text is kept. */
export function normaliseQid(written: string): string {
  return written.trim().split('-').map(normalisePart).join('-');
}

const normalisePart = (part: string): string => part.trim().replace(/^q?0*(0|[1-9]\d*)$/iu, '$1');

/** The label shown to people: numbers are padded to the digits of the chip's size, at least two. */
export function qidLabel(qid: string, chipSize: number): string {
  const digits = Math.max(2, String(chipSize).length);
  return qid
    .split('-')
    .map((part) => (/^\d+$/u.test(part) ? `Q${part.padStart(digits, '0')}` : part))
    .join('-');
}

/**
 * Numeric order; ids that are not numbers come last, in order of their text. Couplings order by control, then target.
 */
export function compareQids(a: string, b: string): number {
  // Fast path: qubits are sorted by the thousand.
  if (!a.includes('-') && !b.includes('-')) return compareParts(a, b);
  const [left, right] = [a.split('-'), b.split('-')];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareParts(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  const [isNumberA, isNumberB] = [/^\d+$/u.test(a), /^\d+$/u.test(b)];
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  if (isNumberA && Number(a) !== Number(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a written id is a coupling: two numbers. Labs may invent qubit names, dashes included. */
export const isCouplingId = (written: string): boolean => /^\d+-\d+$/u.test(normaliseQid(written));

/** Control and target of a coupling id, null for text that is not two ids joined by a dash. */
export function couplingEnds(couplingId: string): readonly [string, string] | null {
  const [control, target, ...rest] = couplingId.split('-');
  return control && target && rest.length === 0 ? [control, target] : null;
}

/** A coupling standing in for its other direction, `asked`, which has no values of its own. */
export type TwinAnswer = { readonly asked: string; readonly couplingId: string; readonly label: string };

/** Rows with each pair once: of two directions that are the same to `isSame` the first stands for both. */
export function oncePerPair<Row extends { readonly qid: string }>(
  rows: readonly Row[],
  isSame: (a: Row, b: Row) => boolean,
): readonly Row[] {
  const byId = new Map(rows.map((row) => [row.qid, row]));
  return rows.filter((row) => {
    const twin = byId.get(twinOf(row.qid));
    return twin === undefined || compareQids(row.qid, twin.qid) <= 0 || !isSame(row, twin);
  });
}

/** The same pair in the other direction. */
export function twinOf(couplingId: string): string {
  const ends = couplingEnds(couplingId);
  return ends ? `${ends[1]}-${ends[0]}` : couplingId;
}
