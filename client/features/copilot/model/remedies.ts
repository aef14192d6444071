import type { TurnView } from './session-view.ts';

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
