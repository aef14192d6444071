/** Steps of an investigation: what changed, and outliers. */
import { z } from 'zod';
import { front, ranked } from '../../domain/claims/ranked.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { dataIn, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { citation, outliers } from './calls.ts';
import { SUSPECT_SIGMA, comparedIn, comparisonsOf, suspectsIn } from './changes.ts';
import type { Step } from './step.ts';
import { isInScope, isNarrowed, qubitMetrics, titleOf, type Subject } from './subject.ts';

/** Findings that a headline names. */
const REPORTED = 3;

/** What changed within the job's window. */
export const changes: Step = {
  calls: comparisonsOf,
  note(subject, answers) {
    const { t, claim, windowHours: hours } = subject;
    const compared = comparedIn(subject, answers);
    if (compared === 0) return { nothing: t('notCompared', { hours }) };
    const suspects = suspectsIn(subject, answers);
    const values = { count: suspects.rows.length, compared, sigma: SUSPECT_SIGMA, hours };
    if (suspects.rows.length === 0) return { headline: t('noneWorse', values) };
    const clearest = front(suspects, REPORTED).shown.map(
      ({ row: { parameter, label, now, before, sigma } }) =>
        t('worseValue', { title: titleOf(parameter), label, now, before, sigma: sigma.toFixed(1) }),
    );
    return { headline: claim('claim.worse', [suspects], { ...values, clearest }) };
  },
};

const outlierRows = z.object({
  outliers: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      parameter: z.string(),
      value: z.number(),
      scale: z.number(),
      display_unit: z.string(),
      score: z.number(),
    }),
  ),
});

/** One search for all parameters, or one for each that the job names. */
const searchesOf = (subject: Subject): readonly PlannedCall[] =>
  (subject.request.metrics.length > 0 ? qubitMetrics(subject) : [null]).map((metric) =>
    outliers(subject, metric),
  );

const farthest = (subject: Subject, answers: Answers) =>
  ranked(
    searchesOf(subject)
      .flatMap((call) => dataIn(answers, call, outlierRows)?.outliers ?? [])
      .filter(({ qid }) => isInScope(subject, qid)),
    { order: 'farthest', descending: true, by: ({ score }) => Math.abs(score) },
  );

/** Values far from the rest of the chip. */
export const outlierSearch: Step = {
  calls: (subject, answers) => [
    ...searchesOf(subject),
    ...front(farthest(subject, answers), REPORTED).shown.map(({ row: { qid, parameter } }) =>
      citation(subject, qid, parameter),
    ),
  ],
  note(subject, answers) {
    const { t, claim, request } = subject;
    const all = farthest(subject, answers);
    const withLines = !isNarrowed(subject);
    if (all.rows.length === 0) return { headline: t('noOutliers'), withLines };
    const shown = front(all, request.count ?? REPORTED).shown.map(
      ({ row: { label, parameter, value, scale, display_unit: unit, score } }) =>
        t('outlier', {
          title: titleOf(parameter),
          label,
          value: formatQuantity(value * scale, unit),
          deviations: Math.abs(score).toFixed(1),
          isHuge: Math.abs(score) > 100,
          isBelow: score < 0,
        }),
    );
    const values = { count: all.rows.length, farthest: shown };
    return { headline: claim('claim.outliers', [all], values), withLines };
  },
};
