/** No process holds another up: servers on one Postgres, one of which is frozen or killed where it hurts most. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { z } from 'zod';
import { ask, ended, ofType, startChat, viewer, type Chat } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { readLog } from '../support/transcripts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const started = z.object({ sessionIds: z.array(z.string()), turnIds: z.array(z.string()) });

/** A server in a process of its own that holds locks, beside one of this process with the times of production. */
async function withPeer(
  work: (chat: Chat, peer: z.infer<typeof started> & { readonly signal: Signal }) => Promise<void>,
  limits: 'limited' | 'unlimited' = 'limited',
): Promise<void> {
  const script = fileURLToPath(new URL('../support/frozen-process.ts', import.meta.url));
  const args = [script, database.url, limits];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const chat = await startChat(database.url);
  try {
    const line = await until(() => lines[0], { what: 'the peer to hold its locks' });
    const signal: Signal = (name) => {
      child.kill(name);
      return lines;
    };
    await work(chat, { ...started.parse(JSON.parse(line)), signal });
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await chat.stop();
  }
}

type Signal = (name: NodeJS.Signals) => readonly string[];

const sendSome = (chat: Chat) =>
  Promise.all(
    Array.from({ length: 15 }, (_, place) => chat.copilot.sendMessage(viewer, ask(`number ${place}`))),
  );

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  'a server that gets %s while it holds the locks of a viewer and a conversation stops nobody: 15 of 15 messages are answered, and its turns are closed',
  async (how) => {
    await withPeer(async (chat, { turnIds, signal }) => {
      signal(how);
      const sent = await sendSome(chat);
      for (const { turn } of sent) expect((await ended(chat, turn)).status).toBe('COMPLETED');
      for (const id of turnIds) expect((await ended(chat, { id })).status).toBe('INTERRUPTED');
    });
  },
);

test('a server that stays frozen in a transaction that starts something for a viewer stops nobody, though PostgreSQL never ends it', async () => {
  await withPeer(async (chat, { signal }) => {
    signal('SIGSTOP');
    const sent = await sendSome(chat);
    for (const { turn } of sent) expect((await ended(chat, turn)).status).toBe('COMPLETED');
    const { rows } = await chat.pool.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    expect(rows.filter(({ query }) => query.includes('qpilot.starts'))).not.toEqual([]);
  }, 'unlimited');
});

test('a frozen server that wakes adds nothing to turns that were closed, and ends them', async () => {
  await withPeer(async (chat, { sessionIds, turnIds, signal }) => {
    signal('SIGSTOP');
    for (const id of turnIds) await ended(chat, { id });
    const before = await Promise.all(sessionIds.map((id) => readLog(chat, id)));
    const lines = signal('SIGCONT');
    await until(() => lines.filter((line) => line.includes('lost')).length === turnIds.length, {
      what: 'it to notice',
    });
    expect(await Promise.all(sessionIds.map((id) => readLog(chat, id)))).toEqual(before);
    for (const log of before) expect(ofType(log, 'TurnFinishedEvent')).toHaveLength(1);
  });
});

test('a server starts although somebody holds the conversation of an abandoned turn, and closes the others', async () => {
  await withPeer(async (chat, { sessionIds, turnIds, signal }) => {
    await chat.runner.stop();
    await chat.db.transaction().execute(async (tx) => {
      const [first = '', second = ''] = turnIds;
      signal('SIGKILL');
      const hold = tx
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', sessionIds[0] ?? '')
        .forUpdate();
      await hold.execute();
      const keepAwake = setInterval(() => void hold.execute(), 200);
      const late = await startChat(database.url);
      expect((await ended(late, { id: second })).status).toBe('INTERRUPTED');
      const [held] = await late.copilot.byId.turns(viewer, [first]);
      expect(held?.status).toBe('RUNNING');
      clearInterval(keepAwake);
      await late.stop();
    });
  });
});
