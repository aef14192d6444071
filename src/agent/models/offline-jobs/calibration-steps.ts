/** Steps of a plan of the next calibrations: what is below its limits, what failed, what is old, and in which order. */
import { z } from 'zod';
import { countOf, formatQuantity } from '../../../domain/display-text.ts';
import { planned, type Answers } from '../offline-analyst/answers.ts';
import { citation, ranking, taskRuns } from './calls.ts';
import { foundIn, type Step, type Subject } from './step.ts';

/** The plan as a table. */
const PLAN = 'next-calibrations.csv';

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
const LOOKED_AT = 10;
const CITED = 3;
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
const tasks = z.object({ entities: z.array(z.object({ name: z.string() })) });

const measured = ({ metrics }: Subject): readonly string[] => [
  ...new Set([...metrics, 'x90_gate_fidelity', ...COUPLING_METRICS]),
];
const rankingsOf = (subject: Subject) =>
  measured(subject).map((metric) => ranking(subject.chipId, metric, 'worst', LOOKED_AT));
const failedRuns = ({ chipId }: Subject) => taskRuns(chipId, { failed: true, lastN: 20 });
/** Failed runs whose later history is looked at. */
const FOLLOWED_FAILURES = 8;

/** Each task and qubit once, newest first. */
function failuresIn(subject: Subject, answers: Answers): readonly Run[] {
  const all = runs.safeParse(foundIn(answers, failedRuns(subject))?.data).data?.results ?? [];
  const isFirst = (run: Run, at: number): boolean =>
    all.findIndex(({ task_name, qid }) => task_name === run.task_name && qid === run.qid) === at;
  return all.filter(isFirst).slice(0, FOLLOWED_FAILURES);
}

/** The newest run of a task that failed: whether it was repeated since. */
const newestRun = ({ chipId }: Subject, { task_name, qid }: Run) =>
  planned('search_task_results', {
    chip_id: chipId,
    task_name,
    qid,
    status: null,
    execution_id: null,
    last_n: 1,
  });

function stillFailed(subject: Subject, answers: Answers): readonly Run[] {
  return failuresIn(subject, answers).filter((failure) => {
    const newest = runs.safeParse(foundIn(answers, newestRun(subject, failure))?.data).data?.results[0];
    return newest === undefined || newest.status.toLowerCase() === 'failed';
  });
}

const knownTasks = planned('list_entities', { kind: 'task', name_contains: null });

/** One proposed measurement; the lower `priority`, the earlier. */
type Proposal = {
  readonly priority: number;
  readonly qid: string;
  readonly parameter: string;
  readonly task: string;
  readonly reason: string;
};

/** Bad values first, then failed runs, then old values, then fair ones; each measurement once, for its first reason. */
function proposals(subject: Subject, answers: Answers): readonly Proposal[] {
  const all = [...ofValues(subject, answers), ...ofFailures(subject, answers)];
  const sorted = all.toSorted((a, b) => a.priority - b.priority);
  const keyOf = ({ task, qid }: Proposal): string => `${task} ${qid}`;
  return sorted.filter((each, at) => sorted.findIndex((other) => keyOf(other) === keyOf(each)) === at);
}

function ofValues(subject: Subject, answers: Answers): readonly Proposal[] {
  return measured(subject).flatMap((parameter, at) => {
    const call = rankingsOf(subject)[at];
    const parsed = rankedRows.safeParse(call && foundIn(answers, call)?.data);
    if (!parsed.success) return [];
    const { rows, scale, display_unit: unit } = parsed.data;
    return rows.flatMap(({ qid, value, rating, measured_at }) => {
      const hours =
        measured_at === null ? null : (subject.now.getTime() - Date.parse(measured_at)) / 3_600_000;
      const isOld = hours === null || hours > OLD_HOURS;
      const priority = rating === 'BAD' ? 1 : isOld ? 3 : rating === 'FAIR' ? 4 : null;
      if (priority === null) return [];
      const age = hours === null ? 'measured at an unknown time' : `measured ${Math.round(hours)} h ago`;
      const words = rating === null || rating === 'UNKNOWN' ? '' : `, ${rating.toLowerCase()}`;
      const reason = `${formatQuantity(value * scale, unit)}${words}, ${age}`;
      return [{ priority, qid, parameter, task: TASKS[parameter] ?? `a task for ${parameter}`, reason }];
    });
  });
}

function ofFailures(subject: Subject, answers: Answers): readonly Proposal[] {
  return stillFailed(subject, answers).map(({ task_name: task, qid, message }) => ({
    priority: 2,
    qid,
    parameter: Object.keys(TASKS).find((name) => TASKS[name] === task) ?? '',
    task,
    reason: `the run failed: ${message ?? 'no message'}`,
  }));
}

/** What is below its limits or old. */
export const needs: Step = {
  id: '01-needs',
  todo: 'Find the values that are below their limits, or old.',
  title: 'What needs measuring',
  needs: ['rank_qubits'],
  calls: rankingsOf,
  note(subject, answers) {
    const all = ofValues(subject, answers);
    const count = (priority: number): number => all.filter((each) => each.priority === priority).length;
    return {
      headline: `Among the ${LOOKED_AT} worst of each of ${measured(subject).length} parameters, ${count(1)} values are bad, ${count(3)} old and ${count(4)} fair.`,
    };
  },
};

/** What failed. */
export const failures: Step = {
  id: '02-failures',
  todo: 'Find the runs that failed and were not repeated.',
  title: 'Failed runs',
  needs: ['search_task_results'],
  calls: (subject, answers) => [
    failedRuns(subject),
    ...failuresIn(subject, answers).map((failure) => newestRun(subject, failure)),
  ],
  note(subject, answers) {
    const [all, open] = [failuresIn(subject, answers), stillFailed(subject, answers)];
    return {
      headline:
        all.length === 0
          ? 'No failed run is stored.'
          : `Of the newest ${countOf(all.length, 'failed measurement')}, ${open.length} were not repeated with success since.`,
      remarks: open.map(
        ({ task_name, qid, message }) => `${task_name} on ${nameOf(qid)}: ${message ?? 'no message'}`,
      ),
      withLines: false,
    };
  },
};

/** `Q45`, or `Q8-Q5` for a coupling. */
const nameOf = (qid: string): string =>
  qid
    .split('-')
    .map((part) => (/^\d+$/u.test(part) ? `Q${part}` : part))
    .join('-');

/** The order, as a table and in words. */
export const order: Step = {
  id: '03-order',
  todo: `Put the measurements into an order and write it to ${PLAN}.`,
  title: 'Proposed order',
  needs: ['rank_qubits', 'search_task_results', 'list_entities'],
  reads: (subject, answers) => [
    ...rankingsOf(subject),
    failedRuns(subject),
    ...failuresIn(subject, answers).map((failure) => newestRun(subject, failure)),
  ],
  calls(subject, answers) {
    const all = proposals(subject, answers);
    const rows = all.map(({ priority, qid, task, parameter, reason }, at) =>
      [at + 1, priority, qid, task, parameter, reason].map((cell) => csvCell(String(cell))).join(','),
    );
    const cited = all.filter(({ priority, parameter }) => priority === 1 && parameter !== '').slice(0, CITED);
    return [
      knownTasks,
      planned('write_file', {
        path: PLAN,
        content: ['order,priority,qid,task,parameter,reason', ...rows, ''].join('\n'),
      }),
      ...cited.map(({ qid, parameter }) => citation(subject.chipId, qid, parameter)),
    ];
  },
  note(subject, answers) {
    const all = proposals(subject, answers);
    const known = new Set(
      tasks.safeParse(foundIn(answers, knownTasks)?.data).data?.entities.map(({ name }) => name) ?? [],
    );
    const unknown = [...new Set(all.map(({ task }) => task))].filter((task) => !known.has(task));
    const count = (priority: number): number => all.filter((each) => each.priority === priority).length;
    return {
      headline:
        all.length === 0
          ? 'Nothing needs measuring: no value is below its limits or old, and no run failed.'
          : `${countOf(all.length, 'measurement')} proposed: ${count(1)} for bad values, ${count(2)} for failed runs, ${count(3)} for old values, ${count(4)} for fair values.`,
      remarks: [
        'Order: bad values, then failed runs, then values older than 48 h, then fair values. Measure again before anything is changed: one run is no trend.',
        ...all
          .slice(0, 12)
          .map(({ qid, task, reason }, at) => `${at + 1}. ${task} on ${nameOf(qid)}: ${reason}`),
        ...(all.length > 12 ? [`The whole order is in ${PLAN}.`] : []),
        ...(unknown.length === 0 || all.length === 0
          ? []
          : [`This project never ran ${unknown.join(', ')}: use what measures the same there.`]),
      ],
      withLines: false,
    };
  },
};

const csvCell = (text: string): string => (/[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
