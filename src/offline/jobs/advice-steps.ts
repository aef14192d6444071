/** Steps that recommend: the measurement that would decide, and what to do, from what the other steps found. */
import { newestOf } from '../../domain/claims/timed.ts';
import { countsOf, hasValues, planOf } from './calibration-plan.ts';
import { planReads } from './calibration-steps.ts';
import { chipSummary, course, notesOn } from './calls.ts';
import { comparedIn, comparisonsOf, followedIn, worseOf } from './changes.ts';
import { forbids, qubitNotes } from './qubit-notes.ts';
import type { Step } from './step.ts';
import { foundIn, type Answers } from '../shared/tool-answers.ts';
import { titleOf, type Subject } from './subject.ts';

/** The measurement that would decide. */
export const next: Step = {
  reads: (subject, answers) => [
    ...comparisonsOf(subject),
    ...followedIn(subject, answers).map(({ label, parameter }) => course(subject, label, parameter)),
  ],
  calls: () => [],
  note(subject, answers) {
    const { t } = subject;
    const advice = followedIn(subject, answers).map(({ qid, label, parameter }) => {
      const titles = worseOf(subject, answers, qid);
      const [only] = titles;
      if (only === undefined) {
        return t(comparedIn(subject, answers) === 0 ? 'measureNow' : 'waitFor', {
          label,
          title: titleOf(parameter),
        });
      }
      const isLasting = foundIn(answers, course(subject, label, parameter))?.formattedSummary.includes(
        '(worse)',
      );
      return titles.length > 1 || isLasting === true
        ? t('repeatSeveral', { label, titles })
        : t('repeatOnce', { label, title: only });
    });
    const [first, ...others] = advice;
    return first === undefined ? { nothing: t('nothingNext') } : { headline: first, remarks: others };
  },
};

/** Nobody reads more. */
const MOST_ADVICE = 5;
const OLD_HOURS = 48;
const HOUR_MS = 3_600_000;

/** At most five, each with its reason. */
export const recommendations: Step = {
  reads: (subject, answers) => [chipSummary(subject), ...planReads(subject, answers), notesOn(subject, null)],
  calls: () => [],
  note(subject, answers) {
    const { t, claim } = subject;
    const newest = newestIn(subject, answers);
    const hours = newest === null ? 0 : Math.max(0, subject.now.getTime() - newest.at.getTime()) / HOUR_MS;
    const isOld = hours > OLD_HOURS;
    const { order } = planOf(subject, answers);
    const runs = isOld && countsOf(order).old === order.length ? [] : order;
    const all = [
      ...(newest !== null && isOld && hasValues(subject, answers)
        ? [claim('claim.adviseOld', [newest], { hours })]
        : []),
      ...qubitNotes(subject, answers)
        .filter(forbids)
        .map(({ label, text }) => t('adviseNote', { label, note: text })),
      ...runs.map((run) => t('adviseRun', run)),
    ].slice(0, MOST_ADVICE);
    const isKnown = hasValues(subject, answers);
    const [first = t(isKnown ? 'adviseNothing' : 'adviseFirst')] = all;
    return all.length < 2
      ? { headline: first }
      : { headline: t('advised', { count: all.length }), remarks: all };
  },
};

/** The chip's newest value; null where no time is known. */
const newestIn = (subject: Subject, answers: Answers) =>
  newestOf([foundIn(answers, chipSummary(subject))?.freshness?.newestAt ?? null], (time) =>
    time === null ? null : new Date(time),
  );
