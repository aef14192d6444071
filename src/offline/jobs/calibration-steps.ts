/** Steps of a plan of the next calibrations: what is below its limits, what failed, what is old, and in which order. */
import { z } from 'zod';
import { planned, type Answers } from '../analyst/answers.ts';
import {
  LOOKED_AT,
  countsOf,
  failureCalls,
  failuresIn,
  hasValues,
  measured,
  ofValues,
  planOf,
  rankedParameters,
  rankingsOf,
  stillFailed,
  type Proposal,
} from './calibration-plan.ts';
import { citation, notesOn } from './calls.ts';
import { rowWords } from './rankings.ts';
import { foundIn, type Step } from './step.ts';
import { table } from './table.ts';
import type { Subject } from './subject.ts';

/** The plan as a table. */
const PLAN = 'next-calibrations.csv';

/** The first of the plan point at their records. */
const CITED = 3;
/** Lines of the plan that the report tells; the file holds all. */
const TOLD = 12;

const tasks = z.object({ entities: z.array(z.object({ name: z.string() })) });
const knownTasks = planned('list_entities', { kind: 'task', name_contains: null });

/** What is below its limits or old. */
export const needs: Step = {
  key: 'needs',
  id: '60-needs',
  needs: ['rank_qubits'],
  calls: rankingsOf,
  note(subject, answers) {
    const { calibration, values } = subject.words;
    const all = rankedParameters(subject, answers);
    if (!hasValues(subject, answers)) return { nothing: calibration.noNeeds };
    const missing = all.reduce((sum, { ranked }) => sum + ranked.missing, 0);
    return {
      headline: calibration.needs(
        LOOKED_AT,
        measured(subject).length,
        countsOf(ofValues(subject, answers)),
        missing,
      ),
      remarks: all
        .filter(({ ranked }) => ranked.rows.length > 0)
        .map(({ parameter, ranked: { rows, title, measured: of } }) => {
          const shown = rows.slice(0, LOOKED_AT).map((row) => rowWords(row, subject));
          return values.ranked('worst', title, shown, of, isOfCouplings(parameter));
        }),
      withLines: false,
    };
  },
};

const isOfCouplings = (parameter: string): boolean =>
  parameter.startsWith('zx90') || parameter.startsWith('bell');

/** What failed. */
export const failures: Step = {
  key: 'failures',
  id: '65-failures',
  needs: ['search_task_results'],
  calls: failureCalls,
  note(subject, answers) {
    const { calibration, values } = subject.words;
    const [all, open] = [failuresIn(subject, answers), stillFailed(subject, answers)];
    return {
      headline: all.length === 0 ? values.noFailures : calibration.repeated(all.length, open.length),
      remarks: open.map(({ task, label, time, message }) => values.failure(task, label, time, message)),
      withLines: false,
    };
  },
};

/** Calls that a plan is made from. */
export const planReads = (subject: Subject, answers: Answers) => [
  ...rankingsOf(subject, answers),
  ...failureCalls(subject, answers),
  notesOn(subject, null),
];

/** The order, as a table and in words. */
export const order: Step = {
  key: 'order',
  id: '70-order',
  needs: ['rank_qubits', 'search_task_results', 'list_entities'],
  reads: planReads,
  calls(subject, answers) {
    const { order: all } = planOf(subject, answers);
    const cited = all.filter(({ parameter }) => parameter !== '').slice(0, CITED);
    return [
      knownTasks,
      planned('write_file', { path: PLAN, content: csvOf(all, subject.words.calibration.csvHeads) }),
      ...cited.map(({ qid, parameter }) => citation(subject, qid, parameter)),
    ];
  },
  note(subject, answers) {
    const { calibration: words } = subject.words;
    const { order: all, left } = planOf(subject, answers);
    if (all.length + left.length === 0 && !hasValues(subject, answers)) return { nothing: words.noOrder };
    const unknown = unknownTasks(all, answers);
    const rows = all
      .slice(0, subject.brief.count ?? TOLD)
      .map(({ label, task, reason }, at) => [String(at + 1), task, label, reason]);
    return {
      headline: all.length === 0 ? words.nothingToDo : words.proposed(all.length, countsOf(all), left.length),
      blocks: rows.length === 0 ? [] : [words.rule, table(words.heads, rows)],
      remarks: [
        ...(all.length > 0 && all.every(({ isOld }) => isOld) ? [words.allOld] : []),
        ...(all.length > rows.length ? [words.wholeOrder(PLAN)] : []),
        ...left.map((each) => words.left(each, each.note)),
        ...(unknown.length === 0 || all.length === 0 ? [] : [words.neverRan(unknown)]),
      ],
      withLines: false,
    };
  },
};

/** Proposed tasks that the project never ran; none where its tasks could not be listed. */
function unknownTasks(all: readonly Proposal[], answers: Answers): readonly string[] {
  const listed = tasks.safeParse(foundIn(answers, knownTasks)?.data).data?.entities;
  if (listed === undefined) return [];
  const known = new Set(listed.map(({ name }) => name));
  return [...new Set(all.map(({ task }) => task))].filter((task) => !known.has(task));
}

function csvOf(all: readonly Proposal[], heads: readonly string[]): string {
  const rows = all.map(({ priority, label, task, parameter, reason }, at) => [
    String(at + 1),
    String(priority),
    label,
    task,
    parameter,
    reason,
  ]);
  return [heads, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

const csvCell = (text: string): string => (/[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
