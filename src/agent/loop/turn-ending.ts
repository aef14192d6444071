import type { TurnError } from '../../domain/conversation/session.ts';
import type { Answer } from '../answer/answer.ts';
import { ModelError } from '../model.ts';
import { boundedLines } from '../prompt/bounded-lines.ts';
import type { StepEnd } from './model-step.ts';

/** How a response can fall short: the error if it has no text, and the remark after the text that it has. */
type Shortfall = { readonly blank: TurnError; readonly remark: string | null };

const failure = (code: string, message: string): TurnError => ({ code, message, retryable: true });

const EMPTY: Shortfall = {
  blank: failure('EMPTY_ANSWER', 'the model gave no answer; ask again or choose another model'),
  remark: null,
};

const SHORTFALLS: Readonly<Record<Exclude<StepEnd['reason'], 'refused'>, Shortfall>> = {
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
 * Ends an answer with a complete response; returns the error that the turn fails with, or null. If nothing but left-out
 * tables was in it, the `summaries` of their results replace them.
 */
export function endWith(
  reason: StepEnd['reason'],
  answer: Answer,
  summaries: readonly string[],
): TurnError | null {
  if (answer.isStepBlank && answer.strippedInStep > 0) answer.addParagraph(summaries.join('\n\n'));
  if (reason !== 'refused') return endShort(SHORTFALLS[reason], answer);
  // A refusal is an answer too, marked as what it is.
  answer.remark('The model declined to answer this.');
  return null;
}

/** Ends an answer that ran out of time. */
export const endOutOfTime = (answer: Answer): TurnError | null => endShort(OUT_OF_TIME, answer);

/** Longest results that stand in for an answer, in characters. */
const MAX_RESULTS = 6_000;

/**
 * What a turn that fell short ends with: the results that it has, said as what they are, in place of the error; the error
 * where there are none.
 */
export function endWithResults(
  error: TurnError | null,
  answer: Answer,
  results: readonly string[],
): TurnError | null {
  if (error === null || results.length === 0) return error;
  answer.addParagraph(boundedLines([...new Set(results)], MAX_RESULTS, 'results').join('\n\n'));
  answer.remark(
    `There is no answer to this: ${error.message}. Above are the results that were fetched for it.`,
  );
  return null;
}

function endShort({ blank, remark }: Shortfall, answer: Answer): TurnError | null {
  if (answer.isStepBlank) return blank;
  if (remark !== null) answer.remark(remark);
  return null;
}

/** The error of a turn for which every model failed. @throws any other error, which is a bug. */
export function endFailed(error: unknown): TurnError {
  if (!(error instanceof ModelError)) throw error;
  return { code: `MODEL_${error.code}`, message: error.message, retryable: error.retryable };
}
