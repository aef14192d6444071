import { normaliseQid } from '../../domain/qid.ts';

/** A qubit `12` or a coupling `control-target`. */
export type Entity = { readonly qid: string; readonly kind: 'qubit' | 'coupling' };

const QUBIT = /^(?:q(?:ubit)?[ _]?)?(\d+)(?:\.0)?$/iu;
/** `0-1`, `Q00-Q01`, `0_1`, `(0, 1)`, `ecr0_1`. */
const PAIR = /^(?:cx|cz|ecr)?[([]?\s*q?(\d+)\s*(?:[-_:,/]|->|→)\s*q?(\d+)\s*[)\]]?$/iu;
/** Qubits of a laboratory that names instead of counting. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,19}$/u;

/** Which qubit or coupling a text means, null where it means none. */
export function readEntity(text: string): Entity | null {
  const [, number] = QUBIT.exec(text) ?? [];
  if (number !== undefined) return { qid: normaliseQid(number), kind: 'qubit' };
  const [, control, target] = PAIR.exec(text) ?? [];
  if (control !== undefined && target !== undefined) {
    const qid = normaliseQid(`${control}-${target}`);
    const [a, b] = qid.split('-');
    return a === b ? null : { qid, kind: 'coupling' };
  }
  const ends = text.split('-');
  if (ends.length > 2 || ends[0] === ends[1] || !ends.every((end) => NAME.test(end))) return null;
  return { qid: text, kind: ends.length === 2 ? 'coupling' : 'qubit' };
}
