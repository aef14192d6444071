import type { Turn } from '../../domain/conversation/session.ts';
import type { StepPurpose } from '../../domain/conversation/step-record.ts';
import type { Logger } from '../../base/log.ts';
import type { StepStore } from '../../stores/pg/step-records.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import type { Model } from '../model.ts';
import { loggedCalls } from './log-calls.ts';
import { watchedModel } from './model-watch.ts';
import { outputLog } from './output-shape.ts';
import { createStepRecorder } from './step-recorder.ts';
import { tracedModelCalls } from './trace-models.ts';

/** All of it lives as long as the process. */
export type TurnWatchDeps = {
  /** Null: model calls are not recorded. */
  readonly steps: StepStore | null;
  /** Whether the structure of every output is logged. */
  readonly logModelOutput: boolean;
  readonly logger: Logger;
  readonly tracing: Tracing;
};

export type TurnWatch = ReturnType<typeof openTurnWatch>;

/** Records, traces and logs the model calls of a turn. A lost record costs a line in the log, never the answer. */
export function openTurnWatch(
  { steps, logModelOutput, logger, tracing }: TurnWatchDeps,
  { id, sessionId }: Pick<Turn, 'id' | 'sessionId'>,
) {
  const recorder = createStepRecorder({
    save: async (record, tools) => steps?.add(id, record, tools),
    onFailure: (error) => logger.warn({ err: error, turnId: id }, 'a model call was not recorded'),
    clock: () => performance.now(),
  });
  const watches = (purpose: StepPurpose) => [
    loggedCalls(logger, { id, sessionId }, purpose),
    ...(tracing.isOn ? [tracedModelCalls(tracing, sessionId, purpose)] : []),
    ...(steps ? [recorder.watch(purpose)] : []),
    ...(logModelOutput ? [outputLog(logger)] : []),
  ];
  return {
    /** The model with its calls for this purpose observed. */
    watched: (model: Model, purpose: StepPurpose): Model => watchedModel(model, watches(purpose)),
    /** Waits for records that are still being saved. */
    close: () => recorder.close(),
  };
}
