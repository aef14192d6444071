/** Moves of the analyst within a phase: calls to be made, or its last words; how calls are made one after another. */
import type { readJobPrompt } from '../../agent/prompt/job-sections.ts';
import { isFound, keyOf, planned, type Answers, type PlannedCall } from '../analyst/answers.ts';
import type { CourseWords } from './words/job-words.ts';

/** What there is to go on. */
export type JobTurn = {
  readonly instructions: string;
  /** Names of the tools that are offered. */
  readonly tools: ReadonlySet<string>;
  readonly answers: Answers;
  readonly now: Date;
};

/** What the analyst does: calls to be made, or its last words. */
export type JobMove = { readonly calls: readonly PlannedCall[]; readonly text: string };

/** What the prompt of a phase says. */
export type JobPrompt = NonNullable<ReturnType<typeof readJobPrompt>>;

/** Where the report stands. */
export const REPORT = 'report.md';

/** Reads a file of the workspace from its first line. */
export const reading = (path: string): PlannedCall => planned('read_file', { path, from_line: null });

/** Makes calls one after another in rounds; the words once all were answered, with what went wrong. */
export function after(
  turn: JobTurn,
  calls: readonly PlannedCall[],
  { words, say }: { readonly words: CourseWords; readonly say: () => string },
): JobMove {
  const open = pending(turn, offered(turn, calls)).slice(0, 1);
  if (open.length > 0) return { calls: open, text: '' };
  const failed = calls.flatMap((call) => {
    const answer = turn.answers.get(keyOf(call));
    return answer === undefined || isFound(answer) ? [] : [words.refused(call.name, answer.error)];
  });
  return { calls: [], text: [say(), ...failed].join(' ') };
}

/** Of some calls those whose tools are there. */
export const offered = ({ tools }: JobTurn, calls: readonly PlannedCall[]): readonly PlannedCall[] =>
  calls.filter(({ name }) => tools.has(name));

/** Of some calls those that were not answered yet. */
export const pending = ({ answers }: JobTurn, calls: readonly PlannedCall[]): readonly PlannedCall[] =>
  calls.filter((call) => !answers.has(keyOf(call)));

/** The text of a file that was read. */
export function textIn(answers: Answers, call: PlannedCall): string | null {
  const answer = answers.get(keyOf(call));
  if (answer === undefined || !isFound(answer)) return null;
  const { data } = answer;
  const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : null;
  return typeof text === 'string' ? text : null;
}
