import { sql } from 'kysely';
import {
  recordedToolsSchema,
  stepRecordSchema,
  type RecordedInput,
  type RecordedTools,
  type StepRecord,
} from '../../domain/conversation/step-record.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import type { Db, Tx } from './database.ts';
import { isOneOf } from './ids.ts';

/** Where the records of model calls are kept. */
export type StepStore = ReturnType<typeof createStepStore>;

/** Records of model calls, in Postgres; they are deleted with their turn. */
export const createStepStore = (db: Db) => ({
  async add(turnId: string, record: StepRecord, tools: RecordedTools): Promise<void> {
    // The upsert writes nothing where the tools are known, but locks their row, so that it is not purged before the
    // record refers to it.
    await sql`
      with tools as (
        insert into tool_schemas (hash, schemas) values (${tools.hash}, ${toStoredJson(tools.schemas)})
        on conflict (hash) do update set schemas = excluded.schemas where false
      )
      insert into step_records (turn_id, number, tools_hash, body)
      values (${turnId}, ${record.number}, ${tools.hash}, ${toStoredJson(record)})
    `.execute(db);
  },
});

/** The records of the model calls that answered a turn, in order, and the tools offered to the first one. */
export type RecordedSteps = {
  readonly records: readonly StepRecord[];
  readonly tools: RecordedTools['schemas'];
};

/**
 * The records of a turn's answer; none if no model was asked, or if the turn is older than the records. Calls
 * that wrote a summary first are excluded: the answer got the summary in its prompt.
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

type SentRow = {
  readonly turnId: string;
  readonly inputFrom: number;
  readonly input: readonly RecordedInput[];
  readonly isCut: boolean;
};

/**
 * What the last answering call of each turn was sent, from the turn's question on. Turns that were not recorded whole are
 * left out.
 */
export async function readSentInputs(
  db: Db,
  turnIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RecordedInput[]>> {
  const { rows } = await sql<SentRow>`
    select turn_id as "turnId", "inputFrom", input, "isCut"
    from step_records,
      json_to_record(body::json) as record ("inputFrom" int, input json, "isCut" boolean, purpose text)
    where ${isOneOf('turn_id', turnIds)} and coalesce(purpose, 'ANSWER') = 'ANSWER'
    order by turn_id, number
  `.execute(db);
  const sent = [...Map.groupBy(rows, ({ turnId }) => turnId)].flatMap(([turnId, ofTurn]) => {
    if (ofTurn.some(({ isCut }) => isCut)) return [];
    const whole = ofTurn.reduce<readonly RecordedInput[]>(
      (before, { inputFrom, input }) => [...before.slice(0, inputFrom), ...input],
      [],
    );
    // Only the server's words about a question come with it; those of a last request stand alone.
    const question = whole.findLastIndex((entry) => entry.type === 'user' && entry.context !== undefined);
    return question < 0 ? [] : [[turnId, whole.slice(question)] as const];
  });
  return new Map(sent);
}

/** Hashes of the tools that the records of a session refer to. */
export async function toolsOfSession(tx: Tx, sessionId: string): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('step_records')
    .innerJoin('turns', 'turns.id', 'turn_id')
    .select('tools_hash')
    .distinct()
    .where('turns.session_id', '=', sessionId)
    .execute();
  return rows.map(({ tools_hash }) => tools_hash);
}

/** Removes those of these tools that no record refers to any more: they are shared between sessions. */
export async function purgeTools(tx: Tx, hashes: readonly string[]): Promise<void> {
  // Locked first, in a fixed order: the next statement then sees the records that refer to them.
  await tx
    .selectFrom('tool_schemas')
    .select('hash')
    .where(sql<boolean>`hash = any(${hashes}::text[])`)
    .orderBy('hash')
    .forUpdate()
    .execute();
  await sql`
    delete from tool_schemas where hash = any(${hashes}::text[])
      and not exists (select 1 from step_records where tools_hash = hash)
  `.execute(tx);
}
