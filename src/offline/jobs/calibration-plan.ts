/** The plan of the next calibrations, from rankings, failed runs and people's notes. */
import { front } from '../../domain/claims/ranked.ts';
import { COUPLING_METRICS } from '../../domain/questions/vocabulary.ts';
import type { Answers, PlannedCall } from '../shared/tool-answers.ts';
import { taskRuns } from './calls.ts';
import { forbids, qubitNotes } from './qubit-notes.ts';
import { isRated, rankingCalls, rankingsIn, type Ranking } from './rankings.ts';
import { failedIn, newestIn, type Run } from './runs.ts';
import { titleOf, type Subject } from './subject.ts';

/** The task that measures a parameter, by QDash's names; the plan marks tasks that the project never ran. */
const TASKS: Readonly<Record<string, string>> = {
  t1: 'CheckT1',
  t2_echo: 'CheckT2Echo',
  t2_star: 'CheckRamsey',
  qubit_frequency: 'CheckRamsey',
  average_readout_fidelity: 'ReadoutClassification',
  x90_gate_fidelity: 'X90InterleavedRandomizedBenchmarking',
  zx90_gate_fidelity: 'ZX90InterleavedRandomizedBenchmarking',
  bell_state_fidelity: 'CheckBellStateTomography',
};

const GATE_METRICS = ['x90_gate_fidelity', 'zx90_gate_fidelity'];
/** Values of each parameter that are looked at. */
export const LOOKED_AT = 10;
/** Older values are measured first; the shipped catalogue calls coherence times stale after the same time. */
const OLD_HOURS = 48;
const HOUR_MS = 3_600_000;

/** The parameters that a plan looks at. */
export const measured = ({ metrics, request }: Subject): readonly string[] =>
  request.metrics.length > 0 || request.only.length > 0
    ? metrics
    : [...new Set([...metrics, ...GATE_METRICS])].filter(
        (name) =>
          !request.lessMetrics.includes(name) &&
          !(request.leftOut.includes('couplings') && COUPLING_METRICS.has(name)),
      );

/** The rankings of each of them. */
export const rankingsOf = (subject: Subject, answers: Answers): readonly PlannedCall[] =>
  measured(subject).flatMap((metric) => rankingCalls(subject, metric, answers));

/** The rankings that were answered. */
export const rankedParameters = (subject: Subject, answers: Answers): readonly Ranking[] =>
  rankingsIn(subject, measured(subject), answers);

/** Whether any value was found. */
export const hasValues = (subject: Subject, answers: Answers): boolean =>
  rankedParameters(subject, answers).some(({ rows }) => rows.length > 0);

const FAILED_RUNS = 20;
/** Failed runs whose later history is looked at. */
const FOLLOWED_FAILURES = 8;

/** Failed runs, each task and qubit once, newest first. */
export function failuresIn(subject: Subject, answers: Answers): readonly Run[] {
  const all = failedIn(subject, answers, FAILED_RUNS);
  const isFirst = (run: Run, at: number): boolean =>
    all.findIndex(({ task, qid }) => task === run.task && qid === run.qid) === at;
  return all.filter(isFirst).slice(0, FOLLOWED_FAILURES);
}

/** Calls for the failed runs, and for the newest run of each failed task on its qubit: it may have been repeated. */
export const failureCalls = (subject: Subject, answers: Answers): readonly PlannedCall[] => [
  taskRuns(subject, { failed: true, lastN: FAILED_RUNS }),
  ...failuresIn(subject, answers).map(({ task, qid }) => taskRuns(subject, { task, qid, lastN: 1 })),
];

/** Failures that no later run repeated successfully. */
export const stillFailed = (subject: Subject, answers: Answers): readonly Run[] =>
  failuresIn(subject, answers).filter((failure) => newestIn(subject, answers, failure)?.isFailed ?? true);

/** One proposed measurement; the lower `priority`, the earlier. */
export type Proposal = {
  readonly priority: number;
  readonly qid: string;
  readonly label: string;
  /** Empty where the parameter of a failed task is unknown. */
  readonly parameter: string;
  readonly task: string;
  readonly reason: string;
  /** Older than two days, or of unknown age. */
  readonly isOld: boolean;
};

/** The proposals, and those that a person's note rules out. */
export type Plan = {
  readonly order: readonly Proposal[];
  readonly left: readonly (Proposal & { note: string })[];
};

/** The plan that follows from the answers. */
export function planOf(subject: Subject, answers: Answers): Plan {
  const notes = qubitNotes(subject, answers).filter(forbids);
  const noted = (qid: string) => notes.find((note) => qid.split('-').includes(note.qid));
  const all = proposals(subject, answers);
  return {
    order: all.filter(({ qid }) => noted(qid) === undefined),
    left: all.flatMap((each) => {
      const note = noted(each.qid);
      return note === undefined ? [] : [{ ...each, note: note.text }];
    }),
  };
}

/** How many proposals there are of each kind. */
export function countsOf(all: readonly Proposal[]) {
  const count = (priority: number): number => all.filter((each) => each.priority === priority).length;
  return { bad: count(1), failed: count(2), old: count(3), fair: count(4) };
}

/** Bad values first, then failed runs, then old values, then fair ones; each measurement once, for its first reason. */
function proposals(subject: Subject, answers: Answers): readonly Proposal[] {
  const all = [...ofValues(subject, answers), ...ofFailures(subject, answers)];
  const sorted = all.toSorted((a, b) => a.priority - b.priority);
  const keyOf = ({ task, qid }: Proposal): string => `${task} ${qid}`;
  return sorted.filter((each, at) => sorted.findIndex((other) => keyOf(other) === keyOf(each)) === at);
}

/** Proposals for the worst values of the rankings. */
export const ofValues = (subject: Subject, answers: Answers): readonly Proposal[] =>
  rankedParameters(subject, answers).flatMap((ranking) => ofRanking(subject, ranking));

function ofRanking(subject: Subject, { metric: parameter, from }: Ranking): readonly Proposal[] {
  const { t } = subject;
  const { shown: worst } = front(from('worst'), LOOKED_AT);
  return worst.flatMap(({ row: { qid, label, shown, rating, measuredAt } }) => {
    const hours =
      measuredAt === null ? null : Math.max(0, subject.now.getTime() - Date.parse(measuredAt)) / HOUR_MS;
    const isOld = hours === null || hours > OLD_HOURS;
    const priority = rating === 'BAD' ? 1 : isOld ? 3 : rating === 'FAIR' ? 4 : null;
    if (priority === null) return [];
    const age = hours === null ? t('measuredUnknown') : t('measuredAgo', { hours });
    const rated = isRated(rating) ? [t('rating', { rating })] : [];
    const reason = t('reason', { value: shown, parts: [...rated, age] });
    const task = TASKS[parameter] ?? t('taskFor', { title: titleOf(parameter) });
    return [{ priority, qid, label, parameter, task, reason, isOld }];
  });
}

const ofFailures = (subject: Subject, answers: Answers): readonly Proposal[] =>
  stillFailed(subject, answers).map(({ task, qid, label, message }) => ({
    priority: 2,
    qid,
    label,
    parameter: Object.keys(TASKS).find((name) => TASKS[name] === task) ?? '',
    task,
    reason: subject.t('runFailed', { message }),
    isOld: false,
  }));
