/** The events of a program's response, in the form of a model's. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, ModelEvent, ModelRequest, ModelUsage } from '../../agent/model.ts';
import type { PlannedCall } from './tool-answers.ts';

/** What a program responds with: tool calls, or, if there are none, text. */
export type Reply = { readonly calls: readonly PlannedCall[]; readonly text: string };

/** Most calls of one round; the loop would skip more. */
export const CALLS_PER_ROUND = 8;

/** A program reads no tokens, so its answers cost nothing and take nothing from a budget. */
const NO_TOKENS: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/**
 * A model that answers by a program; `wordDelayMs` is the pause between words, so that an answer can be watched and
 * stopped.
 */
export const programModel = (
  name: string,
  wordDelayMs: number,
  reply: (request: ModelRequest) => Reply,
): Model => ({
  name,
  provider: 'offline',
  isProgram: true,
  stream: (request, signal) => respond(request, reply, { wordDelayMs, signal }),
});

async function* respond(
  request: ModelRequest,
  reply: (request: ModelRequest) => Reply,
  { wordDelayMs, signal }: { readonly wordDelayMs: number; readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const { calls, text } = reply(request);
  const round = request.input.filter(({ type }) => type === 'round').length + 1;
  for (const [index, call] of calls.slice(0, CALLS_PER_ROUND).entries()) {
    yield { type: 'call', call: { callId: `offline_${round}_${index + 1}`, ...call } };
  }
  for (const word of (calls.length === 0 && text.match(/\S+\s*/gu)) || []) {
    yield { type: 'text', text: word };
    await sleep(wordDelayMs, undefined, { signal });
  }
  yield { type: 'finished', reason: calls.length > 0 ? 'calls' : 'stop', usage: NO_TOKENS, items: [] };
}
