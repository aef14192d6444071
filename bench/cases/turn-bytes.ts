import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/base/log.ts';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase, type Db } from '../../src/stores/pg/database.ts';
import { packEvents } from '../../src/stores/pg/event-pages.ts';
import { post } from '../../test/support/graphql-client.ts';
import { runJob } from '../../test/support/job-run.ts';
import { asPercent, inKilobytes, type Bench, type Row } from '../bench.ts';
import { startOrdinaryModel } from '../ordinary-model.ts';
import { measureTables, writtenBytes, type TableBytes } from '../table-bytes.ts';

/** Turns of a kind between two measurements, by so many conversations at once. */
const CONVERSATIONS = 3;
const TURNS_EACH = 4;
/** Jobs of three phases. */
const JOBS = 4;
const GOAL_KB = 15;
/** Parts of a turn below this are not named. */
const LEAST_KB = 0.2;

/**
 * What an ordinary turn leaves in the database once its conversation is quiet, asked of the whole program with a model over the Responses API. The first
 * turns of a kind make room that later ones use, and are not counted.
 */
export const turnBytes: Bench = async ({ stores, progress }) => {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-bench-turns-'));
  const log = createLogger('warn');
  const model = await startOrdinaryModel();
  const app = await startApp(
    readConfig({
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: stores.postgresUrl,
      MONGODB_URI: stores.mongoUri,
      MONGODB_DB: 'bench_turns',
      CALIBRATION_WRITES: '1',
      DEMO: '1',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API: 'responses',
      COPILOT_MODEL: 'gpt-4.1',
      QPILOT_CONFIG: await settingsIn(folder),
    }),
    { log },
  );
  const database = openDatabase(stores.postgresUrl, { log });
  const rows: Row[] = [];
  try {
    for (const { name, turns, run } of kindsOf(app.url)) {
      progress(`${name}: ${turns} turns, twice`);
      await run();
      const before = await measureLater(database.db);
      const writtenBefore = await writtenBytes(database.db);
      await run();
      const written = (await writtenBytes(database.db)) - writtenBefore;
      rows.push(...rowsOf(name, turns, before, await measureLater(database.db)));
      rows.push(inKilobytes(`${name}: written to the log of changes`, written / turns / 1_000));
    }
    return rows;
  } finally {
    await database.close();
    await app.stop();
    model.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** As the hourly sweep leaves it once nobody writes any more. */
async function measureLater(db: Db): Promise<ReadonlyMap<string, TableBytes>> {
  while ((await packEvents(db, 0)) > 0);
  return measureTables(db);
}

type Kind = { readonly name: string; readonly turns: number; readonly run: () => Promise<unknown> };

function kindsOf(url: string): readonly Kind[] {
  const turns = CONVERSATIONS * TURNS_EACH;
  const inConversations = (question: string) => () =>
    Promise.all(Array.from({ length: CONVERSATIONS }, () => converse(url, question)));
  const jobs = async (): Promise<void> => {
    for (let count = 0; count < JOBS; count += 1) {
      const { status, error } = await runJob(url, {
        chipId: 'demo-64',
        description: 'Which qubits are short-lived?',
      });
      if (status !== 'COMPLETED') throw new Error(`a job ended as ${status}: ${JSON.stringify(error)}`);
    }
  };
  return [
    { name: 'a short answer', turns, run: inConversations('How is T1 of Q27? (short)') },
    { name: 'three tool calls with a chart', turns, run: inConversations('How is T1 of the chip? (tools)') },
    { name: 'a phase of a job', turns: JOBS * 3, run: jobs },
  ];
}

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id } } ... on UserError { message } } }`;
const TURN = 'query ($id: ID!) { node(id: $id) { ... on Turn { status toolCalls { status } } } }';
const ended = z.object({ status: z.string(), toolCalls: z.array(z.object({ status: z.string() })) });
const sent = z.object({ session: z.object({ id: z.string() }), turn: z.object({ id: z.string() }) });

async function converse(url: string, question: string): Promise<void> {
  let sessionId: string | null = null;
  for (let turn = 0; turn < TURNS_EACH; turn += 1) {
    const input = {
      content: question,
      clientMessageId: crypto.randomUUID(),
      sessionId,
      ...(sessionId === null && { chipId: 'demo-64' }),
    };
    const { data, errors } = await post(url, SEND, { variables: { input } });
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    const { session, turn: started } = sent.parse(data?.['sendMessage']);
    sessionId = session.id;
    await untilEnded(url, started.id);
  }
}

async function untilEnded(url: string, id: string): Promise<void> {
  for (;;) {
    const { data, errors } = await post(url, TURN, { variables: { id } });
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    const { status, toolCalls } = ended.parse(data?.['node']);
    if (status === 'COMPLETED' && toolCalls.every((call) => call.status === 'OK')) return;
    if (status !== 'RUNNING' && status !== 'QUEUED') throw new Error(JSON.stringify(data));
    await sleep(50);
  }
}

/** Bytes of a turn by table, and of its columns; updates within the page. */
function rowsOf(
  name: string,
  turns: number,
  before: ReadonlyMap<string, TableBytes>,
  after: ReadonlyMap<string, TableBytes>,
): readonly Row[] {
  const parts: Row[] = [];
  let [all, updates, hot] = [0, 0, 0];
  const kb = (now: number, then = 0): number => (now - then) / turns / 1_000;
  for (const [table, now] of after) {
    const then = before.get(table);
    const add = (what: string, bytes: number): number => {
      if (bytes >= LEAST_KB) parts.push(inKilobytes(`${name}: ${table}${what}`, bytes));
      return bytes;
    };
    all +=
      add(', rows', kb(now.heap, then?.heap)) +
      add(', long values', kb(now.long, then?.long)) +
      add(', indexes', kb(now.indexes, then?.indexes));
    for (const [column, bytes] of Object.entries(now.columns)) {
      add(`, of it ${column}`, kb(bytes, then?.columns[column]));
    }
    updates += now.updates - (then?.updates ?? 0);
    hot += now.hotUpdates - (then?.hotUpdates ?? 0);
  }
  return [
    inKilobytes(`${name}, in the database`, all, GOAL_KB),
    ...parts,
    asPercent(`${name}: updates that wrote no index`, (100 * hot) / updates),
  ];
}

const settings = z.looseObject({ limits: z.looseObject({ turn: z.looseObject({}) }) });

/** The shipped settings without limits on how much one user asks. */
async function settingsIn(folder: string): Promise<string> {
  const { limits, ...others } = settings.parse(parse(await readFile('config/qpilot.yaml', 'utf8')));
  const NO_LIMIT = 1_000_000_000;
  const lifted = {
    ...limits,
    sessionTokens: NO_LIMIT,
    userTokensPerDay: NO_LIMIT,
    projectTokensPerDay: NO_LIMIT,
    messagesPerMinute: NO_LIMIT,
    turnsPerUser: 1_000,
    turnsAtOnce: 1_000,
    turn: { ...limits.turn, toolSeconds: 600, turnSeconds: 900 },
  };
  const file = join(folder, 'settings.yaml');
  await writeFile(file, stringify({ ...others, limits: lifted }));
  return file;
}
