/** The current state of a job: its request with all review notes; the report repeats the earlier ones. */
import { readJobRequest } from './job-request.ts';
import { REPORT, reading, textIn, type JobPrompt, type PhaseTurn } from './phase.ts';
import { oneLine } from '../shared/text.ts';
import { reviewNotesIn } from './report.ts';
import { subjectOf, type Subject } from './subject.ts';

/** A job in its current round of work. */
export type Assignment = {
  readonly subject: Subject;
  /** With which a person sent the job back, oldest first. */
  readonly reviewNotes: readonly string[];
  /** Text of the report; null where there is none. */
  readonly report: string | null;
  /** Whether the report takes account of the newest note, if there is any. */
  readonly isReported: boolean;
  /** Folder of this round's notes: each return from review starts a new one. */
  readonly folder: string;
};

/** The call that has to be answered first: an earlier report repeats earlier review notes. */
export const knownBy = ({ files }: JobPrompt) => (files.includes(REPORT) ? [reading(REPORT)] : []);

/** The job by prompt and report. */
export function assignmentOf(prompt: JobPrompt, turn: PhaseTurn): Assignment {
  const report = prompt.files.includes(REPORT) ? textIn(turn.answers, reading(REPORT)) : null;
  const before = report === null ? [] : reviewNotesIn(report);
  const newest = prompt.reviewNote === null ? null : oneLine(prompt.reviewNote);
  const isKnown = newest === null || before.includes(newest);
  const reviewNotes = newest === null || isKnown ? before : [...before, newest];
  const { task, ownInstructions, chipId } = prompt;
  const request = readJobRequest({
    task: task.normalize('NFKC'),
    ownInstructions: ownInstructions?.normalize('NFKC') ?? null,
    reviewNotes: reviewNotes.map((note) => note.normalize('NFKC')),
    now: turn.now,
  });
  return {
    subject: subjectOf(request, chipId, turn.now),
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
