import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FileLock,
  startMongo,
  startPostgres,
  stopLeftovers,
  tryFileLock,
} from '@qpilot/embedded-stores';
import { dropSharedMongos, dropTemplate } from './databases.ts';

const PREFIX = 'qpilot-test-';

/** The servers that all test files of one run share. */
export type RunStores = { stop(): Promise<void> };

/**
 * Starts the servers a run needs and tells the test processes, through the environment, where they are.
 * `TEST_DATABASE_URL` and `MONGODB_TEST_URI`, if set, are real servers to be used instead. The embedded MongoDB checks
 * each answer against one made without indexes, so files with many documents get a second one that does not.
 */
export async function startRunStores(): Promise<RunStores> {
  await removeAbandonedRuns();
  const { folder, lock } = await makeRunFolder();
  process.env['QPILOT_TEST_RUN'] = folder.slice(-6).toLowerCase();
  const stops: (() => Promise<void>)[] = [];
  if (process.env['TEST_DATABASE_URL']) {
    stops.push(dropTemplate);
  } else {
    const postgres = await startPostgres({ dir: join(folder, 'postgres'), fsync: false });
    process.env['TEST_DATABASE_URL'] = postgres.url;
    stops.push(postgres.stop);
  }
  if (!process.env['MONGODB_TEST_URI']) {
    // With a seed, whatever a query leaves open comes in an order of its own.
    const seed = process.env['QPILOT_TEST_SHUFFLE'];
    const shuffleSeed = seed === undefined ? undefined : Number(seed);
    if (seed !== undefined)
      console.log(`unsorted documents and ties are shuffled: QPILOT_TEST_SHUFFLE=${seed}`);
    const socket = (name: string): string => join(folder, 'sockets', `${name}.sock`);
    const [checked, large] = await Promise.all([
      startMongo({
        file: ':memory:',
        socketPath: socket('checked'),
        checkQueries: shuffleSeed === undefined,
        shuffleSeed,
      }),
      startMongo({ file: ':memory:', socketPath: socket('large') }),
    ]);
    process.env['MONGODB_TEST_URI'] = checked.uri;
    process.env['MONGODB_LARGE_TEST_URI'] = large.uri;
    stops.push(
      () => checked.stop(),
      () => large.stop(),
    );
  }
  return {
    stop: async () => {
      try {
        await dropSharedMongos();
      } finally {
        await Promise.all(stops.map((stop) => stop()));
        lock.release();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A folder of our own, locked: another run that starts now may take an unlocked one for abandoned. */
async function makeRunFolder(): Promise<{ folder: string; lock: FileLock }> {
  for (;;) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), PREFIX)));
    const lock = tryFileLock(join(folder, 'lock'));
    if (lock) return { folder, lock };
  }
}

/** A run that was killed could not clean up: its servers and folder are taken away by the next one. */
async function removeAbandonedRuns(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    try {
      await removeAbandoned(await realpath(folder));
    } catch (error) {
      // The run that it belonged to ended, or yet another one took it away.
      if (existsSync(folder)) throw error;
    }
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const lock = tryFileLock(join(folder, 'lock'));
  if (!lock) return;
  await stopLeftovers(join(folder, 'postgres', 'cluster'));
  await rm(folder, { recursive: true, force: true });
  lock.release();
}
