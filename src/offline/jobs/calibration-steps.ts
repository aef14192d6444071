/** Steps that plan the next calibrations: what is below its limits, what failed, what is old, and in which order. */
import { z } from 'zod';
import { markdownTable } from '../shared/text.ts';
import { dataIn, planned, type Answers } from '../shared/tool-answers.ts';
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
import { rankedText } from './rankings.ts';
import { runText } from './runs.ts';
import type { Step } from './step.ts';
import type { Subject } from './subject.ts';

/** The plan as a table. */
const PLAN = 'next-calibrations.csv';

/** Proposals whose records are cited. */
const CITED = 3;
/** Lines of the plan in the report; the file has all. */
const REPORTED = 12;

const entities = z.object({ entities: z.array(z.object({ name: z.string() })) });
const knownTasks = planned('list_entities', { kind: 'task' });

/** Values below their limits, and old ones. */
export const needs: Step = {
  calls: rankingsOf,
  note(subject, answers) {
    const all = rankedParameters(subject, answers).filter(({ rows }) => rows.length > 0);
    if (all.length === 0) return { nothing: subject.t('noNeeds') };
    const missing = rankedParameters(subject, answers).reduce((sum, each) => sum + each.missing, 0);
    const claims = all.map(({ from }) => from('worst'));
    return {
      headline: subject.claim('claim.needs', claims, {
        lookedAt: LOOKED_AT,
        parameters: measured(subject).length,
        ...countsOf(ofValues(subject, answers)),
        missing,
      }),
      remarks: all.map((ranking) => rankedText(ranking, 'worst', LOOKED_AT, subject)),
      withLines: false,
    };
  },
};

/** Failed runs. */
export const failures: Step = {
  calls: failureCalls,
  note(subject, answers) {
    const { t } = subject;
    const [all, open] = [failuresIn(subject, answers), stillFailed(subject, answers)];
    return {
      headline: all.length === 0 ? t('noFailures') : t('repeated', { all: all.length, open: open.length }),
      remarks: open.map((run) => runText(run, subject)),
      withLines: false,
    };
  },
};

/** Calls that the plan depends on. */
export const planReads = (subject: Subject, answers: Answers) => [
  ...rankingsOf(subject, answers),
  ...failureCalls(subject, answers),
  notesOn(subject, null),
];

/** The order of the measurements, as a table and in words. */
export const order: Step = {
  reads: planReads,
  calls(subject, answers) {
    const { order: all } = planOf(subject, answers);
    const cited = all.filter(({ parameter }) => parameter !== '').slice(0, CITED);
    return [
      knownTasks,
      planned('write_file', { path: PLAN, content: csvOf(all, subject.t('csvHeads').split(',')) }),
      ...cited.map(({ qid, parameter }) => citation(subject, qid, parameter)),
    ];
  },
  note(subject, answers) {
    const { t } = subject;
    const { order: all, left } = planOf(subject, answers);
    if (all.length + left.length === 0 && !hasValues(subject, answers)) return { nothing: t('noOrder') };
    const unknown = unknownTasks(all, answers);
    const rows = all
      .slice(0, subject.request.count ?? REPORTED)
      .map(({ label, task, reason }, at) => [String(at + 1), task, label, reason]);
    return {
      headline:
        all.length === 0
          ? t('nothingToMeasure')
          : t('proposed', { count: all.length, ...countsOf(all), left: left.length }),
      blocks: rows.length === 0 ? [] : [t('rule'), markdownTable(t('heads').split(','), rows)],
      remarks: [
        ...(all.length > 0 && all.every(({ isOld }) => isOld) ? [t('allOld')] : []),
        ...(all.length > rows.length ? [t('wholeOrder', { path: PLAN })] : []),
        ...left.map(({ task, label, reason, note }) => t('left', { task, label, reason, note })),
        ...(unknown.length === 0 || all.length === 0 ? [] : [t('neverRan', { tasks: unknown })]),
      ],
      withLines: false,
    };
  },
};

/** Proposed tasks that the project never ran; none where its tasks could not be listed. */
function unknownTasks(all: readonly Proposal[], answers: Answers): readonly string[] {
  const listed = dataIn(answers, knownTasks, entities)?.entities;
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
