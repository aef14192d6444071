/** The plan of the next calibrations as it follows from rankings, failed runs and notes of people. */
import { z } from 'zod';
import { formatQuantity } from '../../../domain/display-text.ts';
import { planned, type Answers } from '../offline-analyst/answers.ts';
import { ageWords, hoursBetween } from './age-words.ts';
import { ranking, taskRuns } from './calls.ts';
import { forbids, qubitNotes } from './people.ts';
import { foundIn, type Subject } from './step.ts';

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

const COUPLING_METRICS = ['zx90_gate_fidelity'];
/** Of each parameter so many are looked at. */
export const LOOKED_AT = 10;
/** Older values are measured first; the shipped catalogue calls coherence times stale after as long. */
const OLD_HOURS = 48;

const rankedRows = z.object({
  scale: z.number(),
  display_unit: z.string(),
  rows: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      value: z.number(),
      rating: z.string().nullable(),
      measured_at: z.string().nullable(),
    }),
  ),
});
const runs = z.object({
  results: z.array(
    z.object({
      task_name: z.string(),
      qid: z.string(),
      status: z.string(),
      message: z.string().nullable(),
    }),
  ),
});
type Run = z.infer<typeof runs>['results'][number];

/** The parameters that a plan looks at. */
export const measured = ({ metrics }: Subject): readonly string[] => [
  ...new Set([...metrics, 'x90_gate_fidelity', ...COUPLING_METRICS]),
];
/** The worst of each of them. */
export const rankingsOf = (subject: Subject) =>
  measured(subject).map((metric) => ranking(subject.chipId, metric, 'worst', LOOKED_AT));
/** The newest runs that failed. */
export const failedRuns = ({ chipId }: Subject) => taskRuns(chipId, { failed: true, lastN: 20 });
/** Failed runs whose later history is looked at. */
const FOLLOWED_FAILURES = 8;

/** What failed, each task and qubit once, newest first. */
export function failuresIn(subject: Subject, answers: Answers): readonly Run[] {
  const all = runs.safeParse(foundIn(answers, failedRuns(subject))?.data).data?.results ?? [];
  const isFirst = (run: Run, at: number): boolean =>
    all.findIndex(({ task_name, qid }) => task_name === run.task_name && qid === run.qid) === at;
  return all.filter(isFirst).slice(0, FOLLOWED_FAILURES);
}

/** The newest run of a task that failed: whether it was repeated since. */
export const newestRun = ({ chipId }: Subject, { task_name, qid }: Run) =>
  planned('search_task_results', {
    chip_id: chipId,
    task_name,
    qid,
    status: null,
    execution_id: null,
    last_n: 1,
  });

/** Failures that no later run made good. */
export function stillFailed(subject: Subject, answers: Answers): readonly Run[] {
  return failuresIn(subject, answers).filter((failure) => {
    const newest = runs.safeParse(foundIn(answers, newestRun(subject, failure))?.data).data?.results[0];
    return newest === undefined || newest.status.toLowerCase() === 'failed';
  });
}

/** One proposed measurement; the lower `priority`, the earlier. */
export type Proposal = {
  readonly priority: number;
  readonly qid: string;
  readonly label: string;
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
  const notes = qubitNotes(subject.chipId, answers).filter(forbids);
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

/** Bad values first, then failed runs, then old values, then fair ones; each measurement once, for its first reason. */
function proposals(subject: Subject, answers: Answers): readonly Proposal[] {
  const all = [...ofValues(subject, answers), ...ofFailures(subject, answers)];
  const sorted = all.toSorted((a, b) => a.priority - b.priority);
  const keyOf = ({ task, qid }: Proposal): string => `${task} ${qid}`;
  return sorted.filter((each, at) => sorted.findIndex((other) => keyOf(other) === keyOf(each)) === at);
}

/** What the values of the rankings ask for. */
export function ofValues(subject: Subject, answers: Answers): readonly Proposal[] {
  return measured(subject).flatMap((parameter, at) => {
    const call = rankingsOf(subject)[at];
    const parsed = rankedRows.safeParse(call && foundIn(answers, call)?.data);
    if (!parsed.success) return [];
    const { rows, scale, display_unit: unit } = parsed.data;
    return rows.flatMap(({ qid, label, value, rating, measured_at }) => {
      const measuredAt = measured_at === null ? null : new Date(measured_at);
      const isOld = measuredAt === null || hoursBetween(measuredAt, subject.now) > OLD_HOURS;
      const priority = rating === 'BAD' ? 1 : isOld ? 3 : rating === 'FAIR' ? 4 : null;
      if (priority === null) return [];
      const age =
        measuredAt === null
          ? 'measured at an unknown time'
          : `measured ${ageWords(measuredAt, subject.now)} ago`;
      const words = rating === null || rating === 'UNKNOWN' ? '' : `, ${rating.toLowerCase()}`;
      const reason = `${formatQuantity(value * scale, unit)}${words}, ${age}`;
      return [
        {
          priority,
          qid,
          label,
          parameter,
          task: TASKS[parameter] ?? `a task for ${parameter}`,
          reason,
          isOld,
        },
      ];
    });
  });
}

function ofFailures(subject: Subject, answers: Answers): readonly Proposal[] {
  return stillFailed(subject, answers).map(({ task_name: task, qid, message }) => ({
    priority: 2,
    qid,
    label: nameOf(qid),
    parameter: Object.keys(TASKS).find((name) => TASKS[name] === task) ?? '',
    task,
    reason: `the run failed: ${message ?? 'no message'}`,
    isOld: false,
  }));
}

/** `Q45`, or `Q8-Q5` for a coupling. */
export const nameOf = (qid: string): string =>
  qid
    .split('-')
    .map((part) => (/^\d+$/u.test(part) ? `Q${part}` : part))
    .join('-');
