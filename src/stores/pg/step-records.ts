import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import {
  recordedToolsSchema,
  sentInput,
  stepRecordSchema,
  type RecordedInput,
  type RecordedTools,
  type StepRecord,
} from '../../domain/conversation/step-record.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { PREPARED, type Db, type Tx } from './database.ts';
import { isOneOf } from './ids.ts';

/** Where the records of model calls are kept. */
export type StepStore = ReturnType<typeof createStepStore>;

/** Records of model calls, in Postgres; they are deleted with their turn. */
export const createStepStore = (db: Db) => ({
  async add(turnId: string, { instructions, ...record }: StepRecord, tools: RecordedTools): Promise<void> {
    const prompt = toStoredJson(instructions);
    const body = await compress(toStoredJson(record));
    const promptHash = `prompt ${createHash('sha256').update(prompt).digest('base64url')}`;
    // The upsert writes nothing where they are known, but locks their rows, so that none is purged before the record
    // refers to it; in the order in which they are purged.
    await sql`${PREPARED}
      with shared as (
        insert into tool_schemas (hash, schemas)
        select * from (values (${tools.hash}, ${toStoredJson(tools.schemas)}), (${promptHash}, ${prompt}))
          as part (hash, schemas) order by hash
        on conflict (hash) do update set schemas = excluded.schemas where false
      )
      insert into step_records (turn_id, number, tools_hash, prompt_hash, body_zstd)
      values (${turnId}, ${record.number}, ${tools.hash}, ${promptHash}, ${body})
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
    .innerJoin('tool_schemas as tools', 'tools.hash', 'tools_hash')
    .leftJoin('tool_schemas as prompt', 'prompt.hash', 'prompt_hash')
    .select(['body', 'body_zstd', 'tools.schemas as schemas', 'prompt.schemas as instructions'])
    .where('turn_id', '=', turnId)
    .orderBy('number')
    .execute();
  const all = await Promise.all(
    rows.map(async ({ schemas, instructions, ...row }) => ({
      record: recordOf(await bodyOf(row), instructions),
      schemas,
    })),
  );
  const answering = all.filter(({ record }) => record.purpose === 'ANSWER');
  return {
    records: answering.map(({ record }) => record),
    tools: recordedToolsSchema.parse(JSON.parse(answering[0]?.schemas ?? '[]')),
  };
}

const compress = promisify<string, Buffer>(zstdCompress);
const decompress = promisify<Buffer, Buffer>(zstdDecompress);

/** What a record says, compressed or, in older rows, not. */
export async function bodyOf(row: {
  readonly body: string | null;
  readonly body_zstd: Buffer | null;
}): Promise<object> {
  return JSON.parse(
    row.body_zstd === null ? (row.body ?? '{}') : (await decompress(row.body_zstd)).toString(),
  ) as object;
}

/** Older records have their instructions in the body. */
function recordOf(record: object, instructions: string | null): StepRecord {
  return stepRecordSchema.parse(
    instructions === null ? record : { ...record, instructions: JSON.parse(instructions) as unknown },
  );
}

type SentRecord = Pick<StepRecord, 'number' | 'inputFrom' | 'input' | 'isCut'> &
  Partial<Pick<StepRecord, 'purpose' | 'items'>>;

/**
 * What the last answering call of each turn was sent, from the turn's question on. Turns that were not recorded whole are
 * left out.
 */
export async function readSentInputs(
  db: Db,
  turnIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RecordedInput[]>> {
  const rows = await db
    .selectFrom('step_records')
    .select(['turn_id as turnId', 'body', 'body_zstd'])
    .where(isOneOf('turn_id', turnIds))
    .orderBy('turn_id')
    .orderBy('number')
    .execute();
  const all = await Promise.all(
    rows.map(async ({ turnId, ...row }) => {
      const { purpose = 'ANSWER', items = [], ...record } = (await bodyOf(row)) as SentRecord;
      return { ...record, turnId, purpose, items };
    }),
  );
  const answering = all.filter(({ purpose }) => purpose === 'ANSWER');
  const sent = [...Map.groupBy(answering, ({ turnId }) => turnId)].flatMap(([turnId, ofTurn]) => {
    if (ofTurn.some(({ isCut }) => isCut)) return [];
    const whole = sentInput(ofTurn);
    // Only the server's words about a question come with it; those of a last request come alone.
    const question = whole.findLastIndex((entry) => entry.type === 'user' && entry.context !== undefined);
    return question < 0 ? [] : [[turnId, whole.slice(question)] as const];
  });
  return new Map(sent);
}

/** Hashes of the tools and prompts that the records of a session refer to. */
export async function sharedOfSession(tx: Tx, sessionId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly hash: string }>`
    select distinct hash from step_records join turns on turns.id = turn_id,
      unnest(array[tools_hash, prompt_hash]) as hash
    where turns.session_id = ${sessionId} and hash is not null
  `.execute(tx);
  return rows.map(({ hash }) => hash);
}

/** Removes those of these tools and prompts that no record refers to any more: sessions share them. */
export async function purgeShared(tx: Tx, hashes: readonly string[]): Promise<void> {
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
      and not exists (select 1 from step_records where prompt_hash = hash)
  `.execute(tx);
}
