/**
 * Looks on while models are asked, for records, traces and logs. It changes nothing of what passes, and what watches must
 * neither throw nor wait.
 */
import type { Model, ModelEvent, ModelRequest } from '../model.ts';

/** Looks on during one model call. */
export type CallWatch = {
  event(event: ModelEvent): void;
  /** Called once, as soon as the call has ended: null after `finished`, else what broke it; null too if it was left. */
  end(failure: unknown): void;
};

/** Called as a model is asked. */
export type ModelWatch = (model: Model, request: ModelRequest) => CallWatch;

/** The model, watched; the same where nobody watches. */
export function watchedModel(model: Model, watches: readonly ModelWatch[]): Model {
  if (watches.length === 0) return model;
  return {
    ...model,
    stream: (request, signal) =>
      watchedEvents(
        model.stream(request, signal),
        watches.map((watch) => watch(model, request)),
      ),
  };
}

async function* watchedEvents(
  events: AsyncIterable<ModelEvent>,
  watches: readonly CallWatch[],
): AsyncGenerator<ModelEvent> {
  let isOver = false;
  const end = (failure: unknown): void => {
    if (isOver) return;
    isOver = true;
    for (const watch of watches) watch.end(failure);
  };
  try {
    for await (const event of events) {
      for (const watch of watches) watch.event(event);
      // Whoever asked leaves after this event, and a provider may take its time to close the stream.
      if (event.type === 'finished') end(null);
      yield event;
    }
  } catch (error) {
    end(error);
    throw error;
  } finally {
    end(null);
  }
}
