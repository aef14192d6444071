/** From the notes of a job to its report: what was asked, what was found, the evidence, its limits, and the references. */
import { ageWords } from './age-words.ts';
import { headlineOf, timesIn } from './step.ts';

/** What a report is written from. */
export type ReportParts = {
  readonly expertId: string;
  readonly chipId: string | null;
  readonly task: string;
  /** Texts of the notes, in their order. */
  readonly notes: readonly string[];
  /** Titles of steps for which the expert has no tools. */
  readonly left: readonly string[];
  readonly now: Date;
};

const TITLES: Readonly<Record<string, string>> = {
  researcher: 'Investigation',
  coder: 'Analysis',
  writer: 'Calibration report',
  calibrator: 'Plan of the next calibrations',
};

const REFERENCE = /^\[(\d+)\] /u;

/** The report as Markdown. */
export function reportText({ expertId, chipId, task, notes, left, now }: ReportParts): string {
  const references = new Map(
    notes.flatMap((note) =>
      note.split('\n').flatMap((line) => {
        const number = REFERENCE.exec(line)?.[1];
        return number === undefined ? [] : [[Number(number), line] as const];
      }),
    ),
  );
  return [
    `# ${TITLES[expertId] ?? 'Report'}: ${chipId ?? "the project's newest chip"}`,
    `Written ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC by the offline analyst: fixed rules over stored results, no language model.`,
    `Task: ${task.replaceAll(/\s+/gu, ' ').trim()}`,
    `## Result\n\n${[...notes.map(headlineOf), ...ageLines(notes, now)].map((line) => `- ${line}`).join('\n')}`,
    ...notes.map(sectionOf),
    `## What was not checked\n\n${uncheckedLines(left)
      .map((line) => `- ${line}`)
      .join('\n')}`,
    ...(references.size === 0
      ? []
      : [
          `## References\n\n${[...references]
            .toSorted(([a], [b]) => a - b)
            .map(([, line]) => line)
            .join('\n\n')}`,
        ]),
    '',
  ].join('\n\n');
}

/** A note as a section; its finding stands in the result, its references at the end, where only their numbers are told. */
function sectionOf(note: string): string {
  const [title = '', headline = '', ...parts] = note.split('\n\n').map((part) => part.trim());
  const numbers = parts.flatMap((part) =>
    part.split('\n').flatMap((line) => REFERENCE.exec(line)?.[1] ?? []),
  );
  const body = parts.filter((part) => part !== '' && !REFERENCE.test(part));
  const cited = numbers.length === 0 ? [] : [`Records: ${numbers.map((number) => `[${number}]`).join(' ')}`];
  return [title.replace(/^# /u, '## '), headline, ...body, ...cited].join('\n\n');
}

/** From when the results are, and how old the newest of them is. */
function ageLines(notes: readonly string[], now: Date): readonly string[] {
  const times = notes.flatMap(timesIn).toSorted();
  const [oldest, newest] = [times[0], times.at(-1)];
  if (oldest === undefined || newest === undefined) return ['Of no result the time of measurement is known.'];
  const age = ageWords(new Date(`${newest.replace(' ', 'T')}Z`), now);
  return [`All of this is from stored results of ${oldest} to ${newest} UTC; the newest is ${age} old.`];
}

const uncheckedLines = (left: readonly string[]): readonly string[] => [
  'The task was read for parameters and a chip only; whatever else it asks for needs a language model.',
  'Stored results only: nothing was measured, and nothing was compared with live values.',
  'Values that are excluded or of failed runs are in no figure; causes outside of stored runs and notes were not looked for.',
  ...(left.length === 0 ? [] : [`Left out, since this expert has no tools for it: ${left.join(', ')}.`]),
];

/** The findings of a report, for the words that end its job. */
export function resultOf(report: string): string {
  const after = report.split('## Result\n\n')[1] ?? '';
  return after.split('\n\n## ', 1)[0]?.trim() ?? '';
}
