import type { ModelEvent } from '../../model.ts';
import { listenToBytes } from './provider-fetch.ts';

/** Signs of life are emitted at most this often. */
const PROGRESS_EVERY_MS = 100;

/** The events of a response, with `progress` where bytes come in that make no event. */
export async function* withProgress(
  events: AsyncIterable<ModelEvent>,
  response: Response,
): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]();
  let lastAt = performance.now();
  let wake: (() => void) | null = null;
  listenToBytes(response, () => {
    if (performance.now() - lastAt >= PROGRESS_EVERY_MS) wake?.();
  });
  try {
    for (;;) {
      const next = iterator.next();
      for (;;) {
        const first = Promise.withResolvers<IteratorResult<ModelEvent> | null>();
        next.then(first.resolve, first.reject);
        wake = () => first.resolve(null);
        const came = await first.promise;
        lastAt = performance.now();
        if (came === null) {
          yield { type: 'progress' };
          continue;
        }
        if (came.done === true) return;
        yield came.value;
        break;
      }
    }
  } finally {
    // Not awaited: it ends once the request is closed.
    iterator.return?.(undefined).catch(() => undefined);
  }
}
