/** Steps of a plan of the next calibrations: what is below its limits, what failed, what is old, and in which order. */
import { z } from 'zod';
import { countOf } from '../../../domain/display-text.ts';
import { planned } from '../offline-analyst/answers.ts';
import {
  LOOKED_AT,
  failedRuns,
  failuresIn,
  measured,
  nameOf,
  newestRun,
  ofValues,
  planOf,
  rankingsOf,
  stillFailed,
  type Proposal,
} from './calibration-plan.ts';
import { citation, notesOn } from './calls.ts';
import { foundIn, type Step } from './step.ts';

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
          : `Of the newest ${countOf(all.length, 'failed measurement')}, ${open.length} ${open.length === 1 ? 'was' : 'were'} not repeated with success since.`,
      remarks: open.map(
        ({ task_name, qid, message }) => `${task_name} on ${nameOf(qid)}: ${message ?? 'no message'}`,
      ),
      withLines: false,
    };
  },
};

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
    notesOn(subject.chipId, null),
  ],
  calls(subject, answers) {
    const { order: all } = planOf(subject, answers);
    const rows = all.map(({ priority, label, task, parameter, reason }, at) =>
      [at + 1, priority, label, task, parameter, reason].map((cell) => csvCell(String(cell))).join(','),
    );
    const cited = all.filter(({ parameter }) => parameter !== '').slice(0, CITED);
    return [
      knownTasks,
      planned('write_file', {
        path: PLAN,
        content: ['order,priority,entity,task,parameter,reason', ...rows, ''].join('\n'),
      }),
      ...cited.map(({ qid, parameter }) => citation(subject.chipId, qid, parameter)),
    ];
  },
  note(subject, answers) {
    const { order: all, left } = planOf(subject, answers);
    const known = new Set(
      tasks.safeParse(foundIn(answers, knownTasks)?.data).data?.entities.map(({ name }) => name) ?? [],
    );
    const unknown = [...new Set(all.map(({ task }) => task))].filter((task) => !known.has(task));
    const count = (priority: number): number => all.filter((each) => each.priority === priority).length;
    return {
      headline:
        all.length === 0
          ? 'Nothing needs measuring: no value is below its limits or old, and no run failed.'
          : `${countOf(all.length, 'measurement')} proposed: ${count(1)} for bad values, ${count(2)} for failed runs, ${count(3)} for old values, ${count(4)} for fair values${left.length === 0 ? '' : `; ${left.length} left out because of notes of people`}.`,
      remarks: [
        'Order: bad values, then failed runs, then values older than 48 h, then fair values. Measure again before anything is changed: one run is no trend.',
        ...(isAllOld(all)
          ? [
              'Every value that was looked at is old: run each task once on the whole chip, then make this plan anew.',
            ]
          : []),
        ...all
          .slice(0, TOLD)
          .map(({ label, task, reason }, at) => `${at + 1}. ${task} on ${label}: ${reason}`),
        ...(all.length > TOLD ? [`The whole order is in ${PLAN}.`] : []),
        ...left.map(
          ({ label, task, reason, note }) =>
            `Left out: ${task} on ${label} (${reason}), for a person noted “${note.replaceAll(/\s+/gu, ' ').trim()}”`,
        ),
        ...(unknown.length === 0 || all.length === 0
          ? []
          : [`This project never ran ${unknown.join(', ')}: use what measures the same there.`]),
      ],
      withLines: false,
    };
  },
};

const isAllOld = (all: readonly Proposal[]): boolean => all.length > 0 && all.every(({ isOld }) => isOld);

const csvCell = (text: string): string => (/[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
