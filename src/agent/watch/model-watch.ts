/**
 * Observes model calls, for records, traces and logs. Observers change nothing and must neither throw nor wait.
 */
import type { Model, ModelEvent, ModelRequest } from '../model.ts';

/** Observes one model call. */
export type CallWatch = {
  event(event: ModelEvent): void;
  /** Called once when the call ends, with the error that broke it; null after `finished` or when the caller left. */
  end(failure: unknown): void;
};

export type ModelWatch = (model: Model, request: ModelRequest) => CallWatch;

export function watchedModel(model: Model, watches: readonly ModelWatch[]): Model {
  if (watches.length === 0) return model;
  return {
    ...model,
    // Ollama's first model is known only once it is asked.
    get name() {
      return model.name;
    },
    get provider() {
      return model.provider;
    },
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
      // The caller leaves after this event, while the provider may take long to close the stream.
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
