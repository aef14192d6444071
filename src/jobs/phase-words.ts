import type { JobPhaseKind } from '../domain/job.ts';

/** What a phase turn is asked, as it stands in the log: short, for people. What the model is told is in its prompt. */
export function phaseQuestion(kind: JobPhaseKind, number: number): string {
  switch (kind) {
    case 'PLANNING':
      return `Phase ${number}: plan what comes next, or finish.`;
    case 'WORKING':
      return `Phase ${number}: work on the to-dos.`;
    default:
      return kind satisfies never;
  }
}
