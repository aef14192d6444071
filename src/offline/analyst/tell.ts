import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelEvent, ModelUsage } from '../../agent/model.ts';
import type { PlannedCall } from './answers.ts';

/** Calls of one round; the loop would skip more. */
const CALLS_A_ROUND = 8;

/** A program reads no tokens, so an answer of it costs nothing and takes nothing from a budget. */
const NO_TOKENS: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** The events of a response that calls tools; what does not fit in round `round` is left for the next one. */
export function* tellCalls(calls: readonly PlannedCall[], round: number): Generator<ModelEvent> {
  for (const [index, call] of calls.slice(0, CALLS_A_ROUND).entries()) {
    yield { type: 'call', call: { callId: `offline_${round}_${index + 1}`, ...call } };
  }
  yield { type: 'finished', reason: 'calls', usage: NO_TOKENS, items: [] };
}

/** The events of a response in words, with a pause of `delayMs` between them. */
export async function* tellText(
  text: string,
  delayMs: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (const word of text.match(/\S+\s*/gu) ?? []) {
    yield { type: 'text', text: word };
    await sleep(delayMs, undefined, { signal });
  }
  yield { type: 'finished', reason: 'stop', usage: NO_TOKENS, items: [] };
}
