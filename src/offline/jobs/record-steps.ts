/** Steps that tell what is on record: failed runs, notes of people, and the chip's means over a time. */
import type { PlannedCall } from '../analyst/answers.ts';
import { linesIn } from '../analyst/text.ts';
import { comparison, executions, notesOn, taskRuns } from './calls.ts';
import { qubitNotes } from './people.ts';
import { failedIn } from './runs.ts';
import { foundIn, type Step } from './step.ts';
import { isInScope, titleOf } from './subject.ts';

/** Failed runs that are looked at. */
const FAILED_RUNS = 20;
/** Failed runs that are told one by one. */
const FAILED_TOLD = 6;

/** Failed runs, calibrations, and what people noted. */
export const incidents: Step = {
  key: 'incidents',
  id: '45-incidents',
  needs: ['search_task_results', 'get_calibration_notes'],
  calls: (subject) => [
    taskRuns(subject, { failed: true, lastN: FAILED_RUNS }),
    executions(subject),
    notesOn(subject, null),
  ],
  note(subject, answers) {
    const { values: words, toolLine } = subject.words;
    const failed = failedIn(subject, answers, FAILED_RUNS);
    const told = failed.map(({ task, label, time, message }) => words.failure(task, label, time, message));
    const noted = [...new Set(qubitNotes(subject, answers).map(({ label }) => label))];
    const linesOf = (call: PlannedCall): readonly string[] =>
      linesIn(foundIn(answers, call)?.formattedSummary ?? '').map(toolLine);
    const people = linesIn(foundIn(answers, notesOn(subject, null))?.formattedSummary ?? '').filter(
      (line) => {
        const [, about] = /^On (?:a result of )?(Q[\d-]+(?:-Q\d+)?)/u.exec(line) ?? [];
        return about === undefined || isInScope(subject, about);
      },
    );
    const [newest] = told;
    return {
      headline: [
        newest === undefined
          ? words.noFailures
          : words.failures(failed.length, failed.length >= FAILED_RUNS, newest),
        ...(noted.length === 0 ? [] : [words.notesOn(noted)]),
      ].join(' '),
      remarks: [
        ...told.slice(0, FAILED_TOLD),
        ...linesOf(executions(subject)).slice(0, 1),
        ...people.map(toolLine),
      ],
      withLines: false,
    };
  },
};

/** The chip's means over the time, against the time before. */
export const period: Step = {
  key: 'period',
  id: '35-period',
  needs: ['compare_periods'],
  calls: (subject) => subject.metrics.map((metric) => comparison(subject, metric, 'chip')),
  note(subject, answers) {
    const { changes: words, toolLine } = subject.words;
    const means = subject.metrics.flatMap((metric) => {
      const lines = linesIn(foundIn(answers, comparison(subject, metric, 'chip'))?.formattedSummary ?? '');
      const mean = lines.find((line) => line.includes(', before '));
      return mean === undefined
        ? []
        : [{ head: lines[0] ?? '', text: words.meanOf(titleOf(metric), toolLine(mean)) }];
    });
    const [first] = means;
    if (first === undefined) return { nothing: words.notCompared(subject.windowHours) };
    return {
      headline: means.map(({ text }) => text).join(' '),
      remarks: [toolLine(first.head)],
      withLines: false,
    };
  },
};
