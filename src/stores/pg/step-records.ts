import {
  recordedToolsSchema,
  stepRecordSchema,
  type RecordedTools,
  type StepRecord,
} from '../../domain/step-record.ts';
import { toStoredJson } from '../../domain/stored-text.ts';
import type { StepStore } from '../step-store.ts';
import type { Db } from './database.ts';

/** Records of model calls, in Postgres; they go with their turn. */
export const createStepStore = (db: Db): StepStore => ({
  async add(turnId, record, tools) {
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('tool_schemas')
        .values({ hash: tools.hash, schemas: toStoredJson(tools.schemas) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await tx
        .insertInto('step_records')
        .values({
          turn_id: turnId,
          number: record.number,
          tools_hash: tools.hash,
          body: toStoredJson(record),
        })
        .execute();
    });
  },
});

/** What was recorded of the model calls that answered a turn, in their order, and the tools that the first one was offered. */
export type RecordedSteps = {
  readonly records: readonly StepRecord[];
  readonly tools: RecordedTools['schemas'];
};

/**
 * The records of a turn's answer; none for one that asked no model, or that was answered before records were kept. Those
 * of a summary that was written first are not among them: the answer was given it as a part of its prompt.
 */
export async function readStepRecords(db: Db, turnId: string): Promise<RecordedSteps> {
  const rows = await db
    .selectFrom('step_records')
    .innerJoin('tool_schemas', 'hash', 'tools_hash')
    .select(['body', 'schemas'])
    .where('turn_id', '=', turnId)
    .orderBy('number')
    .execute();
  const answering = rows
    .map(({ body, schemas }) => ({ record: stepRecordSchema.parse(JSON.parse(body)), schemas }))
    .filter(({ record }) => record.purpose === 'ANSWER');
  return {
    records: answering.map(({ record }) => record),
    tools: recordedToolsSchema.parse(JSON.parse(answering[0]?.schemas ?? '[]')),
  };
}
