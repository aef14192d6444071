/** What the offline analyst does for one to-do of a job: calls of tools, and a note about what they said. */
import { isFound, keyOf, type Answers, type Found, type PlannedCall } from '../analyst/answers.ts';
import { linesIn } from '../analyst/text.ts';
import type { StepKey } from './step-key.ts';
import type { Subject } from './subject.ts';
import type { ReportWords } from './words/job-words.ts';

/** One to-do that the analyst knows how to do. */
export type Step = {
  readonly key: StepKey;
  /** Names its note, `<id>.md`; notes stand in the report in the order of their names. */
  readonly id: string;
  /** Without these it is not planned. */
  readonly needs: readonly string[];
  /** Calls whose answers the others follow from; they are told by another step. */
  readonly reads?: (subject: Subject, answers: Answers) => readonly PlannedCall[];
  /** All calls that are known to be needed by now; more may follow from their answers. */
  readonly calls: (subject: Subject, answers: Answers) => readonly PlannedCall[];
  /** The finding in a sentence, and what is to be said beside the tools' own lines. */
  readonly note: (subject: Subject, answers: Answers) => StepNote;
};

/** The analyst's own words on a step. */
export type StepNote =
  /** Nothing was found, and what it was about. */
  | { readonly nothing: string }
  | {
      /** Null: the first line of the tools. */
      readonly headline: string | null;
      readonly remarks?: readonly string[];
      /** Tables and charts in letters. */
      readonly blocks?: readonly string[];
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
/** Marks a note that says what was not found. */
const NOTHING = /^_(.+)_$/u;

/** The note of a step whose calls were all answered, as Markdown: heading, finding, blocks, lines, age, references. */
export function noteOf(step: Step, subject: Subject, answers: Answers): string {
  const { words } = subject;
  const { title } = words.steps[step.key];
  const own = step.note(subject, answers);
  const calls = step.calls(subject, answers);
  const failed = calls.flatMap((call) => {
    const answer = answers.get(keyOf(call));
    return answer !== undefined && 'error' in answer ? [words.report.notFound(answer.error)] : [];
  });
  if ('nothing' in own) return joined([`# ${title}`, `_${own.nothing}_`, list(unique(failed))]);
  const lines = calls.flatMap((call) => linesIn(foundIn(answers, call)?.formattedSummary ?? ''));
  const told = lines.filter((line) => !AGE.test(line) && !REFERENCE.test(line)).map(words.toolLine);
  const [first = words.report.nothingFound, ...rest] = own.headline === null ? told : [own.headline, ...told];
  const shown = own.withLines === false ? [] : rest;
  const items = unique([...(own.remarks ?? []), ...shown, ...failed]).filter((line) => line !== first);
  const references = unique(lines.filter((line) => REFERENCE.test(line)).map(words.toolLine));
  return joined([
    `# ${title}`,
    first,
    ...(own.blocks ?? []),
    list(items),
    ageOf(lines, words.report),
    references.join('\n'),
  ]);
}

const joined = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** The finding of a note, as {@link noteOf} wrote it; `isNothing`: it says what was not found. */
export function findingOf(note: string): { readonly text: string; readonly isNothing: boolean } {
  const text = note.split('\n\n')[1]?.trim() ?? '';
  const nothing = NOTHING.exec(text)?.[1];
  return { text: nothing ?? text, isNothing: nothing !== undefined };
}

const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d/gu;

/** When the results of a note were measured, earliest first, as tools write times. */
export const timesIn = (
  note: string,
  { measuredStart }: Pick<ReportWords, 'measuredStart'>,
): readonly string[] =>
  note
    .split('\n')
    .filter((line) => line.startsWith(measuredStart))
    .flatMap((line) => line.match(TIME) ?? [])
    .toSorted();

/** One line for all that the tools said of the age of their results. */
function ageOf(lines: readonly string[], words: ReportWords): string {
  const times = lines
    .filter((line) => AGE.test(line))
    .flatMap((line) => line.match(TIME) ?? [])
    .toSorted();
  const [oldest, newest] = [times[0], times.at(-1)];
  return oldest === undefined || newest === undefined ? '' : words.measured(oldest, newest);
}

const unique = (lines: readonly string[]): readonly string[] => [...new Set(lines)];
