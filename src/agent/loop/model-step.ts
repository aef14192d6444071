/**
 * One step of a turn: one response of a model, read as it streams. A broken stream is retried within bounds, after
 * its text was taken back so that none appears twice; then the fallback model is asked.
 */
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { Answer } from '../answer/answer.ts';
import {
  ModelError,
  type FinishReason,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '../model.ts';
import { abortable } from './abortable.ts';
import type { CallRound } from './call-round.ts';

/** Bounds of a step. */
export type StepLimits = {
  /** Attempts per model when its stream breaks. */
  readonly stepTries: number;
  /** A stream without any event for this long, not even `progress`, counts as broken. */
  readonly modelSilenceMs: number;
};

/** A model and what it is asked. */
export type Ask = { readonly model: Model; readonly request: ModelRequest };

export type StepOptions = {
  readonly ask: Ask;
  /** Called when the model failed for good; returns what to ask instead, with a description, or null. */
  readonly replace: (error: ModelError) => (Ask & { readonly words: string }) | null;
  /** Starts the model's calls; null when it may make none, and any it makes are ignored. */
  readonly round: CallRound | null;
  readonly answer: Answer;
  readonly emit: EmitActivity;
  /** Called for each stream that broke, before its text is taken back. */
  readonly onBroken: (model: Model) => void;
  /** Called for each event of the model. */
  readonly onProgress: () => void;
  readonly limits: StepLimits;
  readonly signal: AbortSignal;
};

/** A complete response. Its text was emitted and its calls were started already. */
export type StepEnd = {
  readonly model: Model;
  readonly reason: FinishReason;
  readonly usage: ModelUsage | null;
  readonly items: readonly unknown[];
};

/** @throws ModelError when every attempt failed; the text of the last one stays. The signal's reason when it fires. */
export async function runStep(options: StepOptions): Promise<StepEnd> {
  const { round, answer } = options;
  let { ask } = options;
  let tries = 1;
  answer.beginStep();
  try {
    for (;;) {
      try {
        return await readResponse(ask, options);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const isBroken = error.code === 'BROKEN_STREAM';
        if (isBroken) options.onBroken(ask.model);
        const isAgain = isBroken && tries < options.limits.stepTries;
        const next = isAgain ? { ...ask, words: null } : options.replace(error);
        if (next === null) throw error;
        round?.restart();
        answer.resetStep(next.words === null ? error.message : `${error.message}; ${next.words}`);
        tries = isAgain ? tries + 1 : 1;
        ask = next;
      }
    }
  } finally {
    answer.endStep(); // emits what was held back, however the step ended
  }
}

async function readResponse({ model, request }: Ask, options: StepOptions): Promise<StepEnd> {
  const { round, answer, emit, limits, signal, onProgress } = options;
  let phase: 'ANSWERING' | 'CALLING_TOOLS' | null = null;
  const enter = (next: 'ANSWERING' | 'CALLING_TOOLS', text: string) => {
    if (phase !== next) emit({ type: 'status', phase: next, text });
    phase = next;
  };
  for await (const event of readEvents(model, { request, limits, signal })) {
    onProgress();
    switch (event.type) {
      case 'thinking':
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
        if (round === null) break;
        enter('CALLING_TOOLS', 'Looking up data');
        answer.flush();
        round.start(event.call);
        break;
      case 'finished':
        return { model, reason: event.reason, usage: event.usage, items: event.items };
      default:
        event satisfies never;
    }
  }
  throw new ModelError('BROKEN_STREAM', `${model.name} broke off in the middle of its answer`, {
    retryable: true,
  });
}

/** Events as they arrive; rejects at once when the signal fires, and with BROKEN_STREAM when none arrives in time. */
export async function* readEvents(
  model: Model,
  {
    request,
    limits,
    signal,
  }: {
    readonly request: ModelRequest;
    readonly limits: Pick<StepLimits, 'modelSilenceMs'>;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<ModelEvent> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  const timer = setTimeout(() => {
    const message = `${model.name} sent nothing for ${limits.modelSilenceMs / 1000} s`;
    silence.abort(new ModelError('BROKEN_STREAM', message, { retryable: true }));
  }, limits.modelSilenceMs);
  const events = model.stream(request, either)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await abortable(events.next(), either);
      if (next.done === true) return;
      timer.refresh();
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    // Closes the request of a stream that was left early, without waiting for it.
    events.return?.().catch(() => undefined);
  }
}
