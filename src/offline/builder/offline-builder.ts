/**
 * A model without a model: carries out explicit requests for changes of the artifacts. It sees what any model sees and
 * goes through the same loop; it says what it is, and what it did not understand.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Model, ModelEvent, ModelInput, ModelRequest } from '../../agent/model.ts';
import { isFound, readAnswer } from '../analyst/answers.ts';
import { artifactsIn } from '../../agent/builder/builder-prompt.ts';
import { planSteps } from './plan-calls.ts';
import { readRequests } from './read-requests.ts';
import { answerText, type Outcome } from './words.ts';

/** Name by which it is chosen. */
export const OFFLINE_BUILDER = 'offline-builder';

/** A program reads no tokens. */
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** Calls of one round; the loop would skip more. */
const CALLS_A_ROUND = 8;

/** The deterministic model that builds where none is configured, or where it is chosen by name. */
export function createOfflineBuilder({ wordDelayMs = 2 }: { readonly wordDelayMs?: number } = {}): Model {
  return {
    name: OFFLINE_BUILDER,
    provider: 'offline',
    isProgram: true,
    stream: (request, signal) => respond(request, wordDelayMs, signal),
  };
}

async function* respond(
  request: ModelRequest,
  wordDelayMs: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const { message, outcomes } = readConversation(request.input);
  const { requests, rest } = readRequests(message);
  const steps = planSteps(requests, artifactsIn(request.instructions));
  const calls = steps.flatMap((step) => (step.type === 'call' ? [step.call] : []));
  const next = calls.slice(outcomes.length, outcomes.length + CALLS_A_ROUND);
  if (next.length > 0 && request.toolChoice !== 'none') {
    for (const [index, { tool, args }] of next.entries()) {
      const callId = `offline_${outcomes.length + index + 1}`;
      yield { type: 'call', call: { callId, name: tool, arguments: JSON.stringify(args) } };
    }
    yield { type: 'finished', reason: 'calls', usage: NO_TOKENS, items: [] };
    return;
  }
  for (const word of answerText(message, steps, rest, outcomes).match(/\S+\s*/gu) ?? []) {
    yield { type: 'text', text: word };
    await sleep(wordDelayMs, undefined, { signal });
  }
  yield { type: 'finished', reason: 'stop', usage: NO_TOKENS, items: [] };
}

/** The message is what stands before the first round of its own turn; the loop may add words of its own behind. */
function readConversation(input: readonly ModelInput[]): {
  readonly message: string;
  readonly outcomes: readonly Outcome[];
} {
  const firstRound = input.findIndex(({ type }) => type === 'round');
  const before = firstRound < 0 ? input : input.slice(0, firstRound);
  const asked = before.findLast((entry) => entry.type === 'user');
  const outcomes = input.flatMap((entry) => {
    if (entry.type !== 'tool-output') return [];
    return [outcomeOf(entry.output)];
  });
  return { message: asked?.text ?? '', outcomes };
}

const edited = z.object({ outcome: z.string(), note: z.string().nullable() });

function outcomeOf(output: string): Outcome {
  const answer = readAnswer(output);
  if (!isFound(answer)) return { isDone: false, note: answer.error };
  const { outcome, note } = edited.parse(answer.data);
  const isDone = outcome.startsWith('APPLIED');
  return { isDone, note: isDone || note === null ? note : `${outcome}: ${note}` };
}
