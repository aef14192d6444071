/**
 * The facts of the schema on which `docs/scale.md` rests: every row belongs to a conversation, project or viewer and is
 * found by it, no number comes from a central sequence, and rows refer to rows of the same conversation.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';

const KEYS: readonly unknown[] = ['session_id', 'project_id', 'turn_id', 'viewer_id'];

/** Found by an id of their own, a UUID that the writing server made: `sessions.id` is the key, all others have one beside it. */
const BY_OWN_ID = [
  'alert_deliveries',
  'alert_destinations',
  'alert_rules',
  'alerts',
  'boards',
  'builder_edits',
  'charts',
  'comments',
  'deleted_sessions',
  'job_drafts',
  'jobs',
  'message_images',
  'messages',
  'sessions',
  'summaries',
  'tables',
  'tool_calls',
  'turns',
  'uploads',
];

/** Every other index that begins with something else, and why that does no harm. */
const EXCEPTIONS = {
  // in a conversation that whoever reads knows
  'builder_links(job_id)': 'a row a job, which has one conversation',
  'job_datasources(job_id, position)': 'a few rows a job',
  'job_turns(job_id, turn_id)': 'the phases of a job',
  'message_images(message_id, position)': 'pictures of a message',
  'ratings(message_id, viewer_id)': 'ratings of a message',
  'summaries(through_turn_id)': 'a turn by another name',
  'turns(joins_id)': 'messages that wait to join a turn',
  'turns(parent_id)': 'branches of a conversation',
  'turns(question_id)': 'retries of a question',
  'sessions(share_key)': 'whoever opens a link, which would ask all shards once',
  'shared_answers(share_key)': 'the same for one answer',
  'boards(share_key)': 'the same for a board',
  // of a person, whatever the conversation
  'comments(author_id, created_at)': 'a viewer by another name',
  'comments(mentions)': 'comments that name a person, which would ask all shards',
  'search_entries(words)': 'words of all conversations, which would ask all shards',
  // read by the hourly sweep, a batch at a time
  'alert_deliveries(created_at)': 'the sweep by age',
  'deleted_sessions(job_id)': 'folders of deleted jobs',
  'job_drafts(created_at)': 'proposed jobs that nobody opened',
  'session_uploads(upload_id)': 'uploads that no conversation uses',
  'step_records(prompt_hash)': 'prompts that no record uses',
  'step_records(tools_hash)': 'tool schemas that no record uses',
  'uploads(used_at)': 'uploads of long ago',
  // the audit, of the whole installation: a table of its own database where one is too small
  'audit_log(at)': 'the sweep by age',
  'audit_log(number)': 'the order of all records, which pages follow',
  'audit_log(person_id, number)': 'a viewer by another name',
  // read by whoever evaluates rules, a batch at a time
  'alert_rules(checked_at)': 'rules that nobody looked at for a while',
  // small
  'daily_usage(scope, id, day)': 'a row a day for each user and project',
  'members(user_id)': 'a row for each person and project',
  'model_lessons(provider, host, model)': 'a row for each model',
  'tool_schemas(hash)': 'each text once',
};

/** Tables without a column of KEYS, and what their rows belong to. */
const BELONGING = {
  daily_usage: 'the user or project in id',
  job_datasources: 'a job',
  model_lessons: 'all',
  tool_schemas: 'all',
};

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const rowsOf = async <Row extends object>(query: string): Promise<readonly Row[]> =>
  (await client.query<Row>(query)).rows;
const OURS = "relnamespace = 'public'::regnamespace and relname not like 'kysely%'";

test('every index begins with a session, project, turn or viewer, but for what is named here', async () => {
  type Index = { readonly relname: string; readonly columns: readonly string[] };
  const indexes = await rowsOf<Index>(`
    select relname, array_agg(attname::text order by place.ordinality) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
      cross join unnest(indkey) with ordinality as place(attnum, ordinality)
      join pg_attribute on attrelid = indrelid and pg_attribute.attnum = place.attnum
    where ${OURS} group by indexrelid, relname`);
  const others = indexes.filter(({ columns: [first] }) => !KEYS.includes(first));
  const [byOwnId, exceptions] = [true, false].map((isOwn) =>
    others.filter(({ columns }) => (columns.join() === 'id') === isOwn),
  );
  expect(byOwnId?.map(({ relname }) => relname).toSorted()).toEqual(BY_OWN_ID);
  expect(exceptions?.map(({ relname, columns }) => `${relname}(${columns.join(', ')})`).toSorted()).toEqual(
    Object.keys(EXCEPTIONS).toSorted(),
  );
});

test('every table says whose its rows are, and what is found by its own id has a UUID', async () => {
  type Table = { readonly relname: string; readonly columns: Readonly<Record<string, string>> };
  const tables = await rowsOf<Table>(`
    select relname, json_object_agg(attname, atttypid::regtype) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where ${OURS} and relkind = 'r' group by relname order by relname`);
  const without = tables.filter(({ columns }) => !KEYS.some((key) => String(key) in columns));
  expect(without.map(({ relname }) => relname)).toEqual(Object.keys(BELONGING));
  const ids = tables.filter(({ relname }) => BY_OWN_ID.includes(relname)).map(({ columns }) => columns['id']);
  expect(ids).toEqual(BY_OWN_ID.map(() => 'uuid'));
});

test('nothing but the audit is numbered by a sequence, and rows refer only to rows of their conversation or job', async () => {
  const [sequences] = await rowsOf<{ count: string }>(
    `select count(*) from pg_class where ${OURS} and relkind = 'S'`,
  );
  expect(sequences).toEqual({ count: '1' });
  const references = await rowsOf<{ name: string }>(`
    select distinct confrelid::regclass::text as name from pg_constraint join pg_class on pg_class.oid = confrelid
    where contype = 'f' and ${OURS} order by 1`);
  // Uploads may be in several conversations of one viewer; tool schemas are the same everywhere.
  expect(references.map(({ name }) => name)).toEqual([
    'boards',
    'jobs',
    'messages',
    'sessions',
    'tool_schemas',
    'turns',
    'uploads',
  ]);
});
