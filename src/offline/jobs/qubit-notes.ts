/** People's notes on qubits, and whether they forbid measuring. */
import { foundIn, type Answers } from '../shared/tool-answers.ts';
import { linesIn } from '../shared/text.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { notesOn } from './calls.ts';
import { labelIn, isInScope, type Subject } from './subject.ts';

/** A note on a qubit as a whole, not on one of its results. */
export type QubitNote = { readonly qid: string; readonly label: string; readonly text: string };

/** `On Q45: “text” (author, time; source; state; range).`, also of a metric of the qubit. */
const NOTE = /^On (?:\w+ of )?(Q\d+): “(.*)”(?: \(([^“”]*(?:“.*”[^“”]*)?)\))?\.$/u;

/** Notes on qubits that the job is about, as the tool lists them; none that is settled or of a range that is over. */
export function qubitNotes(subject: Subject, answers: Answers): readonly QubitNote[] {
  const lines = linesIn(foundIn(answers, notesOn(subject, null))?.formattedSummary ?? '');
  return lines.flatMap((line) => {
    const [, written, text = '', beside = ''] = NOTE.exec(line) ?? [];
    if (written === undefined || /; (?:resolved|held until)|AI review/u.test(beside)) return [];
    const qid = normaliseQid(written);
    return isInScope(subject, qid) ? [{ qid, label: labelIn(answers, qid), text }] : [];
  });
}

const FORBIDS =
  /not to be (?:used|touched|measured)|(?:do not|don't|must not|never) (?:use|touch|measure)|out of (?:use|order)|\b(?:open|dead|broken|disabled|unusable)\b|使用(?:禁止|不可|しない)|使わない|断線|故障/iu;

/** Whether a note forbids measuring its qubit. */
export const forbids = ({ text }: Pick<QubitNote, 'text'>): boolean => FORBIDS.test(text);
