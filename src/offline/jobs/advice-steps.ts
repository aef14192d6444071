/** Steps that say what to do, from what the other steps found: the measurement that would decide, and recommendations. */
import { z } from 'zod';
import { countsOf, hasValues, planOf } from './calibration-plan.ts';
import { planReads } from './calibration-steps.ts';
import { chipSummary, course, notesOn } from './calls.ts';
import { comparedIn, comparisonsOf, followedIn, worseOf } from './changes.ts';
import { forbids, qubitNotes } from './people.ts';
import { foundIn, type Step } from './step.ts';
import type { Answers } from '../analyst/answers.ts';
import { titleOf, type Subject } from './subject.ts';

/** Which measurement would decide. */
export const next: Step = {
  key: 'next',
  id: '80-next',
  needs: ['compare_periods'],
  reads: (subject, answers) => [
    ...comparisonsOf(subject),
    ...followedIn(subject, answers).map(({ label, parameter }) => course(subject, label, parameter)),
  ],
  calls: () => [],
  note(subject, answers) {
    const { changes: words } = subject.words;
    const advice = followedIn(subject, answers).map(({ qid, label, parameter }) => {
      const titles = worseOf(subject, answers, qid);
      const [only] = titles;
      if (only === undefined) {
        return comparedIn(subject, answers) === 0
          ? words.measureNow(label, titleOf(parameter))
          : words.waitFor(label);
      }
      const isLasting = foundIn(answers, course(subject, label, parameter))?.formattedSummary.includes(
        '(worse)',
      );
      return titles.length > 1 || isLasting === true
        ? words.repeatSeveral(label, titles)
        : words.repeatOnce(label, only);
    });
    const [first, ...others] = advice;
    return first === undefined ? { nothing: words.nothingNext } : { headline: first, remarks: others };
  },
};

/** More of them are no longer read. */
const MOST_ADVICE = 5;
const OLD_HOURS = 48;
const HOUR_MS = 3_600_000;

/** At most five, each with its reason. */
export const recommendations: Step = {
  key: 'recommendations',
  id: '85-recommendations',
  needs: ['rank_qubits', 'search_task_results', 'get_calibration_notes', 'get_chip_summary'],
  reads: (subject, answers) => [chipSummary(subject), ...planReads(subject, answers), notesOn(subject, null)],
  calls: () => [],
  note(subject, answers) {
    const { calibration: words } = subject.words;
    const old = ageHours(subject, answers);
    const { order } = planOf(subject, answers);
    const runs = countsOf(order).old === order.length && old !== null && old > OLD_HOURS ? [] : order;
    const all = [
      ...(old !== null && old > OLD_HOURS && hasValues(subject, answers) ? [words.adviseOld(old)] : []),
      ...qubitNotes(subject, answers)
        .filter(forbids)
        .map(({ label, text }) => words.adviseNote(label, text)),
      ...runs.map(words.adviseRun),
    ].slice(0, MOST_ADVICE);
    const isKnown = hasValues(subject, answers);
    const [first = isKnown ? words.adviseNothing : words.adviseFirst] = all;
    return all.length < 2 ? { headline: first } : { headline: words.advised(all.length), remarks: all };
  },
};

const time = z.iso.datetime();

/** How old the newest value of the chip is; null where no time is known. */
function ageHours(subject: Subject, answers: Answers): number | null {
  const newest = time.safeParse(foundIn(answers, chipSummary(subject))?.freshness?.newestAt);
  return newest.success ? Math.max(0, subject.now.getTime() - Date.parse(newest.data)) / HOUR_MS : null;
}
