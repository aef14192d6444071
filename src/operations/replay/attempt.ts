/**
 * Answers a recorded turn once more and returns the parts of both answers for comparison. It depends neither on the
 * command line nor on how turns are stored.
 */
import { createAnswerDecoder } from '../../agent/answer/answer-decoder.ts';
import type { PriceOf } from '../../agent/loop/usage-meter.ts';
import type { ModelCall, ModelUsage } from '../../agent/model.ts';
import type { StepRecord } from '../../domain/conversation/step-record.ts';

/** One answer to a turn. */
export type Attempt = {
  /** The model that answered. */
  readonly model: string;
  /**
   * The model's own words, read as an answer; what the server leaves out of an answer or adds to it is not looked at.
   */
  readonly text: string;
  readonly calls: readonly AttemptCall[];
  readonly modelCalls: number;
  readonly usage: ModelUsage;
  /** Null where a model has no price. */
  readonly costUsd: number | null;
  /** Spent on model calls. */
  readonly durationMs: number;
  /** Why there is no whole answer; null for one. */
  readonly error: string | null;
};

/** A tool call of an attempt; `arguments` are the model's text. */
export type AttemptCall = Pick<ModelCall, 'name' | 'arguments'>;

/** One model call, as an attempt is summed up from. */
export type AttemptStep = Pick<
  StepRecord,
  'model' | 'text' | 'refusal' | 'calls' | 'usage' | 'durationMs' | 'error'
>;

/** Sums up model calls. Words of calls that broke were taken back, but what they cost was paid. */
export function attemptOf(steps: readonly AttemptStep[], priceOf: PriceOf, error: string | null): Attempt {
  const whole = steps.filter((step) => step.error === null);
  const costs = steps.map(({ model, usage }) => priceOf(model, usage ?? NOTHING));
  return {
    model: steps.at(-1)?.model ?? '',
    text: whole
      .map(({ text, refusal }) => `${readWords(text)}${refusal}`.trim())
      .filter((text) => text !== '')
      .join('\n\n'),
    calls: whole.flatMap(({ calls }) =>
      calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    ),
    modelCalls: steps.length,
    usage: steps.reduce((sum, { usage }) => added(sum, usage ?? NOTHING), NOTHING),
    costUsd: costs.reduce<number | null>(
      (sum, cost) => (sum === null || cost === null ? null : sum + cost),
      0,
    ),
    durationMs: steps.reduce((sum, { durationMs }) => sum + durationMs, 0),
    error,
  };
}

const NOTHING: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

const added = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
});

/** A model's words as text, whether it wrote Markdown or a document. */
function readWords(words: string): string {
  const decoder = createAnswerDecoder();
  return [...decoder.push(words), ...decoder.end()]
    .map((piece) => {
      if (piece.type === 'text') return piece.text;
      return piece.type === 'break' ? '\n\n' : '';
    })
    .join('');
}
