import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openStores } from '@qpilot/embedded-stores';
import { type Child, startChild, until } from '@qpilot/test-support';
import { createLogger } from '../../src/base/log.ts';

const command = join(import.meta.dirname, '../../src/operations/cli/stores.ts');

let dataDir: string;
let child: Child;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'qpilot-stores-'));
});
afterEach(async () => {
  await child.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

function runCommand(env: NodeJS.ProcessEnv = {}): Child {
  child = startChild(command, [], { env: { ...process.env, DATA_DIR: dataDir, ...env } });
  return child;
}

test('prints both addresses, serves until SIGTERM, and leaves nothing running', async () => {
  const stores = runCommand({ LOG_LEVEL: 'silent' });
  const lines = [await stores.nextLine(), await stores.nextLine()];
  expect(lines).toEqual([
    expect.stringMatching(/^DATABASE_URL=postgresql:/),
    expect.stringMatching(/^MONGODB_URI=mongodb:/),
  ]);
  const client = new Client({ connectionString: lines[0]!.slice('DATABASE_URL='.length) });
  await client.connect();
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
  await stores.end('SIGTERM');
  expect(stores.process.exitCode).toBe(0);
  await expect(stat(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('refuses beside a living owner', async () => {
  const owner = await openStores({ dataDir, log: createLogger('silent') });
  try {
    const refused = runCommand();
    await expect(refused.nextLine()).rejects.toThrow(`are run by process ${process.pid}`);
    await until(() => refused.process.exitCode !== null);
    expect(refused.process.exitCode).toBe(1);
  } finally {
    await owner.stop();
  }
});
