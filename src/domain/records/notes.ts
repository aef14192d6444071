/** Notes of two kinds: settings that control software recorded, and remarks of people. */
import type { JsonObject } from '../visuals.ts';

/** Parameters that the control software kept for a run, by type and qubit label: machine data, not remarks. */
export type MachineNote = {
  readonly chipId: string;
  readonly executionId: string;
  readonly taskId: string;
  readonly note: JsonObject;
  readonly timestamp: Date;
};

/** What a list of machine notes is narrowed by. */
export type MachineNoteFilter = { readonly executionId?: string | null; readonly taskId?: string | null };

/** What a person wrote about. */
export const NOTE_SUBJECTS = ['CHIP', 'QUBIT', 'COUPLING', 'TASK_RESULT'] as const;
export type NoteSubject = (typeof NOTE_SUBJECTS)[number];

/** A remark of a person. */
export type HumanNote = {
  readonly subject: NoteSubject;
  /** Qubit or coupling; null for remarks on the whole chip. */
  readonly qid: string | null;
  /** The one metric it is about; null for remarks on all of it. */
  readonly metric: string | null;
  readonly taskId: string | null;
  /** Null where it holds for all time. */
  readonly cooldownId: string | null;
  readonly text: string;
  readonly author: string | null;
  readonly updatedAt: Date | null;
};

/** Newest first, each once: databases keep an old remark in two places. Remarks without a time come last. */
export function newestNotes<Note extends HumanNote>(notes: readonly Note[]): readonly Note[] {
  const keyOf = ({ subject, qid, metric, taskId, cooldownId, text }: HumanNote): string =>
    JSON.stringify([subject, qid, metric, taskId, cooldownId, text]);
  const timeOf = ({ updatedAt }: HumanNote): number => updatedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  const order = (a: Note, b: Note): number => {
    const [timeA, timeB] = [timeOf(a), timeOf(b)];
    return timeA === timeB ? (keyOf(a) < keyOf(b) ? -1 : 1) : timeA > timeB ? -1 : 1;
  };
  const unique = new Map<string, Note>();
  for (const note of notes.toSorted(order)) if (!unique.has(keyOf(note))) unique.set(keyOf(note), note);
  return [...unique.values()];
}
