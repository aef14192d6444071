/** A step: the tool calls for one to-do of a job, and the note on their results. */
import { foundIn, keyOf, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { bulletList, linesIn } from '../shared/text.ts';
import type { JobWords, StepKey } from './messages.ts';
import type { Subject } from './subject.ts';

export type Step = {
  /** Calls whose answers the others depend on; another step reports them. */
  readonly reads?: (subject: Subject, answers: Answers) => readonly PlannedCall[];
  /** The calls known so far; more may follow from their answers. */
  readonly calls: (subject: Subject, answers: Answers) => readonly PlannedCall[];
  /** The finding in a sentence, and remarks besides the tools' own lines. */
  readonly note: (subject: Subject, answers: Answers) => StepNote;
};

/** A step of a job's agenda. */
export type AgendaStep = Step & {
  readonly key: StepKey;
  /** Names its note, `<id>.md`; the report has the notes in the order of their names. */
  readonly id: string;
  /** Tools without which it is not planned. */
  readonly needs: readonly string[];
};

export type StepNote =
  /** What nothing was found on. */
  | { readonly nothing: string }
  | {
      /** Null for the first line of the tools. */
      readonly headline: string | null;
      readonly remarks?: readonly string[];
      /** Tables and text charts. */
      readonly blocks?: readonly string[];
      /** Whether the lines of the tools follow; true by default. */
      readonly withLines?: boolean;
    };

const AGE = /^Stored results, /u;
const REFERENCE = /^\[\d+\] /u;
/** The finding of a note that only reports that nothing was found. */
const NOTHING = /^_(.+)_$/u;

/** The note of a step whose calls were all answered, as Markdown: heading, finding, blocks, lines, age, references. */
export function noteOf(step: AgendaStep, subject: Subject, answers: Answers): string {
  const { t, toolLine } = subject;
  const heading = `# ${t(`title.${step.key}`)}`;
  const own = step.note(subject, answers);
  const calls = step.calls(subject, answers);
  const failed = calls.flatMap((call) => {
    const answer = answers.get(keyOf(call));
    return answer !== undefined && 'error' in answer ? [t('notFound', { reason: answer.error })] : [];
  });
  if ('nothing' in own) return joined([heading, `_${own.nothing}_`, bulletList(unique(failed))]);
  const lines = calls.flatMap((call) => linesIn(foundIn(answers, call)?.formattedSummary ?? ''));
  const toolLines = lines.filter((line) => !AGE.test(line) && !REFERENCE.test(line)).map(toolLine);
  const [first = t('nothingFound'), ...rest] =
    own.headline === null ? toolLines : [own.headline, ...toolLines];
  const shown = own.withLines === false ? [] : rest;
  const items = unique([...(own.remarks ?? []), ...shown, ...failed]).filter((line) => line !== first);
  const references = unique(lines.filter((line) => REFERENCE.test(line)).map(toolLine));
  return joined([
    heading,
    first,
    ...(own.blocks ?? []),
    bulletList(items),
    ageOf(lines, t),
    references.join('\n'),
  ]);
}

const joined = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

/** The finding of a note by {@link noteOf}; `isNothing`: that nothing was found. */
export function findingOf(note: string): { readonly text: string; readonly isNothing: boolean } {
  const text = note.split('\n\n')[1]?.trim() ?? '';
  const nothing = NOTHING.exec(text)?.[1];
  return { text: nothing ?? text, isNothing: nothing !== undefined };
}

const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d/gu;

/** When the results of a note were measured, earliest first, as tools write times. */
export function timesIn(note: string, t: JobWords['t']): readonly string[] {
  const [start = ''] = t('measured', { span: '\n' }).split('\n');
  const lines = note.split('\n').filter((line) => line.startsWith(start));
  return lines.flatMap((line) => line.match(TIME) ?? []).toSorted();
}

/** One line for the ages of all results. */
function ageOf(lines: readonly string[], t: JobWords['t']): string {
  const times = lines
    .filter((line) => AGE.test(line))
    .flatMap((line) => line.match(TIME) ?? [])
    .toSorted();
  const [oldest, newest] = [times[0], times.at(-1)];
  if (oldest === undefined || newest === undefined) return '';
  return t('measured', {
    span: oldest === newest ? newest : t('measuredSpan', { from: oldest, to: newest }),
  });
}

const unique = (lines: readonly string[]): readonly string[] => [...new Set(lines)];
