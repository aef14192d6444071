/** Runs of tasks, as steps read them. */
import { z } from 'zod';
import { dataIn, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { taskRuns } from './calls.ts';
import { labelIn, isInScope, type Subject } from './subject.ts';

const answer = z.object({
  results: z.array(
    z.object({
      task_name: z.string(),
      qid: z.string(),
      status: z.string(),
      /** Absent where a run has no message. */
      message: z.string().nullish(),
      start_at: z.string().nullish(),
      end_at: z.string().nullish(),
    }),
  ),
});

/** A run of a task. */
export type Run = {
  readonly task: string;
  readonly qid: string;
  /** `Q45`, or `Q08-Q05` for a coupling. */
  readonly label: string;
  readonly isFailed: boolean;
  /** As the tool prints it; empty where unknown. */
  readonly time: string;
  readonly message: string | null;
};

/** The newest `lastN` failed runs of the chip, those within the job's scope. */
export const failedIn = (subject: Subject, answers: Answers, lastN: number): readonly Run[] =>
  runsIn(subject, answers, taskRuns(subject, { failed: true, lastN })).filter(({ qid }) =>
    isInScope(subject, qid),
  );

/** The newest run of a task on a qubit; null where none was found. */
export const newestIn = (subject: Subject, answers: Answers, { task, qid }: Run): Run | null =>
  runsIn(subject, answers, taskRuns(subject, { task, qid, lastN: 1 }))[0] ?? null;

function runsIn(subject: Subject, answers: Answers, call: PlannedCall): readonly Run[] {
  const results = dataIn(answers, call, answer)?.results ?? [];
  return results.map(({ task_name: task, qid, status, message, start_at, end_at }) => ({
    task,
    qid,
    label: labelIn(answers, qid),
    isFailed: status.toLowerCase() === 'failed',
    time: withYear(end_at || start_at || '', subject.now),
    message: message || null,
  }));
}

/** Tools leave out the current year. */
const withYear = (time: string, now: Date): string =>
  /^\d\d-\d\d /u.test(time) ? `${now.getUTCFullYear()}-${time}` : time;

/** The time of a run; null where it is unknown. */
export function dateOf(time: string): Date | null {
  const read = new Date(`${time.slice(0, 16).replace(' ', 'T')}Z`);
  return Number.isNaN(read.getTime()) ? null : read;
}

/** `CheckT1 on Q12, 2026-05-19 23:48: …`. */
export const runText = ({ task, label, time, message }: Run, { t }: Subject): string =>
  t('failure', { task, label, time, message });
