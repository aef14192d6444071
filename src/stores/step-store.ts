import type { RecordedTools, StepRecord } from '../domain/conversation/step-record.ts';

/** Where the records of model calls are kept, with the turn that they belong to. */
export type StepStore = {
  add(turnId: string, record: StepRecord, tools: RecordedTools): Promise<void>;
};
