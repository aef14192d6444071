/** Values that became worse, from comparisons of two periods. */
import { z } from 'zod';
import { ranked, type Ranked } from '../../domain/claims/ranked.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { dataIn, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { comparison } from './calls.ts';
import { labelIn, isInScope, namedQubits, titleOf, type Subject } from './subject.ts';

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
  /** In display scale. */
  readonly now: string;
  readonly before: string;
};

/** A smaller change counts as scatter; of 64 qubits about one passes this by chance in six weeks. */
export const SUSPECT_SIGMA = 3;
const FOLLOWED = 3;

/** The comparisons of all parameters of the job, qubit by qubit. */
export const comparisonsOf = (subject: Subject): readonly PlannedCall[] =>
  subject.metrics.map((metric) => comparison(subject, metric, 'qubit'));

/** How many values there are in both periods. */
export const comparedIn = (subject: Subject, answers: Answers): number =>
  rowsOf(subject, answers).filter(({ current, previous }) => current !== null && previous !== null).length;

/** Those that became worse, the clearest in front, once for each qubit and parameter. */
export const suspectsIn = (subject: Subject, answers: Answers): Ranked<Suspect> =>
  ranked(
    rowsOf(subject, answers).flatMap(({ parameter, entity, sigma, better, now, before }) =>
      better !== false || sigma === null || Math.abs(sigma) < SUSPECT_SIGMA
        ? []
        : [{ parameter, qid: normaliseQid(entity), label: entity, sigma: Math.abs(sigma), now, before }],
    ),
    { order: 'clearest', descending: true, by: ({ sigma }) => sigma },
  );

const rowsOf = (subject: Subject, answers: Answers) =>
  subject.metrics.flatMap((parameter) => {
    const read = dataIn(answers, comparison(subject, parameter, 'qubit'), answer);
    const { rows = [], scale = 1, display_unit: unit = '' } = read ?? {};
    const show = (value: number | null): string =>
      formatQuantity(value === null ? null : value * scale, unit);
    return rows
      .filter(({ entity }) => isInScope(subject, entity))
      .map((row) => ({ ...row, parameter, now: show(row.current), before: show(row.previous) }));
  });

/** A qubit whose change is traced back to its runs, and the parameter that changed. */
export type Followed = { readonly qid: string; readonly label: string; readonly parameter: string };

/** The clearest change of each of the worst qubits; then the qubits that the job names, changed or not. */
export function followedIn(subject: Subject, answers: Answers): readonly Followed[] {
  const all = suspectsIn(subject, answers).rows.map(({ row }) => row);
  const worst = all.filter(({ qid }, at) => all.findIndex((other) => other.qid === qid) === at);
  const [parameter = 't1'] = subject.metrics;
  const named = namedQubits(subject)
    .filter((qid) => !worst.some((suspect) => suspect.qid === qid))
    .map((qid) => ({ qid, label: labelIn(answers, qid), parameter }));
  return [...worst, ...named].slice(0, FOLLOWED);
}

/** Titles of the parameters of a qubit that became worse. */
export const worseOf = (subject: Subject, answers: Answers, qid: string): readonly string[] =>
  suspectsIn(subject, answers).rows.flatMap(({ row }) => (row.qid === qid ? [titleOf(row.parameter)] : []));
