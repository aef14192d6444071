import type { Turn } from '../../domain/conversation/session.ts';
import type { StepPurpose } from '../../domain/conversation/step-record.ts';
import type { Logger } from '../../base/log.ts';
import { modelCalls, modelLabel } from '../../base/metrics.ts';
import { ModelError } from '../model.ts';
import type { ModelWatch } from './model-watch.ts';

/** Counts each model call, and logs one line for it: ids, counts, times and codes; no words of people or models. */
export const loggedCalls =
  (log: Logger, { id, sessionId }: Pick<Turn, 'id' | 'sessionId'>, purpose: StepPurpose): ModelWatch =>
  ({ name, provider }) => {
    const startedAt = performance.now();
    const end: Record<string, unknown> = { reason: null };
    let calls = 0;
    let firstWordMs: number | null = null;
    return {
      event(event) {
        if (event.type === 'text') firstWordMs ??= performance.now() - startedAt;
        if (event.type === 'call') calls += 1;
        if (event.type === 'finished') Object.assign(end, { reason: event.reason, ...event.usage });
      },
      end(failure) {
        const ms = Math.round(performance.now() - startedAt);
        const error = failure === null ? null : failure instanceof ModelError ? failure.code : 'STOPPED';
        const line = { turnId: id, sessionId, purpose, model: name, provider, ...end, calls, error, ms };
        log.info(line, 'a model was asked');
        const model = modelLabel(name);
        modelCalls.ended.inc({ model, error: error ?? 'none' });
        modelCalls.seconds.observe({ model }, ms / 1000);
        if (firstWordMs !== null) modelCalls.firstWord.observe({ model }, firstWordMs / 1000);
      },
    };
  };
