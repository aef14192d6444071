/** What pronouns of a clause stand for. */
import type { Ask } from './query.ts';
import type { Slots } from './slots.ts';

type Pointed = { readonly base: Ask | null; readonly answer: string; readonly qid: string | null };

/**
 * `it`, `that qubit`, `them`: the qubits asked about before, else those that the answer named first; `this qubit`:
 * the selected one.
 */
export function withPointers(clause: string, slots: Slots, { base, answer, qid }: Pointed): Slots {
  if (slots.qids.length > 0) return slots;
  if (/\bthis qubit\b|この量子ビット/iu.test(clause) && qid !== null) return { ...slots, qids: [qid] };
  const one = /\bits?\b|\bthat (?:one|qubit)\b|\bthe (?:same )?qubit\b(?! frequenc)|その量子ビット/iu.test(
    clause,
  );
  const many = /\bthem\b|\bthose\b|\bthese\b|\btheir\b|それら/iu.test(clause);
  if (!one && !many) return slots;
  const known = base !== null && base.qids.length > 0 ? base.qids : qubitsNamedIn(answer);
  return { ...slots, qids: many ? known.slice(0, 8) : known.slice(0, 1) };
}

/** Qubits of the first line that names any; couplings are not qubits. */
function qubitsNamedIn(answer: string): readonly string[] {
  for (const line of answer.split('\n')) {
    const labels = [...line.matchAll(/(?<![\w-])Q0*(\d+)(?![\w-])/gu)].map(([, qid]) => qid ?? '');
    if (labels.length > 0) return [...new Set(labels)];
  }
  return [];
}
