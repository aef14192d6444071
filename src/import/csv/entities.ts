import { readGridName } from '../grid-names.ts';
import { normaliseQid } from '../../domain/qid.ts';

/** A qubit `12` or a coupling `control-target`; on a grid `3_2` and `3_2-4_2` until the chip numbers them. */
export type Entity = { readonly qid: string; readonly kind: 'qubit' | 'coupling' };

/** What `0_6` means: a coupling of 0 and 6, or the qubit in row 0 and column 6. */
export type Naming = 'numbers' | 'grid';

const QUBIT = /^(?:q(?:ubit)?[ _]?)?(\d+)(?:\.0)?$/iu;
/** `0-1`, `Q00-Q01`, `0_1`, `(0, 1)`, `ecr0_1`. */
const PAIR = /^(?:cx|cz|ecr)?[([]?\s*q?(\d+)\s*(?:[-_:,/]|->|→)\s*q?(\d+)\s*[)\]]?$/iu;
/** Qubits of a laboratory that names instead of counting. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,19}$/u;
/** `3_2-4_2`, `(3_2, 4_2)`, `q3_2:q4_2`. */
const GRID_PAIR = /^[([]?\s*(q?\d+_\d+)\s*(?:[-:,/]|->|→)\s*(q?\d+_\d+)\s*[)\]]?$/iu;

/** Which qubit or coupling a text means, null where it means none. */
export function readEntity(text: string, naming: Naming = 'numbers'): Entity | null {
  const place = naming === 'grid' ? readGridEntity(text) : readPlace(text);
  if (place !== null || naming === 'grid') return place;
  const ends = text.split('-');
  if (ends.length > 2 || ends[0] === ends[1] || !ends.every((end) => NAME.test(end))) return null;
  return { qid: text, kind: ends.length === 2 ? 'coupling' : 'qubit' };
}

/** {@link readEntity} for headings, where only a number is surely a qubit: any word may head a column. */
export function readPlace(text: string, naming: Naming = 'numbers'): Entity | null {
  if (naming === 'grid') return readGridEntity(text);
  const [, number] = QUBIT.exec(text) ?? [];
  if (number !== undefined) return { qid: normaliseQid(number), kind: 'qubit' };
  const [, control, target] = PAIR.exec(text) ?? [];
  return pairOf(control && normaliseQid(control), target && normaliseQid(target));
}

/** Whether a text may be a qubit by row and column, `3_2`. Two of them joined can be nothing else. */
export const mayBeGridName = (text: string): boolean => readGridName(text) !== null;
export const isGridPair = (text: string): boolean => GRID_PAIR.test(text);

function readGridEntity(text: string): Entity | null {
  const name = readGridName(text);
  if (name !== null) return { qid: name, kind: 'qubit' };
  const [, control = '', target = ''] = GRID_PAIR.exec(text) ?? [];
  return pairOf(readGridName(control) ?? undefined, readGridName(target) ?? undefined);
}

const pairOf = (control: string | undefined, target: string | undefined): Entity | null =>
  !control || !target || control === target ? null : { qid: `${control}-${target}`, kind: 'coupling' };
