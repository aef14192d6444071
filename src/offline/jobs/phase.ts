/** What planning and working phases share: the turn, and calls that are made one after another. */
import type { readJobPrompt } from '../../agent/prompt/job-sections.ts';
import type { Reply } from '../shared/stream.ts';
import {
  foundIn,
  isFound,
  keyOf,
  pendingCalls,
  planned,
  type Answers,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import type { JobWords } from './messages.ts';

/** The state of a phase's turn. */
export type PhaseTurn = {
  /** Names of the tools that are offered. */
  readonly tools: ReadonlySet<string>;
  readonly answers: Answers;
  readonly now: Date;
};

/** What the prompt of a phase holds. */
export type JobPrompt = NonNullable<ReturnType<typeof readJobPrompt>>;

/** Path of the report in the workspace. */
export const REPORT = 'report.md';

/** Reads a file of the workspace from its first line. */
export const reading = (path: string): PlannedCall => planned('read_file', { path });

/**
 * One call after another, each in a round of its own; the text once all are answered, with the errors of failed ones.
 */
export function callsThenText(
  turn: PhaseTurn,
  calls: readonly PlannedCall[],
  { t, text }: Pick<JobWords, 't'> & { readonly text: string },
): Reply {
  const open = pending(turn, calls).slice(0, 1);
  if (open.length > 0) return { calls: open, text: '' };
  const failed = calls.flatMap((call) => {
    const answer = turn.answers.get(keyOf(call));
    if (answer === undefined || isFound(answer)) return [];
    return [t('refused', { call: call.name, reason: answer.error })];
  });
  return { calls: [], text: [text, ...failed].join(' ') };
}

/** The calls whose tools are offered and that have no answer yet. */
export const pending = (
  { tools, answers }: PhaseTurn,
  calls: readonly PlannedCall[],
): readonly PlannedCall[] => pendingCalls(answers, calls).filter(({ name }) => tools.has(name));

/** The text of a file that was read; null where it could not be. */
export function textIn(answers: Answers, call: PlannedCall): string | null {
  const data = foundIn(answers, call)?.data;
  const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : null;
  return typeof text === 'string' ? text : null;
}
