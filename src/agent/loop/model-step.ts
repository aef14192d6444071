/**
 * One step of a turn: one response of a model, read as it streams. What a fault has shown is taken back, so that no text
 * appears twice; then the retry policy decides who is asked, and when. A response that its provider paused is continued.
 */
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { Answer } from '../answer/answer.ts';
import {
  ModelError,
  type FinishReason,
  type Model,
  type ModelCall,
  type ModelErrorCode,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '../model.ts';
import { isWholeObject } from '../models/shared/call-arguments.ts';
import { pauseWords } from '../models/shared/asked-pause.ts';
import type { CallRound } from './call-round.ts';
import { readEvents } from './read-events.ts';
import { waitBeforeRetry, type Waiting } from './retry-policy.ts';
import { openThinking } from './told-thinking.ts';

/** Bounds of a step. */
export type StepLimits = {
  /** Attempts per model when its stream breaks. */
  readonly stepTries: number;
  /** A stream without any event for this long, not even `progress`, counts as broken. */
  readonly modelSilenceMs: number;
  /** Of one response; twice as many where a call did not fit. */
  readonly outputTokens: number;
};

/** A model and what it is asked. */
export type Ask = { readonly model: Model; readonly request: ModelRequest };

export type StepOptions = {
  readonly ask: Ask;
  /** Called when the model failed for good; returns what to ask instead, with a description, or null. */
  readonly replace: (error: ModelError) => (Ask & { readonly words: string }) | null;
  /** Whether `replace` has another model to offer. */
  readonly hasFallback: () => boolean;
  /** Time that the turn has left, in milliseconds; it is not spent on waits that reach beyond it. */
  readonly msLeft: () => number;
  readonly waiting: Waiting;
  /** Whether a response without a word or a call is asked for again, rather than returned. */
  readonly mayBeEmpty: boolean;
  /** Starts the model's calls; null when it may make none, and any it makes are ignored. */
  readonly round: CallRound | null;
  readonly answer: Answer;
  readonly emit: EmitActivity;
  /** Called for each response that failed after it had begun, before its text is taken back. */
  readonly onBroken: (model: Model) => void;
  /** Called for each event of the model. */
  readonly onProgress: (type: ModelEvent['type']) => void;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  readonly limits: StepLimits;
  readonly signal: AbortSignal;
};

/** A complete response. Its text was emitted and its calls were started already. */
export type StepEnd = {
  readonly model: Model;
  readonly reason: Exclude<FinishReason, 'paused'>;
  readonly usage: ModelUsage | null;
  readonly items: readonly unknown[];
};

/** @throws ModelError when every attempt failed; the text of the last one stays. The signal's reason when it fires. */
export async function runStep(options: StepOptions): Promise<StepEnd> {
  const { answer, round, signal } = options;
  let { ask } = options;
  /** With the note about the model's last attempt. */
  let asked = ask;
  let tries = 1;
  answer.beginStep();
  try {
    for (;;) {
      try {
        const end = await readToEnd(asked, options);
        if (!isEmpty(end, options) || tries > 1) return end;
        throw new ModelError('EMPTY', `${ask.model.name} answered nothing`, { retryable: true });
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const waitMs = retryWait(error, tries, options);
        const next = waitMs === null ? options.replace(error) : null;
        if (waitMs === null && next === null) throw error;
        round?.restart();
        answer.resetStep(resetReason(error, ask.model, waitMs, next?.words ?? null));
        if (next !== null) {
          ask = next;
          asked = ask;
          tries = 1;
          continue;
        }
        if (waitMs !== null && waitMs > 0) {
          options.emit({ type: 'status', phase: 'WAITING', text: waitText(error, ask.model, waitMs) });
          await options.waiting.pause(waitMs, signal);
        }
        asked = withHint(ask, error.hint);
        if (error.code === 'CUT_CALL') asked = withRoom(asked, options.limits);
        tries += 1;
      }
    }
  } finally {
    answer.endStep(); // emits what was held back, however the step ended
  }
}

const retryWait = (error: ModelError, tries: number, options: StepOptions): number | null =>
  waitBeforeRetry(
    error,
    tries,
    { stepTries: options.limits.stepTries, hasFallback: options.hasFallback(), msLeft: options.msLeft() },
    options.waiting.random,
  );

const isEmpty = ({ reason }: StepEnd, { mayBeEmpty, answer, round }: StepOptions): boolean =>
  !mayBeEmpty && reason === 'stop' && answer.stepWords.trim() === '' && (round?.calls ?? []).length === 0;

const withHint = ({ model, request }: Ask, hint: string | null): Ask =>
  hint === null
    ? { model, request }
    : { model, request: { ...request, input: [...request.input, { type: 'user', text: hint }] } };

const withRoom = ({ model, request }: Ask, { outputTokens }: StepLimits): Ask => ({
  model,
  request: { ...request, outputTokens: 2 * outputTokens },
});

/** What keeps a model from answering, for people who wait for it. */
const WAIT_WORDS: Partial<Readonly<Record<ModelErrorCode, string>>> = {
  OVERLOADED: 'is overloaded',
  RATE_LIMITED: 'is answering too many requests just now',
  UNAVAILABLE: 'does not answer',
  RESTING: 'has failed several times in a row',
};

const waitText = ({ code }: ModelError, { name }: Model, waitMs: number): string =>
  `${name} ${WAIT_WORDS[code] ?? 'broke off'}; asking again in ${pauseWords(waitMs)}`;

function resetReason(error: ModelError, model: Model, waitMs: number | null, words: string | null): string {
  if (words !== null) return `${error.message}; ${words}`;
  return waitMs === null || waitMs === 0 ? error.message : waitText(error, model, waitMs);
}

/** A provider that pauses more often than this is taken at its word so far. */
const MAX_PAUSES = 5;

/** One response; parts that the provider paused between are one. */
async function readToEnd(ask: Ask, options: StepOptions): Promise<StepEnd> {
  const { model } = ask;
  const parts: ResponseEnd[] = [];
  let { request } = ask;
  for (;;) {
    const end = await readResponse({ model, request }, options);
    parts.push(end);
    const { reason, items } = end;
    if (reason === 'paused' && parts.length <= MAX_PAUSES) {
      const part = {
        type: 'round',
        provider: model.provider,
        items,
        text: options.answer.stepWords,
        calls: [],
      } as const;
      request = { ...request, input: [...request.input, part] };
      continue;
    }
    return {
      model,
      reason: reason === 'paused' ? 'length' : reason,
      usage: parts.map(({ usage }) => usage).reduce(sumOf),
      items: parts.flatMap((each) => each.items),
    };
  }
}

type ResponseEnd = Omit<StepEnd, 'reason'> & { readonly reason: FinishReason };

const sumOf = (a: ModelUsage | null, b: ModelUsage | null): ModelUsage | null =>
  a &&
  b && {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    ...((a.cacheWriteTokens ?? b.cacheWriteTokens) !== undefined && {
      cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
    }),
  };

/** Reads one response, and reports one that fails after it has begun. */
async function readResponse(ask: Ask, options: StepOptions): Promise<ResponseEnd> {
  const thinking = openThinking(options.emit, options.clock);
  let hasBegun = false;
  const onProgress = (type: ModelEvent['type']) => {
    // Bytes alone may be those of the failure.
    hasBegun ||= type !== 'progress';
    options.onProgress(type);
  };
  try {
    return await readStream(thinking, ask, { ...options, onProgress });
  } catch (error) {
    if (error instanceof ModelError && (hasBegun || error.code === 'BROKEN_STREAM'))
      options.onBroken(ask.model);
    throw error;
  } finally {
    thinking.end();
  }
}

async function readStream(
  thinking: ReturnType<typeof openThinking>,
  { model, request }: Ask,
  { round, answer, emit, limits, signal, onProgress }: StepOptions,
): Promise<ResponseEnd> {
  let phase: 'ANSWERING' | 'CALLING_TOOLS' | null = null;
  const enter = (next: 'ANSWERING' | 'CALLING_TOOLS', text: string) => {
    if (phase !== next) emit({ type: 'status', phase: next, text });
    phase = next;
  };
  /**
   * A call whose arguments are no object is cut, or wrong, as the end of the response says. Those behind it wait with it,
   * for calls are started, and answered, in their order.
   */
  const unfinished: ModelCall[] = [];
  const start = (call: ModelCall): void => {
    if (round === null) return;
    enter('CALLING_TOOLS', 'Looking up data');
    answer.flush();
    round.start(call);
  };
  for await (const event of readEvents(model, { request, limits, signal })) {
    onProgress(event.type);
    if (event.type === 'text' || event.type === 'refusal' || event.type === 'call') thinking.end();
    switch (event.type) {
      case 'thinking':
        thinking.add(event);
        break;
      case 'progress':
        break;
      case 'text':
        enter('ANSWERING', 'Answering');
        answer.add(event.text);
        break;
      case 'refusal':
        enter('ANSWERING', 'Answering');
        answer.refuse(event.text);
        break;
      case 'call':
        if (unfinished.length > 0 || isCutOff(event.call)) unfinished.push(event.call);
        else start(event.call);
        break;
      case 'finished':
        if (event.reason === 'length' && unfinished.length > 0 && request.outputTokens === undefined) {
          const message = `${model.name} reached its limit of ${limits.outputTokens} output tokens within a call`;
          throw new ModelError('CUT_CALL', message, { retryable: true });
        }
        unfinished.forEach(start);
        return { model, reason: event.reason, usage: event.usage, items: event.items };
      default:
        event satisfies never;
    }
  }
  throw new ModelError('BROKEN_STREAM', `${model.name} broke off in the middle of its answer`, {
    retryable: true,
  });
}

const isCutOff = ({ arguments: text }: ModelCall): boolean => text.trim() !== '' && !isWholeObject(text);
