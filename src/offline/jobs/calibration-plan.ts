/** The plan of the next calibrations as it follows from rankings, failed runs and notes of people. */
import type { Answers, PlannedCall } from '../analyst/answers.ts';
import { taskRuns } from './calls.ts';
import { forbids, qubitNotes } from './people.ts';
import { rankedIn, rankingCalls, type Ranked } from './rankings.ts';
import { failedIn, newestIn, type Run } from './runs.ts';
import { isInScope, type Subject } from './subject.ts';
import type { ProposalCounts } from './words/job-words.ts';

/** Which task measures a parameter, as QDash names them; told as a proposal where the chip never ran it. */
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
/** Of each parameter so many are looked at. */
export const LOOKED_AT = 10;
/** Older values are measured first; the shipped catalogue calls coherence times stale after as long. */
const OLD_HOURS = 48;
const HOUR_MS = 3_600_000;

/** The parameters that a plan looks at. */
export const measured = ({ metrics, brief }: Subject): readonly string[] =>
  brief.metrics.length > 0 || brief.only.length > 0
    ? metrics
    : [...new Set([...metrics, ...GATE_METRICS])].filter((name) => !brief.lessMetrics.includes(name));

/** The rankings of each of them. */
export const rankingsOf = (subject: Subject, answers: Answers): readonly PlannedCall[] =>
  measured(subject).flatMap((metric) => rankingCalls(subject, metric, answers));

/** The rankings that were answered. */
export const rankedParameters = (subject: Subject, answers: Answers) =>
  measured(subject).flatMap((parameter) => {
    const ranked = rankedIn(subject, parameter, answers);
    return ranked === null ? [] : [{ parameter, ranked }];
  });

/** Whether there is any value to judge by. */
export const hasValues = (subject: Subject, answers: Answers): boolean =>
  rankedParameters(subject, answers).some(({ ranked }) => ranked.rows.length > 0);

const FAILED_RUNS = 20;
/** Failed runs whose later history is looked at. */
const FOLLOWED_FAILURES = 8;

/** What failed, each task and qubit once, newest first. */
export function failuresIn(subject: Subject, answers: Answers): readonly Run[] {
  const all = failedIn(subject, answers, FAILED_RUNS);
  const isFirst = (run: Run, at: number): boolean =>
    all.findIndex(({ task, qid }) => task === run.task && qid === run.qid) === at;
  return all.filter(isFirst).slice(0, FOLLOWED_FAILURES);
}

/** The failed runs, and of each the newest run of that task: whether it was repeated since. */
export const failureCalls = (subject: Subject, answers: Answers): readonly PlannedCall[] => [
  taskRuns(subject, { failed: true, lastN: FAILED_RUNS }),
  ...failuresIn(subject, answers).map(({ task, qid }) => taskRuns(subject, { task, qid, lastN: 1 })),
];

/** Failures that no later run made good. */
export const stillFailed = (subject: Subject, answers: Answers): readonly Run[] =>
  failuresIn(subject, answers).filter((failure) => newestIn(subject, answers, failure)?.isFailed ?? true);

/** One proposed measurement; the lower `priority`, the earlier. */
export type Proposal = {
  readonly priority: number;
  readonly qid: string;
  readonly label: string;
  /** Empty where a failed task gives none that is known. */
  readonly parameter: string;
  readonly task: string;
  readonly reason: string;
  /** Older than two days, or of unknown age. */
  readonly isOld: boolean;
};

/** What is proposed, and what a person's note keeps from being proposed. */
export type Plan = {
  readonly order: readonly Proposal[];
  readonly left: readonly (Proposal & { note: string })[];
};

/** The plan that follows from what was answered. */
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
export function countsOf(all: readonly Proposal[]): ProposalCounts {
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

/** What the worst values of the rankings ask for. */
export const ofValues = (subject: Subject, answers: Answers): readonly Proposal[] =>
  rankedParameters(subject, answers).flatMap(({ parameter, ranked }) =>
    ofRanking(subject, parameter, ranked).filter(({ qid }) => isInScope(subject, qid)),
  );

function ofRanking(subject: Subject, parameter: string, { rows, title }: Ranked): readonly Proposal[] {
  const { calibration, values } = subject.words;
  return rows.slice(0, LOOKED_AT).flatMap(({ qid, label, shown, rating, measuredAt }) => {
    const hours =
      measuredAt === null ? null : Math.max(0, subject.now.getTime() - Date.parse(measuredAt)) / HOUR_MS;
    const isOld = hours === null || hours > OLD_HOURS;
    const priority = rating === 'BAD' ? 1 : isOld ? 3 : rating === 'FAIR' ? 4 : null;
    if (priority === null) return [];
    const age = hours === null ? calibration.measuredUnknown : calibration.measuredAgo(hours);
    const rated = rating === null || rating === 'UNKNOWN' ? [] : [values.rating(rating)];
    const reason = [shown, ...rated, age].join(subject.words.language === 'ja' ? '、' : ', ');
    const task = TASKS[parameter] ?? calibration.taskFor(title);
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
    reason: subject.words.calibration.runFailed(message),
    isOld: false,
  }));
