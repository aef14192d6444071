import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { RecordedTools, StepRecord } from '../../../src/domain/conversation/step-record.ts';
import { createStepStore, purgeShared, readStepRecords } from '../../../src/stores/pg/step-records.ts';
import { startChat, viewer, type Chat } from '../../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
let chat: Chat;
beforeAll(async () => {
  database = await createTestDatabase();
  chat = await startChat(database.url);
});
afterAll(async () => {
  await chat.stop();
  await database.drop();
});

const record = (number: number): StepRecord => ({
  number,
  purpose: 'ANSWER',
  model: 'm',
  provider: 'p',
  instructions: '',
  inputFrom: 0,
  input: [],
  toolsHash: '',
  toolChoice: 'auto',
  answerSchema: null,
  sampling: null,
  text: '',
  refusal: '',
  calls: [],
  items: [],
  reason: 'stop',
  usage: null,
  error: null,
  durationMs: 1,
  isCut: false,
});
const tools = (hash: string): RecordedTools => ({
  hash,
  schemas: [{ name: hash, description: 'Gets.', parameters: { type: 'object' } }],
});

/** A conversation whose turn has records with these tools. */
async function conversation(...hashes: readonly string[]) {
  const { session, turn } = await chat.copilot.sendMessage(viewer, {
    content: 'hi',
    clientMessageId: crypto.randomUUID(),
  });
  const steps = createStepStore(chat.db);
  for (const [index, hash] of hashes.entries()) await steps.add(turn.id, record(index + 1), tools(hash));
  return {
    turnId: turn.id,
    add: (number: number, hash: string) => steps.add(turn.id, record(number), tools(hash)),
    delete: () => chat.copilot.deleteSession(viewer, session.id),
  };
}

const kept = async (): Promise<readonly string[]> =>
  (await chat.db.selectFrom('tool_schemas').select('hash').orderBy('hash').execute())
    .map(({ hash }) => hash)
    .filter((hash) => !hash.startsWith('prompt '));

test('tools stay as long as a record of any conversation has them, and go with the last one', async () => {
  const one = await conversation('shared', 'own');
  const other = await conversation('shared');
  expect(await kept()).toEqual(['own', 'shared']);
  await one.delete();
  expect(await kept()).toEqual(['shared']);
  expect((await readStepRecords(chat.db, other.turnId)).tools).toEqual(tools('shared').schemas);
  await other.delete();
  expect(await kept()).toEqual([]);
});

test('a prompt is kept once for all records that were sent it, read with each, and goes with the last', async () => {
  const prompt = 'You answer questions. '.repeat(400);
  const prompts = async () => {
    const { rows } = await sql<{ schemas: string }>`
      select schemas from tool_schemas where hash like 'prompt %' and length(schemas) > 1000`.execute(
      chat.db,
    );
    return rows.map(({ schemas }) => JSON.parse(schemas) as unknown);
  };
  const one = await conversation();
  const other = await conversation();
  const steps = createStepStore(chat.db);
  for (const [turnId, number] of [
    [one.turnId, 1],
    [one.turnId, 2],
    [other.turnId, 1],
  ] as const) {
    await steps.add(turnId, { ...record(number), instructions: prompt }, tools('t'));
  }
  expect(await prompts()).toEqual([prompt]);
  const read = await readStepRecords(chat.db, one.turnId);
  expect(read.records).toEqual([1, 2].map((number) => ({ ...record(number), instructions: prompt })));
  const { rows } = await sql<{
    longest: number;
  }>`select max(length(body_zstd)) as longest from step_records`.execute(chat.db);
  expect(rows[0]!.longest).toBeLessThan(prompt.length / 10);
  await one.delete();
  expect(await prompts()).toEqual([prompt]);
  await other.delete();
  expect(await prompts()).toEqual([]);
});

test('a record of before is not compressed and has its prompt in its body', async () => {
  const { turnId, add } = await conversation();
  await add(1, 'old');
  const body = JSON.stringify({ ...record(1), instructions: 'as it was' });
  await sql`update step_records set prompt_hash = null, body = ${body}, body_zstd = null
    where turn_id = ${turnId}`.execute(chat.db);
  expect((await readStepRecords(chat.db, turnId)).records).toEqual([
    { ...record(1), instructions: 'as it was' },
  ]);
});

/** Statements that wait for another transaction. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(chat.db);
  return rows[0]!.n;
}

test('a record that is added while its tools are removed has them', async () => {
  const { turnId, add } = await conversation('contended');
  await chat.db.deleteFrom('step_records').execute();
  const { adding, purging } = await chat.db.transaction().execute(async (tx) => {
    // Stops the record half way: its tools are found, and it does not refer to them yet.
    await sql`lock table step_records in share mode`.execute(tx);
    const adding = add(1, 'contended');
    await until(async () => (await waiting()) === 1);
    let isPurged = false;
    const purging = chat.db
      .transaction()
      .execute((other) => purgeShared(other, ['contended']))
      .then(() => (isPurged = true));
    await until(async () => isPurged || (await waiting()) === 2);
    return { adding, purging };
  });
  await Promise.all([adding, purging]);
  expect((await readStepRecords(chat.db, turnId)).tools).toEqual(tools('contended').schemas);
});
