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
export const NOTE_SUBJECTS = ['PROJECT', 'CHIP', 'QUBIT', 'COUPLING', 'TASK_RESULT'] as const;
export type NoteSubject = (typeof NOTE_SUBJECTS)[number];

/** Where a laboratory leaves remarks. */
export const NOTE_SOURCES = [
  'NOTE',
  'COMMENT',
  'RESULT_NOTE',
  'COOLDOWN',
  'ISSUE',
  'KNOWLEDGE',
  'FORUM',
  'AI_REVIEW',
] as const;
export type NoteSource = (typeof NOTE_SOURCES)[number];

/** Who imported data, in the field that databases keep for users. What it writes is no remark of a person. */
export const IMPORTER = 'qpilot';

/** A remark of a person, or of a language model that was asked to review a result or to join a discussion. */
export type HumanNote = {
  readonly source: NoteSource;
  /** Written by a model, not by a person. */
  readonly isAi: boolean;
  readonly subject: NoteSubject;
  /** Qubit or coupling; null for remarks on the whole chip. */
  readonly qid: string | null;
  /** The one metric it is about; null for remarks on all of it. */
  readonly metric: string | null;
  readonly taskId: string | null;
  /** Null where it is not bound to a cool-down. */
  readonly cooldownId: string | null;
  /** The range that it is about, where it was given one or its cool-down has one; null for an open end. */
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  /** Title of the discussion that it is part of. */
  readonly title: string | null;
  /** Whether its discussion was closed as settled; null where nothing is to be settled. */
  readonly isResolved: boolean | null;
  readonly text: string;
  readonly author: string | null;
  readonly updatedAt: Date | null;
};

/** How far a source of remarks was searched. */
export type NoteSearch = {
  readonly source: NoteSource;
  /** False for a source that this database does not have. */
  readonly isKept: boolean;
  /** Only so many of its newest were read, and there may be more; null if all were. */
  readonly newest: number | null;
};

/** Remarks, newest first, and what was searched for them. */
export type RecordedNotes = {
  readonly notes: readonly HumanNote[];
  readonly searched: readonly NoteSearch[];
};

/** Newest first, each once: databases keep an old remark in two places. Remarks without a time come last. */
export function newestNotes<Note extends HumanNote>(notes: readonly Note[]): readonly Note[] {
  const keyOf = ({ source, subject, qid, metric, taskId, cooldownId, author, text }: HumanNote): string =>
    JSON.stringify([source, subject, qid, metric, taskId, cooldownId, author, text]);
  const timeOf = ({ updatedAt }: HumanNote): number => updatedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  const order = (a: Note, b: Note): number => {
    const [timeA, timeB] = [timeOf(a), timeOf(b)];
    return timeA === timeB ? (keyOf(a) < keyOf(b) ? -1 : 1) : timeA > timeB ? -1 : 1;
  };
  const unique = new Map<string, Note>();
  for (const note of notes.toSorted(order)) if (!unique.has(keyOf(note))) unique.set(keyOf(note), note);
  return [...unique.values()];
}
