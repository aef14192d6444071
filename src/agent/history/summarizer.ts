/**
 * Summarises the older turns of a conversation with the model that answers it. The turns are marked as data, so that
 * nothing in them is followed as an instruction.
 */
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import { shorten, toStoredText } from '../../domain/text/stored-text.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import { readEvents } from '../loop/read-events.ts';
import { realWaiting, waitBeforeRetry, type Waiting } from '../loop/retry-policy.ts';
import { ModelError, type Model, type ModelRequest, type ModelUsage } from '../model.ts';
import { dataRule, marked, newDataMark } from '../prompt/data-marks.ts';
import { answerText } from './history-plan.ts';

export type SummarizerDeps = {
  readonly model: Model;
  readonly rules: string;
  readonly sessionId: string;
  /** Most input tokens of one request; longer histories are summarised part by part. */
  readonly maxInputTokens: number;
  readonly maxTokens: number;
  /** Called before each request with its tokens; rejects if they are not available. */
  readonly beforeRequest: (tokens: number) => Promise<void>;
  /** Called for each request that was paid for, including broken ones. */
  readonly onSpent: (usage: ModelUsage | null, sent: string, received: string) => void;
  /** A stream without any event for this long counts as broken. */
  readonly modelSilenceMs: number;
  readonly signal: AbortSignal;
  /** Absent: by the process's own clock. */
  readonly waiting?: Waiting;
};

/** Converts the token limit into a word limit for the model. */
const TOKENS_A_WORD = 2;

/**
 * The new summary of `previous` and `turns`, which follow it.
 * @throws ModelError when the model fails or returns no text; the signal's reason when it fires; what
 * `beforeRequest` throws.
 */
export async function summarize(
  previous: string | null,
  turns: readonly EarlierTurn[],
  deps: SummarizerDeps,
): Promise<string> {
  const words = turns.map((turn) => `User: ${turn.question.text}\nAssistant: ${answerText(turn)}`);
  let summary = previous;
  for (const part of partsWithin(words, deps.maxInputTokens)) summary = await fold(summary, part, deps);
  return summary ?? '';
}

async function fold(previous: string | null, part: string, deps: SummarizerDeps): Promise<string> {
  const mark = newDataMark();
  const before = previous === null ? '' : `Summary so far:\n${marked(mark, previous)}\n\n`;
  const words = Math.max(20, Math.floor(deps.maxTokens / TOKENS_A_WORD));
  const request: ModelRequest = {
    instructions: `${deps.rules}\n\n${dataRule(mark)}`,
    input: [
      {
        type: 'user',
        text: `${before}Conversation since:\n${marked(mark, part)}\n\nWrite the new summary, in at most ${words} words.`,
      },
    ],
    tools: [],
    toolChoice: 'none',
    sessionId: deps.sessionId,
  };
  const sent = JSON.stringify([request.instructions, request.input]);
  const { waiting = realWaiting } = deps;
  for (let tries = 1; ; tries += 1) {
    await deps.beforeRequest(estimateTokens(sent) + deps.maxTokens);
    try {
      return await ask(request, sent, deps);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const waitMs = waitBeforeRetry(error, tries, RETRY_BOUNDS, waiting.random);
      if (waitMs === null) throw error;
      await waiting.pause(waitMs, deps.signal);
    }
  }
}

/** A turn can do without a summary, so little time is spent on another try. */
const RETRY_BOUNDS = { stepTries: 1, hasFallback: true, msLeft: Number.POSITIVE_INFINITY };

async function ask(request: ModelRequest, sent: string, deps: SummarizerDeps): Promise<string> {
  const { model, signal, onSpent } = deps;
  let text = '';
  try {
    for await (const event of readEvents(model, { request, limits: deps, signal })) {
      if (event.type === 'text') text += event.text;
      if (event.type !== 'finished') continue;
      onSpent(event.usage, sent, text);
      if (event.reason === 'stop' && text.trim() !== '') return toStoredText(text.trim());
      const why = event.reason === 'stop' ? 'returned no text' : `ended with "${event.reason}"`;
      throw new ModelError('PROTOCOL', `${model.name} ${why}`, { retryable: true });
    }
  } catch (error) {
    if (signal.aborted || (error instanceof ModelError && error.code === 'BROKEN_STREAM')) {
      onSpent(null, sent, text);
    }
    throw error;
  }
  onSpent(null, sent, text);
  throw new ModelError('BROKEN_STREAM', `${model.name} broke off`, { retryable: true });
}

/** Joins the texts into as few parts as possible of at most `tokens` each; a longer single text is cut. */
function partsWithin(words: readonly string[], tokens: number): readonly string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let left = tokens;
  for (const text of words) {
    const needed = estimateTokens(text);
    if (needed > left && part.length > 0) {
      parts.push(part.join('\n\n'));
      part = [];
      left = tokens;
    }
    part.push(needed > tokens ? shorten(text, Math.floor((text.length * tokens) / needed)) : text);
    left -= needed;
  }
  return part.length > 0 ? [...parts, part.join('\n\n')] : parts;
}
