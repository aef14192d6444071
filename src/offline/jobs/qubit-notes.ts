/** People's notes on qubits, and whether they forbid measuring. */
import { z } from 'zod';
import { foundIn, type Answers } from '../shared/tool-answers.ts';
import { notesOn } from './calls.ts';
import { labelIn, isInScope, type Subject } from './subject.ts';

const notes = z.object({
  human_notes: z.array(z.object({ about: z.string(), qid: z.string().nullable(), text: z.string() })),
});

/** A note on a qubit as a whole, not on one of its results. */
export type QubitNote = { readonly qid: string; readonly label: string; readonly text: string };

/** Notes on qubits that the job is about, newest first. */
export function qubitNotes(subject: Subject, answers: Answers): readonly QubitNote[] {
  const found = notes.safeParse(foundIn(answers, notesOn(subject, null))?.data).data?.human_notes ?? [];
  return found.flatMap(({ about, qid, text }) =>
    about === 'qubit' && qid !== null && isInScope(subject, qid)
      ? [{ qid, label: labelIn(answers, qid), text: text.replaceAll(/\s+/gu, ' ').trim() }]
      : [],
  );
}

const FORBIDS =
  /not to be (?:used|touched|measured)|(?:do not|don't|must not|never) (?:use|touch|measure)|out of (?:use|order)|\b(?:open|dead|broken|disabled|unusable)\b|使用(?:禁止|不可|しない)|使わない|断線|故障/iu;

/** Whether a note forbids measuring its qubit. */
export const forbids = ({ text }: Pick<QubitNote, 'text'>): boolean => FORBIDS.test(text);
