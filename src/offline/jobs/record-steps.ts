/** Steps on what is on record: failed runs, people's notes, and the chip's means over a period. */
import { newestOf } from '../../domain/claims/timed.ts';
import { foundIn, type PlannedCall } from '../shared/tool-answers.ts';
import { linesIn } from '../shared/text.ts';
import { comparison, executions, notesOn, taskRuns } from './calls.ts';
import { qubitNotes } from './qubit-notes.ts';
import { dateOf, failedIn, runText } from './runs.ts';
import type { Step } from './step.ts';
import { isInScope, titleOf } from './subject.ts';

/** Failed runs that are looked at. */
const FAILED_RUNS = 20;
/** Failed runs that are listed one by one. */
const FAILED_REPORTED = 6;

/** Failed runs, calibrations, and people's notes. */
export const incidents: Step = {
  calls: (subject) => [
    taskRuns(subject, { failed: true, lastN: FAILED_RUNS }),
    executions(subject),
    notesOn(subject, null),
  ],
  note(subject, answers) {
    const { t, claim, toolLine } = subject;
    const failed = failedIn(subject, answers, FAILED_RUNS);
    const noted = [...new Set(qubitNotes(subject, answers).map(({ label }) => label))];
    const linesOf = (call: PlannedCall): readonly string[] =>
      linesIn(foundIn(answers, call)?.formattedSummary ?? '').map(toolLine);
    const noteLines = linesIn(foundIn(answers, notesOn(subject, null))?.formattedSummary ?? '').filter(
      (line) => {
        const [, about] = /^On (?:a result of )?(Q[\d-]+(?:-Q\d+)?)/u.exec(line) ?? [];
        return about === undefined || isInScope(subject, about);
      },
    );
    const newest = newestOf(failed, ({ time }) => dateOf(time));
    return {
      headline: [
        failed.length === 0
          ? t('noFailures')
          : t('runsFound', { count: failed.length, isMore: failed.length >= FAILED_RUNS }),
        ...(newest === null
          ? []
          : [claim('claim.newestRun', [newest], { run: runText(newest.row, subject) })]),
        ...(noted.length === 0 ? [] : [t('notesOn', { labels: noted })]),
      ].join(' '),
      remarks: [
        ...failed.slice(0, FAILED_REPORTED).map((run) => runText(run, subject)),
        ...linesOf(executions(subject)).slice(0, 1),
        ...noteLines.map(toolLine),
      ],
      withLines: false,
    };
  },
};

/** The chip's means over the window, against the window before. */
export const period: Step = {
  calls: (subject) => subject.metrics.map((metric) => comparison(subject, metric, 'chip')),
  note(subject, answers) {
    const { t, toolLine } = subject;
    const means = subject.metrics.flatMap((metric) => {
      const lines = linesIn(foundIn(answers, comparison(subject, metric, 'chip'))?.formattedSummary ?? '');
      const mean = lines.find((line) => line.includes(', before '));
      return mean === undefined
        ? []
        : [{ head: lines[0] ?? '', text: t('meanOf', { title: titleOf(metric), line: toolLine(mean) }) }];
    });
    const [first] = means;
    if (first === undefined) return { nothing: t('notCompared', { hours: subject.windowHours }) };
    return {
      headline: means.map(({ text }) => text).join(' '),
      remarks: [toolLine(first.head)],
      withLines: false,
    };
  },
};
