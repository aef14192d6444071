import type { Turn } from '../../domain/conversation/session.ts';
import type { StepPurpose } from '../../domain/conversation/step-record.ts';
import type { Logger } from '../../base/log.ts';
import type { StepStore } from '../../stores/step-store.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import type { Model } from '../model.ts';
import { watchedModel } from './model-watch.ts';
import { outputLog } from './output-shape.ts';
import { createStepRecorder } from './step-recorder.ts';
import { tracedModelCalls } from './trace-models.ts';

/** What watching a turn needs; all of it lives as long as the process. */
export type TurnWatchDeps = {
  /** Null: no model call is recorded. */
  readonly steps: StepStore | null;
  /** Whether the shape of every output is logged. */
  readonly logModelOutput: boolean;
  readonly logger: Logger;
  readonly tracing: Tracing;
};

/** Watches the models of one turn; `close` waits for what is still being kept. */
export type TurnWatch = {
  /** The model, watched while it is asked for this purpose. */
  watched(model: Model, purpose: StepPurpose): Model;
  close(): Promise<void>;
};

/** Records the model calls of a turn. A record that is lost costs a line in the log, never the answer. */
export function openTurnWatch(
  { steps, logModelOutput, logger, tracing }: TurnWatchDeps,
  { id, sessionId }: Pick<Turn, 'id' | 'sessionId'>,
): TurnWatch {
  const recorder = createStepRecorder({
    save: async (record, tools) => steps?.add(id, record, tools),
    onFailure: (error) => logger.warn({ err: error, turnId: id }, 'a model call was not recorded'),
    clock: () => performance.now(),
  });
  const watches = (purpose: StepPurpose) => [
    ...(tracing.isOn ? [tracedModelCalls(tracing, sessionId, purpose)] : []),
    ...(steps ? [recorder.watch(purpose)] : []),
    ...(logModelOutput ? [outputLog(logger)] : []),
  ];
  return {
    watched: (model, purpose) => watchedModel(model, watches(purpose)),
    close: () => recorder.close(),
  };
}
