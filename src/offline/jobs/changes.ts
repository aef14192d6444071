/** Values that became worse, what is on record behind them, and the measurement that would decide. */
import { z } from 'zod';
import { front, ranked, type Ranked } from '../../domain/claims/ranked.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { firstCalls } from '../analyst/plan.ts';
import { linesIn } from '../shared/text.ts';
import { dataIn, foundIn, type Answers } from '../shared/tool-answers.ts';
import {
  askOf,
  changingIn,
  comparisonsOf,
  firstOf,
  hoursOf,
  isInScope,
  labelOf,
  metricsOf,
  partsOf,
  titleOf,
  type Job,
} from './job.ts';
import { linesOf, listOf, type Step } from './section.ts';

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

/** A smaller change counts as scatter; of 64 qubits about one passes this by chance in six weeks. */
const SUSPECT_SIGMA = 3;
/** Qubits that are followed, and changes that a finding names. */
const FOLLOWED = 3;

/** A part's parameter, and whether it became worse by more than its errors explain. */
type Change = {
  readonly parameter: string;
  readonly label: string;
  readonly sigma: number;
  readonly isWorse: boolean;
  readonly now: string;
  readonly before: string;
};

/** What has values in both times. */
function comparedIn(job: Job, answers: Answers): readonly Change[] {
  const metrics = changingIn(job, answers);
  return comparisonsOf(job, answers).flatMap((call, at) => {
    const { rows = [], scale = 1, display_unit: unit = '' } = dataIn(answers, call, answer) ?? {};
    return rows.flatMap(({ entity: label, current, previous, sigma, better }) => {
      if (current === null || previous === null || !isInScope(job, answers, label)) return [];
      const isWorse = better === false && sigma !== null && Math.abs(sigma) >= SUSPECT_SIGMA;
      const [now, before] = [current, previous].map((value) => formatQuantity(value * scale, unit));
      const shown = { now: now ?? '', before: before ?? '' };
      return [{ parameter: metrics[at] ?? '', label, sigma: Math.abs(sigma ?? 0), isWorse, ...shown }];
    });
  });
}

const worseIn = (job: Job, answers: Answers): Ranked<Change> =>
  ranked(
    comparedIn(job, answers).filter(({ isWorse }) => isWorse),
    { order: 'clearest', descending: true, by: ({ sigma }) => sigma },
  );

/** What changed within the job's time. */
export const changes: Step = {
  asks: () => [],
  calls: comparisonsOf,
  text(job, answers) {
    const { t, claim } = job;
    const hours = hoursOf(job);
    const compared = comparedIn(job, answers).length;
    const worse = worseIn(job, answers);
    const values = { count: worse.rows.length, compared, sigma: SUSPECT_SIGMA, hours };
    const clearest = front(worse, FOLLOWED).shown.map(({ row: { parameter, sigma, ...row } }) =>
      t('worseValue', { ...row, title: titleOf(parameter), sigma: sigma.toFixed(1) }),
    );
    const head =
      compared === 0
        ? t('notCompared', { hours })
        : worse.rows.length === 0
          ? t('noneWorse', values)
          : claim('claim.worse', [worse], { ...values, clearest });
    return {
      head: [head],
      tail: listOf(comparisonsOf(job, answers).flatMap((call) => linesOf(call, answers, job))),
    };
  },
};

type Followed = { readonly label: string; readonly parameter: string; readonly worse: readonly string[] };

/** The clearest change of each of the worst parts; then the qubits that the job names, changed or not. */
function followedIn(job: Job, answers: Answers): readonly Followed[] {
  const worse = worseIn(job, answers).rows.map(({ row }) => row);
  const named = partsOf(job, answers).filter((qid) => !isCoupling(qid));
  const labels = [...worse.map(({ label }) => label), ...named.map(labelOf)];
  return firstOf(labels, normaliseQid)
    .slice(0, FOLLOWED)
    .map((label) => {
      const own = worse.filter((each) => each.label === label).map(({ parameter }) => parameter);
      const [parameter = 't1'] = [...own, ...metricsOf(job)];
      return { label, parameter, worse: own.map(titleOf) };
    });
}

/** The course of a parameter of all that is followed for it. */
const trendsOf = (job: Job, followed: readonly Followed[]) =>
  [...Map.groupBy(followed, ({ parameter }) => parameter)].map(([parameter, all]) =>
    askOf(job, { kind: 'trend', metrics: [parameter], qids: all.map(({ label }) => label) }),
  );
const notesOf = (job: Job, { label }: Followed) => askOf(job, { kind: 'notes', qids: [label] });

/** Course, versions, runs and notes behind the clearest changes. */
export const causes: Step = {
  calls: comparisonsOf,
  asks(job, answers) {
    const followed = followedIn(job, answers);
    return [
      ...trendsOf(job, followed),
      ...followed.flatMap((each) => [
        askOf(job, { kind: 'lineage', metrics: [each.parameter], qids: [each.label], lastN: 8 }),
        askOf(job, { kind: 'runs', qids: [each.label], lastN: 5 }),
        notesOf(job, each),
      ]),
    ];
  },
  cites: (job, answers) =>
    followedIn(job, answers).map(({ label, parameter }) => ({ qid: label, parameter })),
  text(job, answers) {
    const { t, words } = job;
    const followed = followedIn(job, answers);
    if (followed.length === 0) return { head: [t('nothingToFollow')] };
    const summaryOf = (ask: ReturnType<typeof notesOf>): readonly string[] =>
      firstCalls(ask).flatMap((call) => linesIn(foundIn(answers, call)?.formattedSummary ?? ''));
    const noted = followed.flatMap(
      (each) => summaryOf(notesOf(job, each)).find((line) => line.startsWith('On ')) ?? [],
    );
    const courses = trendsOf(job, followed).flatMap(summaryOf);
    const isLasting = ({ label }: Followed): boolean =>
      courses.some((line) => line.startsWith(`${label}: `) && line.includes('(worse)'));
    const isKnown = comparedIn(job, answers).length > 0;
    const lines = [patternOf, adviceOf].flatMap((textOf) =>
      followed.map((each) => textOf(each, job, { isKnown, isLasting: isLasting(each) })),
    );
    const people =
      noted.length === 0 ? t('notNoted') : t('noted', { lines: noted.map(words.toolLine).join(' ') });
    return { head: [[...lines, people].join(' '), t('unexplained')] };
  },
};

type Known = { readonly isKnown: boolean; readonly isLasting: boolean };

/** Which values of a qubit became worse. What it comes from no row says. */
function patternOf({ label, worse }: Followed, job: Job, { isKnown, isLasting }: Known): string {
  const [title, ...others] = worse;
  if (title === undefined) return job.t(isKnown ? 'notWorse' : 'notKnown', { label });
  if (others.length > 0) return job.t('together', { label, titles: worse });
  const key = isLasting ? 'lasting' : metricsOf(job).length === 1 ? 'onlyLookedAt' : 'alone';
  return job.t(key, { label, title });
}

/** The measurement that would decide. */
function adviceOf({ label, parameter, worse }: Followed, { t }: Job, { isKnown, isLasting }: Known): string {
  const [title = titleOf(parameter), ...others] = worse;
  if (worse.length === 0) return t(isKnown ? 'waitFor' : 'measureNow', { label, title });
  return others.length > 0 || isLasting
    ? t('repeatSeveral', { label, titles: worse })
    : t('repeatOnce', { label, title });
}
