/** What a job stands at for the analyst: its brief with all notes of reviews, of which the earlier ones stand in the report. */
import { readBrief } from './brief.ts';
import { REPORT, reading, textIn, type JobPrompt, type JobTurn } from './move.ts';
import { oneLine, reviewNotesIn } from './report.ts';
import { subjectOf, type Subject } from './subject.ts';

/** A job as it is worked on now. */
export type Assignment = {
  readonly subject: Subject;
  /** With which the work was sent back, oldest first. */
  readonly reviewNotes: readonly string[];
  /** Text of the report; null where there is none. */
  readonly report: string | null;
  /** Whether that report follows the newest note, if there is any. */
  readonly isReported: boolean;
  /** Where the notes of this round of work stand: each return from review begins anew. */
  readonly folder: string;
};

/** The call that has to be answered before a job is known: an earlier report holds earlier notes of reviews. */
export const knownBy = ({ files }: JobPrompt) => (files.includes(REPORT) ? [reading(REPORT)] : []);

/** The job as prompt and report say it. */
export function assignmentOf(prompt: JobPrompt, turn: JobTurn): Assignment {
  const report = prompt.files.includes(REPORT) ? textIn(turn.answers, reading(REPORT)) : null;
  const before = report === null ? [] : reviewNotesIn(report);
  const newest = prompt.reviewNote === null ? null : oneLine(prompt.reviewNote);
  const isKnown = newest === null || before.includes(newest);
  const reviewNotes = newest === null || isKnown ? before : [...before, newest];
  const { task, ownInstructions, chipId } = prompt;
  const brief = readBrief({
    task: task.normalize('NFKC'),
    ownInstructions: ownInstructions?.normalize('NFKC') ?? null,
    reviewNotes: reviewNotes.map((note) => note.normalize('NFKC')),
  });
  return {
    subject: subjectOf(brief, chipId, turn.now),
    reviewNotes,
    report,
    isReported: report !== null && isKnown,
    folder: reviewNotes.length === 0 ? 'notes' : `notes/review-${reviewNotes.length}`,
  };
}

/** The notes of this round of work, in the order of the report. */
export const notePaths = ({ files }: JobPrompt, { folder }: Assignment): readonly string[] =>
  files
    .filter((path) => path.startsWith(`${folder}/`) && /^[^/]+\.md$/u.test(path.slice(folder.length + 1)))
    .toSorted();
