import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../src/postgres/start.ts';
import { StoresError } from '../src/stores-error.ts';
import { startChild, until } from '@qpilot/test-support';

const owner = join(import.meta.dirname, 'postgres-owner.ts');

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'qpilot-pg-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the tests kill its server
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withPostgres<T>(work: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const postgres = await startPostgres({ dir });
  try {
    return await work(postgres);
  } finally {
    await postgres.stop();
  }
}

/** Inserts rows one after another until the server is gone; the numbers of those that were acknowledged. */
async function insertUntilGone(url: string, acknowledged: number[]): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    for (let n = 0; ; n += 1) {
      await client.query('INSERT INTO numbers VALUES ($1)', [n]);
      acknowledged.push(n);
    }
  } catch {
    await client.end().catch(() => undefined);
  }
}

describe('a folder over its life', () => {
  test('keeps its data over a restart, flushes commits, and listens on a socket only', async () => {
    await withPostgres(async ({ url }) => {
      await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      expect(
        await query(url, "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'listen_addresses')"),
      ).toEqual([
        { name: 'fsync', setting: 'on' },
        { name: 'listen_addresses', setting: '' },
      ]);
      const socketFolder = new URL(url).searchParams.get('host')!;
      expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
    });
    await withPostgres(async ({ url }) => {
      expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });
  });

  test('is refused to a second owner, and free after the first has stopped', async () => {
    await withPostgres(async ({ url }) => {
      await expect(startPostgres({ dir })).rejects.toThrow(
        /Another process runs the embedded Postgres on .*; stop it/,
      );
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
    await withPostgres(async ({ stop }) => {
      await Promise.all([stop(), stop()]);
    });
  });

  test('goes to exactly one of two owners that start at once', async () => {
    const outcomes = await Promise.allSettled([startPostgres({ dir }), startPostgres({ dir })]);
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toBeInstanceOf(StoresError);
    await won[0]!.value.stop();
  });

  test('can be started again after a start was called off', async () => {
    const reason = new Error('the operator changed their mind');
    await expect(startPostgres({ dir, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await withPostgres(async ({ url }) => expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]));
  });
});

describe('after a crash', () => {
  test('of the owner, no acknowledged row is lost and the next owner takes over from the orphan', async () => {
    const child = startChild(owner, [dir]);
    const { url, pid } = JSON.parse(await child.nextLine()) as { url: string; pid: number };
    await query(url, 'CREATE TABLE numbers (n int)');
    const acknowledged: number[] = [];
    const inserting = insertUntilGone(url, acknowledged);
    await until(() => acknowledged.length > 50);
    await child.end('SIGKILL');

    await withPostgres(async (postgres) => {
      await inserting;
      expect(postgres.pid).not.toBe(pid);
      const rows = await query<{ n: number }>(postgres.url, 'SELECT n FROM numbers');
      expect(rows.map(({ n }) => n)).toEqual(expect.arrayContaining(acknowledged));
    });
  });

  test('of Postgres, the owner is told with the end of its log and can start again without a loss', async () => {
    const first = await startPostgres({ dir });
    await query(first.url, 'DROP TABLE IF EXISTS numbers; CREATE TABLE numbers (n int)');
    const acknowledged: number[] = [];
    const inserting = insertUntilGone(first.url, acknowledged);
    await until(() => acknowledged.length > 50);
    process.kill(first.pid, 'SIGKILL');
    expect((await first.exited)?.message).toMatch(
      /ended by itself \(SIGKILL\).*ready to accept connections/s,
    );
    await inserting;

    await withPostgres(async ({ url }) => {
      const rows = await query<{ n: number }>(url, 'SELECT n FROM numbers');
      expect(rows.map(({ n }) => n)).toEqual(expect.arrayContaining(acknowledged));
    });
  });

  test('of Postgres in the middle of a long query, the next start ends that query first', async () => {
    const first = await startPostgres({ dir });
    const busy = new Client({ connectionString: first.url });
    busy.on('error', () => {});
    await busy.connect();
    const endless = busy.query('SELECT count(*) FROM generate_series(1, 1e12)').catch(() => 'broken');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await withPostgres(async ({ url }) => expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]));
    expect(await endless).toBe('broken');
  });

  test('in the middle of making the cluster, the next start makes it anew', async () => {
    const fresh = await mkdtemp(join(tmpdir(), 'qpilot-pg-'));
    const child = startChild(owner, [fresh]);
    await until(async () => (await filesBelow(fresh)) > 20, { what: 'initdb at work' });
    await child.end('SIGKILL');
    const postgres = await startPostgres({ dir: fresh, fsync: false });
    expect(await query(postgres.url, 'SELECT current_database() AS name')).toEqual([{ name: 'qpilot' }]);
    await postgres.stop();
    await rm(fresh, { recursive: true, force: true });
  });

  test('lock files that name a stranger by now stop nobody and harm nobody', async () => {
    const pidFile = join(dir, 'cluster', 'postmaster.pid');
    const { pidText, uid, socketLock, socketText } = await withPostgres(async ({ url }) => {
      const lock = join(new URL(url).searchParams.get('host')!, '.s.PGSQL.5432.lock');
      return {
        pidText: await readFile(pidFile, 'utf8'),
        uid: (await stat(pidFile)).uid,
        socketLock: lock,
        socketText: await readFile(lock, 'utf8'),
      };
    });
    const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid } : {});
    const gone = once(stranger, 'close');
    await mkdir(dirname(socketLock), { recursive: true, mode: 0o700 });
    for (const [file, content] of [
      [pidFile, pidText],
      [socketLock, socketText],
    ] as const)
      await writeFile(file, content.replace(/^\d+/, String(stranger.pid)), { mode: 0o644 });
    await withPostgres(async ({ url }) => expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]));
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill();
    await gone;
  });
});

async function filesBelow(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).length;
}
