/** A sign of life while Ollama loads a model: it answers nothing then, which for a large model takes minutes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, ModelEvent } from '../../model.ts';

const EVERY_MS = 10_000;

/** The model; until its first event, `isAlive` is asked again and again, and each answer is progress. */
export const whileLoading = (
  model: Model,
  isAlive: (signal: AbortSignal) => Promise<unknown>,
  everyMs: number = EVERY_MS,
): Model => ({
  ...model,
  async *stream(request, signal): AsyncGenerator<ModelEvent> {
    const events = model.stream(request, signal)[Symbol.asyncIterator]();
    const begun = new AbortController();
    try {
      const first = events.next();
      first.then(
        () => begun.abort(),
        () => begun.abort(),
      );
      while (!begun.signal.aborted) {
        await Promise.race([
          first,
          sleep(everyMs, undefined, { signal: begun.signal }).catch(() => undefined),
        ]);
        if (begun.signal.aborted) break;
        const alive = await isAlive(AbortSignal.any([signal, begun.signal])).then(
          () => true,
          () => false,
        );
        if (alive && !begun.signal.aborted) yield { type: 'progress' };
      }
      for (let next = await first; next.done !== true; next = await events.next()) yield next.value;
    } finally {
      begun.abort();
      await events.return?.();
    }
  },
});
