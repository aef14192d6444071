/** What the offline analyst does for one to-do of a job: calls of tools, and a note about what they said. */
import { isFound, keyOf, type Answers, type Found, type PlannedCall } from '../offline-analyst/answers.ts';
import { linesIn } from '../offline-analyst/text.ts';

/** What a job is about, as far as its words say. */
export type Subject = {
  readonly chipId: string | null;
  /** Parameters that the task names, else the main ones. */
  readonly metrics: readonly string[];
  readonly now: Date;
};

/** One to-do that the analyst knows how to do. */
export type Step = {
  /** Names its note, `notes/<id>.md`. */
  readonly id: string;
  /** The to-do's words, by which it is known again in a later phase. */
  readonly todo: string;
  /** Heading of its part of the report. */
  readonly title: string;
  /** Without these it is not planned. */
  readonly needs: readonly string[];
  /** Calls whose answers the others follow from; they are told by another step. */
  readonly reads?: (subject: Subject, answers: Answers) => readonly PlannedCall[];
  /** All calls that are known to be needed by now; more may follow from their answers. */
  readonly calls: (subject: Subject, answers: Answers) => readonly PlannedCall[];
  /** The finding in a sentence, and what is to be said beside the tools' own lines. */
  readonly note?: (subject: Subject, answers: Answers) => StepNote;
};

/** The analyst's own words on a step. */
export type StepNote = {
  readonly headline: string | null;
  readonly remarks?: readonly string[];
  /** Whether the lines of the tools follow; true if absent. */
  readonly withLines?: boolean;
};

/** The answer to a call, if it was found. */
export function foundIn(answers: Answers, call: PlannedCall): Found | null {
  const answer = answers.get(keyOf(call));
  return answer !== undefined && isFound(answer) ? answer : null;
}

const AGE = /^Stored results, /u;
const REFERENCE = /^\[\d+\] /u;

/** The note of a step whose calls were all answered, as Markdown: heading, finding, lines, age, references. */
export function noteOf(step: Step, subject: Subject, answers: Answers): string {
  const calls = step.calls(subject, answers);
  const own = step.note?.(subject, answers) ?? { headline: null };
  const found = calls.flatMap((call) => foundIn(answers, call) ?? []);
  const lines = found.flatMap(({ formattedSummary }) => linesIn(formattedSummary));
  const told = lines.filter((line) => !AGE.test(line) && !REFERENCE.test(line));
  const failed = calls.flatMap((call) => {
    const answer = answers.get(keyOf(call));
    return answer !== undefined && 'error' in answer ? [`Not found: ${answer.error}`] : [];
  });
  const [headline = 'Nothing was found.', ...rest] = own.headline === null ? told : [own.headline, ...told];
  const shown = own.withLines === false ? [] : rest;
  const items = unique([...(own.remarks ?? []), ...shown, ...failed]).filter((line) => line !== headline);
  return [
    `# ${step.title}`,
    headline,
    ...(items.length === 0 ? [] : [items.map((line) => `- ${line}`).join('\n')]),
    ...ageOf(lines),
    ...(lines.some((line) => REFERENCE.test(line))
      ? [unique(lines.filter((line) => REFERENCE.test(line))).join('\n')]
      : []),
    '',
  ].join('\n\n');
}

/** The finding of a note, as {@link noteOf} wrote it. */
export const headlineOf = (note: string): string => note.split('\n\n')[1] ?? '';

const MEASURED = /^Stored results, measured (?:(\S+ \S+) to )?(\S+ \S+) UTC\.$/gmu;

/** When the results of a note were measured, earliest first, as tools write times. */
export const timesIn = (note: string): readonly string[] =>
  [...note.matchAll(MEASURED)]
    .flatMap(([, from, to]) => [from, to].filter((time) => time !== undefined))
    .toSorted();

/** One line for all that the tools said of the age of their results. */
function ageOf(lines: readonly string[]): readonly string[] {
  const times = timesIn(lines.join('\n'));
  const [oldest, newest] = [times[0], times.at(-1)];
  if (oldest === undefined || newest === undefined) return [];
  return [`Stored results, measured ${oldest === newest ? '' : `${oldest} to `}${newest} UTC.`];
}

const unique = (lines: readonly string[]): readonly string[] => [...new Set(lines)];
