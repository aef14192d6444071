/**
 * One step of a turn: one response of a model, read as it comes. A stream that breaks is asked for again, within bounds,
 * and what it had said is taken back first, so that no text stands twice; then the fallback model is asked.
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
  /** Tries of one model whose stream breaks. */
  readonly stepTries: number;
  /** A stream without any event for this long counts as broken. */
  readonly modelSilenceMs: number;
};

/** A model and what it is asked. */
export type Ask = { readonly model: Model; readonly request: ModelRequest };

/** What a step works with. */
export type StepOptions = {
  readonly ask: Ask;
  /** Called when the model that was asked last failed for good: what to ask instead, and in words how; null for nothing. */
  readonly instead: (error: ModelError) => (Ask & { readonly words: string }) | null;
  /** Where calls go; null when the model may make none, and any it makes are passed over. */
  readonly round: CallRound | null;
  readonly answer: Answer;
  readonly emit: EmitActivity;
  /** Told of each stream that broke, while what it said still stands in the answer. */
  readonly onBroken: (model: Model) => void;
  readonly limits: StepLimits;
  readonly signal: AbortSignal;
};

/** A complete response. Its text was said already and its calls were started. */
export type StepEnd = {
  readonly model: Model;
  readonly reason: FinishReason;
  readonly usage: ModelUsage | null;
  readonly items: readonly unknown[];
};

/** @throws ModelError when every try failed; what the last one said then stands. The signal's reason when it fires. */
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
        const next = isAgain ? { ...ask, words: null } : options.instead(error);
        if (next === null) throw error;
        round?.restart();
        answer.resetStep(next.words === null ? error.message : `${error.message}; ${next.words}`);
        tries = isAgain ? tries + 1 : 1;
        ask = next;
      }
    }
  } finally {
    answer.endStep(); // what was said and held back stands, however the step ended
  }
}

async function readResponse({ model, request }: Ask, options: StepOptions): Promise<StepEnd> {
  const { round, answer, emit, limits, signal } = options;
  let phase: 'ANSWERING' | 'CALLING_TOOLS' | null = null;
  const enter = (next: 'ANSWERING' | 'CALLING_TOOLS', text: string) => {
    if (phase !== next) emit({ type: 'status', phase: next, text });
    phase = next;
  };
  for await (const event of readEvents(model, { request, limits, signal })) {
    switch (event.type) {
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

/** Events as they come; rejects at once when the signal fires, and with BROKEN_STREAM when the model falls silent. */
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
    // Closes the request of a stream that was left early; nobody waits for it, and its end has nothing left to say.
    events.return?.().catch(() => undefined);
  }
}
