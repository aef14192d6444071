import type { TurnError } from '../../domain/conversation/session.ts';
import type { Answer } from '../answer/answer.ts';
import { ModelError, type FinishReason } from '../model.ts';

/** How a response can fall short: what is said when it held no words, and behind the words it did hold. */
type Shortfall = { readonly blank: TurnError; readonly remark: string | null };

const failure = (code: string, message: string): TurnError => ({ code, message, retryable: true });

const EMPTY: Shortfall = {
  blank: failure('EMPTY_ANSWER', 'the model gave no answer; ask again or choose another model'),
  remark: null,
};

const SHORTFALLS: Readonly<Record<Exclude<FinishReason, 'refused'>, Shortfall>> = {
  stop: EMPTY,
  calls: EMPTY,
  length: {
    blank: failure('ANSWER_CUT_OFF', 'the model reached its output limit before it answered'),
    remark: "The answer was cut off at the model's output limit.",
  },
  filtered: {
    blank: failure('CONTENT_FILTERED', "the provider's content filter held back the answer"),
    remark: "The rest of the answer was held back by the provider's content filter.",
  },
};

const OUT_OF_TIME: Shortfall = {
  blank: failure('TURN_TIMEOUT', 'the time for this turn ran out before there was an answer'),
  remark: 'The answer was cut off: the time for this turn ran out.',
};

/**
 * Ends an answer with a response that came to its end; the error that the turn fails with, or null. Where nothing but
 * tables were left out of it, the `summaries` of the results that they told stand in their place.
 */
export function endWith(
  reason: FinishReason,
  answer: Answer,
  summaries: readonly string[],
): TurnError | null {
  if (answer.isStepBlank && answer.strippedInStep > 0) answer.addParagraph(summaries.join('\n\n'));
  if (reason !== 'refused') return endShort(SHORTFALLS[reason], answer);
  // A refusal is an answer too: the model's own words where it has any, marked for what they are.
  answer.remark('The model declined to answer this.');
  return null;
}

/** Ends an answer that the turn's time cut off. */
export const endOutOfTime = (answer: Answer): TurnError | null => endShort(OUT_OF_TIME, answer);

function endShort({ blank, remark }: Shortfall, answer: Answer): TurnError | null {
  if (answer.isStepBlank) return blank;
  if (remark !== null) answer.remark(remark);
  return null;
}

/** The failure of every model that was asked. @throws anything else: it is a bug, not an outcome. */
export function endFailed(error: unknown): TurnError {
  if (!(error instanceof ModelError)) throw error;
  return { code: `MODEL_${error.code}`, message: error.message, retryable: error.retryable };
}
