/** Steps of an investigation: what changed, and what else stands out. */
import { z } from 'zod';
import { formatQuantity } from '../../domain/text/display-text.ts';
import type { Answers, PlannedCall } from '../analyst/answers.ts';
import { citation, outliers } from './calls.ts';
import { SUSPECT_SIGMA, comparedIn, comparisonsOf, suspectsIn } from './changes.ts';
import { foundIn, type Step } from './step.ts';
import { isInScope, qubitMetrics, titleOf, type Subject } from './subject.ts';

/** Findings that a headline names. */
const TOLD = 3;

/** What changed within the time that the job is about. */
export const changes: Step = {
  key: 'changes',
  id: '15-changes',
  needs: ['compare_periods'],
  calls: comparisonsOf,
  note(subject, answers) {
    const { changes: words } = subject.words;
    const compared = comparedIn(subject, answers);
    if (compared === 0) return { nothing: words.notCompared(subject.windowHours) };
    const suspects = suspectsIn(subject, answers);
    const clearest = suspects.slice(0, TOLD).map((each) => each.words);
    return {
      headline:
        suspects.length === 0
          ? words.noneWorse(compared, SUSPECT_SIGMA, subject.windowHours)
          : words.worse(suspects.length, compared, SUSPECT_SIGMA, subject.windowHours, clearest),
    };
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
  (subject.brief.metrics.length > 0 ? qubitMetrics(subject) : [null]).map((metric) =>
    outliers(subject, metric),
  );

/** The farthest values first. */
function farthest(subject: Subject, answers: Answers) {
  const rows = searchesOf(subject).flatMap(
    (call) => outlierRows.safeParse(foundIn(answers, call)?.data).data?.outliers ?? [],
  );
  return rows
    .filter(({ qid }) => isInScope(subject, qid))
    .toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score));
}

/** Values far from the rest of the chip. */
export const strangers: Step = {
  key: 'outliers',
  id: '40-outliers',
  needs: ['find_outliers'],
  calls: (subject, answers) => [
    ...searchesOf(subject),
    ...farthest(subject, answers)
      .slice(0, TOLD)
      .map(({ qid, parameter }) => citation(subject, qid, parameter)),
  ],
  note(subject, answers) {
    const { values: words } = subject.words;
    const all = farthest(subject, answers);
    const told = all
      .slice(0, subject.brief.count ?? TOLD)
      .map(({ label, parameter, value, scale, display_unit, score }) =>
        words.outlier(titleOf(parameter), label, formatQuantity(value * scale, display_unit), score),
      );
    const isNarrowed = subject.brief.qids.length + subject.brief.excludedQids.length > 0;
    if (all.length === 0) return { headline: words.noOutliers, withLines: !isNarrowed };
    return { headline: words.outliers(all.length, told), withLines: !isNarrowed };
  },
};
