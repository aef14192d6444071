/** What pronouns of a clause stand for. */
import type { ConditionsRead } from './conditions.ts';
import type { Ask } from './query.ts';
import type { Slots } from './slots.ts';

/** `answer` is null while it is not given. */
type Pointed = { readonly base: Ask | null; readonly answer: string | null; readonly qid: string | null };

/** `whose`: the conditions that parts meet whom the answer does not name one by one; `open`: a pronoun for parts that nobody knows. */
export type Pointers = {
  readonly slots: Slots;
  readonly whose: Pick<ConditionsRead, 'conditions' | 'join'> | null;
  readonly open: string | null;
};

const ONE = /\bits?\b|\bthat (?:one|qubit)\b|\bthe (?:same )?qubit\b(?! frequenc)|その量子ビット/iu;
/** `those with a T1 above 50` are others. */
export const MANY =
  /\bthem\b|\bth(?:ose|ese)\b(?! (?:with|that|which|whose|having|where|in)\b)|\btheirs?\b|\b(?:of|among|amongst|from) which\b|[こそ]れら|[こそ]の(?:中|なか|内|うち)|上記の|先ほどの/iu;

/**
 * `it`, `that qubit`, `them`: the qubits asked about before, else those that the answer named first; `this qubit`:
 * the selected one. Of more than the answer names, all that meet the conditions asked for.
 */
export function withPointers(
  clause: string,
  slots: Slots,
  own: Pick<ConditionsRead, 'conditions' | 'join'>,
  { base, answer, qid }: Pointed,
): Pointers {
  const nothing = { slots, whose: null, open: null };
  if (slots.qids.length > 0) return nothing;
  if (/\bthis qubit\b|この量子ビット/iu.test(clause) && qid !== null) {
    return { ...nothing, slots: { ...slots, qids: [qid] } };
  }
  const many = MANY.exec(clause)?.[0];
  if (many === undefined && !ONE.test(clause)) return nothing;
  const chipId = slots.chipId ?? base?.chipId ?? null;
  const isSelection = base?.kind === 'select' && base.conditions.length > 0;
  const asked = base === null || isSelection ? [] : base.qids;
  const { qids, isCut } = asked.length > 0 ? { qids: asked, isCut: false } : namedIn(answer);
  if (many === undefined) return { ...nothing, slots: { ...slots, chipId, qids: qids.slice(0, 1) } };
  if (!isCut) return { ...nothing, slots: { ...slots, chipId, qids } };
  // Either of two conditions and a third one is more than a query can say.
  const isPlain = own.conditions.length === 0 || base?.join === 'and' || base?.conditions.length === 1;
  if (!isSelection || base.beside !== null || !isPlain) return { ...nothing, open: many };
  return {
    slots: { ...slots, chipId, qids: base.qids, excluded: [...base.excluded, ...slots.excluded] },
    whose: {
      conditions: [...base.conditions, ...own.conditions],
      join: own.conditions.length === 0 ? base.join : 'and',
    },
    open: null,
  };
}

/** Qubits of the first line that names any, and of the list that it begins; `isCut` where the answer leaves out some. Couplings are not qubits. */
function namedIn(answer: string | null): { readonly qids: readonly string[]; readonly isCut: boolean } {
  if (answer === null) return { qids: [], isCut: true };
  const lines = answer.split('\n');
  const labelsOf = (line: string): readonly string[] =>
    [...line.matchAll(/(?<![\w-])Q0*(\d+)(?![\w-])/gu)].map(([, qid]) => qid ?? '');
  const first = lines.findIndex((line) => labelsOf(line).length > 0);
  if (first < 0) return { qids: [], isCut: false };
  const isItem = (line: string | undefined): boolean => line?.startsWith('- ') ?? false;
  const end = isItem(lines[first]) ? lines.findIndex((line, at) => at > first && !isItem(line)) : first + 1;
  const list = lines.slice(first, end < 0 ? undefined : end);
  return {
    qids: [...new Set(list.flatMap(labelsOf))],
    isCut: list.some((line) => /\band \d+ more\b|ほか\d+個/u.test(line)),
  };
}
