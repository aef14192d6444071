import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { chmod, chown, lstat, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chooseIdentity } from '../src/postgres/identity.ts';
import { startPostgres } from '../src/postgres/start.ts';
import { StoresError } from '../src/stores-error.ts';
import { startChild } from '@qpilot/test-support';

const NOBODY = 65_534;
const owner = join(import.meta.dirname, 'postgres-owner.ts');
const isRoot = process.getuid?.() === 0;
const testAsRoot = isRoot ? test : test.skip;
const testWithNamespaces =
  isRoot && succeeds('unshare', ['--user', '--map-user=1000', 'true']) ? test : test.skip;
const testAsNobody = isRoot && nobodyMayRead(owner) ? test : test.skip;

function succeeds(program: string, args: readonly string[], options: ExecFileSyncOptions = {}): boolean {
  try {
    execFileSync(program, args, { ...options, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether others may come to this checkout at all; one below a private home folder is closed to them. */
function nobodyMayRead(file: string): boolean {
  return succeeds('test', ['-r', file], { uid: NOBODY, gid: NOBODY, cwd: '/' });
}

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'qpilot-pg-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe('who Postgres runs as', () => {
  testAsNobody('root hands a new cluster to an ordinary user', async () => {
    await chmod(parent, 0o755);
    const postgres = await startPostgres({ dir: join(parent, 'pg'), fsync: false });
    const status = await readFile(`/proc/${postgres.pid}/status`, 'utf8');
    await postgres.stop();
    expect(status).toMatch(/^Uid:\t[1-9]\d*\t/m);
    expect((await stat(join(parent, 'pg', 'cluster'))).uid).not.toBe(0);
  });

  testWithNamespaces(
    'root below a private folder keeps the files and uses a user namespace, again at the next start',
    async () => {
      for (const _start of [1, 2]) {
        const postgres = await startPostgres({ dir: join(parent, 'pg'), fsync: false });
        await postgres.stop();
        expect((await stat(join(parent, 'pg', 'cluster'))).uid).toBe(0);
      }
    },
  );

  testAsNobody('an ordinary user runs it as themselves, and root leaves it to them afterwards', async () => {
    await chown(parent, NOBODY, NOBODY);
    const dir = join(parent, 'pg');
    const child = startChild(owner, [dir], { uid: NOBODY, gid: NOBODY, cwd: '/' });
    const { url } = JSON.parse(await child.nextLine()) as { url: string };
    await child.end('SIGKILL');

    await chmod(parent, 0o755);
    const postgres = await startPostgres({ dir, fsync: false });
    await postgres.stop();
    expect((await lstat(join(dir, 'cluster'))).uid).toBe(NOBODY);
    await rm(new URL(url).searchParams.get('host')!, { recursive: true });
  });

  testAsRoot('root is told each refusal and the ways out when nobody can run it', async () => {
    const choosing = chooseIdentity(parent, '/nonexistent/postgres', true);
    await expect(choosing).rejects.toThrow(StoresError);
    await expect(choosing).rejects.toThrow(
      /nobody: .*not found.*; root in a user namespace: .*DATA_DIR.*DATABASE_URL/s,
    );
    expect((await stat(parent)).uid).toBe(0);
  });
});
