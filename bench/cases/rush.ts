import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/stores/pg/database.ts';
import { asCount, inMs, type Bench, type Row } from '../bench.ts';
import { openChat, VIEWER } from '../chat.ts';
import { countPostgresCpu, cpuUsOf, nowMs } from '../cpu.ts';
import { medianOf } from '../rounds.ts';

const MESSAGES = 100;
const ROUNDS = 5;
const PLACES = 4;

/** Messages that one user sends at once, until the last of them is acknowledged, beside a single one. */
export const rush: Bench = async ({ stores, progress }) => {
  const count = countStatements(); // before connections are opened, which keep what they find
  // Answers that never end, so that nothing but the sending is measured once all places are taken.
  const chat = await openChat(
    stores,
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    PLACES,
  );
  try {
    const send = (messages: number) => async () => {
      const before = { statements: count.asked, commits: await commitsOf(chat.db), atMs: nowMs() };
      const postgresUs = await countPostgresCpu(chat.db);
      const serverUs = await cpuUsOf(() =>
        Promise.all(
          Array.from({ length: messages }, (_, index) =>
            chat.copilot.sendMessage(VIEWER, {
              content: `question ${index}`,
              clientMessageId: crypto.randomUUID(),
            }),
          ),
        ),
      );
      const ms = nowMs() - before.atMs;
      const statements = count.asked - before.statements;
      return {
        ms,
        cpuMs: (serverUs + (await postgresUs())) / 1_000,
        statements,
        commits: (await commitsOf(chat.db)) - before.commits,
      };
    };
    await send(PLACES)(); // takes all places
    progress(`${MESSAGES} messages at once, ${ROUNDS} rounds`);
    const rows: Row[] = [];
    for (const [what, messages] of [
      ['one message', 1],
      [`${MESSAGES} messages at once`, MESSAGES],
    ] as const) {
      const runs: Awaited<ReturnType<ReturnType<typeof send>>>[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const run = await send(messages)();
        if (round > 0) runs.push(run);
      }
      rows.push(
        inMs(
          `${what}, until the last is acknowledged`,
          medianOf(runs, ({ ms }) => ms),
          messages === 1 ? null : 1_500,
        ),
        inMs(
          `${what}: processor time with Postgres`,
          medianOf(runs, ({ cpuMs }) => cpuMs),
        ),
        asCount(
          `${what}: statements`,
          medianOf(runs, ({ statements }) => statements),
        ),
        asCount(
          `${what}: commits`,
          medianOf(runs, ({ commits }) => commits),
        ),
      );
    }
    return rows;
  } finally {
    count.end();
    await chat.close();
  }
};

const commitsOf = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ readonly count: number }>`
    select coalesce(sum(count), 0)::float8 as count from viewer_starts`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Counts what is asked of Postgres through any connection of this process. */
function countStatements() {
  const query = Reflect.get(pg.Client.prototype, 'query') as (...given: unknown[]) => unknown;
  const counter = {
    asked: 0,
    end: (): void => void Reflect.set(pg.Client.prototype, 'query', query),
  };
  Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]): unknown {
    counter.asked += 1;
    return Reflect.apply(query, this, given);
  });
  return counter;
}
