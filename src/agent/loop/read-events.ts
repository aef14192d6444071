import { setImmediate as nextTurn } from 'node:timers/promises';
import { ModelError, type Model, type ModelEvent, type ModelRequest } from '../model.ts';
import { abortable } from '../../base/abortable.ts';

/** Most events that are read before the event loop serves others: about 2 ms of a model that sends without pause. */
export const EVENTS_A_TURN = 64;

type ReadOptions = {
  readonly request: ModelRequest;
  readonly limits: { readonly modelSilenceMs: number };
  readonly signal: AbortSignal;
};

/**
 * Events as they arrive. Those of one turn of the event loop come together, their texts merged, and the loop turns
 * behind them, so that a model that sends without pause holds nobody up. Rejects at once when the signal fires, and
 * with BROKEN_STREAM when no event arrives in time.
 */
export async function* readEvents(
  model: Model,
  { request, limits, signal }: ReadOptions,
): AsyncGenerator<ModelEvent> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const timer = setTimeout(() => {
    const message = `${model.name} sent nothing for ${limits.modelSilenceMs / 1000} s`;
    stop.abort(new ModelError('BROKEN_STREAM', message, { retryable: true }));
  }, limits.modelSilenceMs);
  const events = model.stream(request, either)[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<ModelEvent>> | null = events.next();
  try {
    while (next !== null) {
      const first: IteratorResult<ModelEvent> = await abortable(next, either);
      const turn = nextTurn(null);
      const arrived: ModelEvent[] = [];
      for (let result: IteratorResult<ModelEvent> | null = first; result !== null;) {
        if (result.done === true) return void (yield* whileWanted(arrived, either));
        timer.refresh();
        arrived.push(result.value);
        // Whoever reads leaves behind it, while the provider may take long to close the stream.
        next = result.value.type === 'finished' ? null : events.next();
        if (next === null || arrived.length === EVENTS_A_TURN) break;
        // A failure is thrown above, behind what arrived before it.
        result = await Promise.race([next, turn]).catch(() => null);
      }
      yield* whileWanted(arrived, either);
      await turn;
    }
  } finally {
    clearTimeout(timer);
    // Closes the request of a stream that was left early, without waiting for it.
    if (next !== null) stop.abort(new Error('nobody reads the stream any more'));
    events.return?.().catch(() => undefined);
  }
}

/** What came before an abort still counts, unless the reader aborts. */
function* whileWanted(events: readonly ModelEvent[], signal: AbortSignal): Generator<ModelEvent> {
  for (const [index, event] of merged(events).entries()) {
    if (index > 0) signal.throwIfAborted();
    yield event;
  }
}

/** The same events with neighbours that continue each other as one. */
function merged(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const pieces: ModelEvent[] = [];
  for (const event of events) {
    const last = pieces.at(-1);
    const both = last && together(last, event);
    if (both) pieces[pieces.length - 1] = both;
    else pieces.push(event);
  }
  return pieces;
}

function together(a: ModelEvent, b: ModelEvent): ModelEvent | null {
  if (a.type === 'text' && b.type === 'text') return { type: 'text', text: a.text + b.text };
  if (a.type === 'refusal' && b.type === 'refusal') return { type: 'refusal', text: a.text + b.text };
  if (a.type === 'progress' && b.type === 'progress') return b;
  if (a.type !== 'thinking' || b.type !== 'thinking') return null;
  return a.kind === b.kind && b.isNew !== true ? { ...a, text: a.text + b.text } : null;
}
