/** What became worse, as it follows from comparisons of two times. */
import { z } from 'zod';
import { normaliseQid } from '../../domain/qid.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import type { Answers, PlannedCall } from '../analyst/answers.ts';
import { comparison } from './calls.ts';
import { labelIn } from './labels.ts';
import { foundIn } from './step.ts';
import { isInScope, namedQubits, titleOf, type Subject } from './subject.ts';
import type { ChangeWords } from './words/job-words.ts';

const answer = z.object({
  display_unit: z.string(),
  scale: z.number(),
  rows: z.array(
    z.object({
      entity: z.string(),
      current: z.number().nullable(),
      previous: z.number().nullable(),
      sigma: z.number().nullable(),
      better: z.boolean().nullable(),
    }),
  ),
});

/** A value that became worse by more than its errors explain. */
export type Suspect = {
  readonly parameter: string;
  readonly qid: string;
  readonly label: string;
  readonly sigma: number;
  readonly words: ChangeWords;
};

/** Below this a change is taken for scatter: of 64 qubits about one in six weeks passes it by chance. */
export const SUSPECT_SIGMA = 3;
const FOLLOWED = 3;

/** The comparisons of all parameters of the job, qubit by qubit. */
export const comparisonsOf = (subject: Subject): readonly PlannedCall[] =>
  subject.metrics.map((metric) => comparison(subject, metric, 'qubit'));

/** How many values there are in both times. */
export const comparedIn = (subject: Subject, answers: Answers): number =>
  subject.metrics
    .flatMap((metric) => rowsOf(subject, metric, answers))
    .filter(({ current, previous }) => current !== null && previous !== null).length;

/** The worst first; a qubit is there once for each parameter that became worse. */
export function suspectsIn(subject: Subject, answers: Answers): readonly Suspect[] {
  const all = subject.metrics.flatMap((parameter) =>
    rowsOf(subject, parameter, answers).flatMap(({ entity, sigma, better, now, before }) => {
      if (better !== false || sigma === null || Math.abs(sigma) < SUSPECT_SIGMA) return [];
      const by = Math.abs(sigma);
      const words = { title: titleOf(parameter), label: entity, now, before, sigma: by.toFixed(1) };
      return [{ parameter, qid: normaliseQid(entity), label: entity, sigma: by, words }];
    }),
  );
  return all.toSorted((a, b) => b.sigma - a.sigma);
}

function rowsOf(subject: Subject, metric: string, answers: Answers) {
  const compared = answer.safeParse(foundIn(answers, comparison(subject, metric, 'qubit'))?.data);
  if (!compared.success) return [];
  const { rows, scale, display_unit: unit } = compared.data;
  const show = (value: number | null): string => formatQuantity(value === null ? null : value * scale, unit);
  return rows
    .filter(({ entity }) => isInScope(subject, entity))
    .map((row) => ({ ...row, now: show(row.current), before: show(row.previous) }));
}

/** A qubit whose change is followed to its runs, and the parameter by which. */
export type Followed = { readonly qid: string; readonly label: string; readonly parameter: string };

/** The clearest change of each of the worst qubits; then those that the job names, whether they changed or not. */
export function followedIn(subject: Subject, answers: Answers): readonly Followed[] {
  const all = suspectsIn(subject, answers);
  const worst = all.filter(({ qid }, at) => all.findIndex((other) => other.qid === qid) === at);
  const [parameter = 't1'] = subject.metrics;
  const named = namedQubits(subject)
    .filter((qid) => !worst.some((suspect) => suspect.qid === qid))
    .map((qid) => ({ qid, label: labelIn(answers, qid), parameter }));
  return [...worst, ...named].slice(0, FOLLOWED);
}

/** All that became worse of one qubit, as titles. */
export const worseOf = (subject: Subject, answers: Answers, qid: string): readonly string[] =>
  suspectsIn(subject, answers)
    .filter((suspect) => suspect.qid === qid)
    .map(({ parameter }) => titleOf(parameter));
