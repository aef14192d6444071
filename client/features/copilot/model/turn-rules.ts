import { isFinal, textOf, type TurnView } from '@qpilot/client/view';

/** What the reader last did to an accordion; null: never touched. */
export type AccordionChoice = 'open' | 'closed' | null;

const FAILED = new Set(['ERROR', 'TIMEOUT']);

/**
 * Whether the steps of an answer are shown: while they run and until the answer's words come, so that nothing that is
 * read moves when they close, and where one of them failed; the reader's own choice takes precedence. The same before
 * and after a reload, where no choice was made.
 */
export function isAccordionOpen(
  { status, steps, parts }: Pick<TurnView, 'status' | 'steps' | 'parts'>,
  choice: AccordionChoice,
): boolean {
  if (choice !== null) return choice === 'open';
  if (steps.some((step) => FAILED.has(step.status))) return true;
  if (isFinal({ status })) return false;
  return steps.some((step) => step.status === 'RUNNING') || (steps.length > 0 && textOf(parts) === '');
}

/** Wall-clock time of a turn in milliseconds; calls that ran side by side count once. Null until it has ended. */
export function wallClockMs({
  startedAt,
  finishedAt,
}: Pick<TurnView, 'startedAt' | 'finishedAt'>): number | null {
  if (startedAt === null || finishedAt === null) return null;
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Time of all steps in milliseconds, those side by side counted each. */
export const stepsMs = (steps: TurnView['steps']): number =>
  steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);

/** Time of all thoughts in milliseconds. */
export const thinkingMs = (thoughts: TurnView['thoughts']): number =>
  thoughts.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);

/** A length of time as steps show it: `<1ms`, `340ms`, `2.4s`, `1m 05s`. */
export function stepDurationText(durationMs: number): string {
  if (durationMs < 1) return '<1ms';
  if (durationMs < 1_000) return `${Math.round(durationMs)}ms`;
  if (durationMs < 60_000) return `${(Math.floor(durationMs / 100) / 10).toFixed(1)}s`;
  const seconds = Math.floor(durationMs / 1_000);
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}

/** What a reader can do about a turn that was not answered. */
export type Remedy = 'retry' | 'edit' | 'settings';

/** The question itself is what was refused, or what there is no room for. */
const OF_QUESTION = new Set([
  'ANSWER_CUT_OFF',
  'CONTENT_FILTERED',
  'CONTEXT_TOO_LARGE',
  'MODEL_BAD_REQUEST',
  'TURN_TIMEOUT',
]);
/** The page of the settings shows what is missing: a model that can be used, or a budget. */
const OF_SERVER = new Set(['BUDGET_EXCEEDED', 'MODEL_AUTH', 'MODEL_NO_TOOLS', 'MODEL_QUOTA']);

/** What helps after an error, the best first. A turn that the server left may always be asked again. */
export function remediesOf({ status, error }: Pick<TurnView, 'status' | 'error'>): readonly Remedy[] {
  if (status === 'INTERRUPTED' || error === null) return ['retry'];
  const again: readonly Remedy[] = error.retryable ? ['retry'] : [];
  if (OF_SERVER.has(error.code)) return ['settings', ...again];
  if (OF_QUESTION.has(error.code)) return ['edit', ...again];
  return error.retryable ? again : ['edit'];
}
