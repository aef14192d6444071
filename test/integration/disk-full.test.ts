/** A start on a disk that is full, or gets full: the real program on a small disk of its own (a tmpfs in a namespace). */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { bareEnvironment } from '../support/bare-environment.ts';

const isRoot = process.getuid?.() === 0;
const UNSHARE = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount'] as const;
const [program, ...flags] = UNSHARE;

/** Whether this machine lets us mount a small disk that only a child process sees. */
function canMount(): boolean {
  try {
    execFileSync(program, [...flags, 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

if (canMount()) describe('a small disk', onSmallDisk);
else {
  describe.skip('a small disk (skipped: mounting one needs root or user namespaces; Debian: sysctl kernel.unprivileged_userns_clone=1)', () => {
    test('is not here', () => undefined);
  });
}

function onSmallDisk(): void {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

  /** Starts `start.js` with its data folder on a disk of that size. */
  async function start(size: string) {
    const disk = await mkdtemp(join(tmpdir(), 'qpilot-disk-'));
    const mount = `mount -t tmpfs -o size=${size},mode=755 tmpfs ${disk} && exec "$0" start.js`;
    const env = { ...bareEnvironment, LOG_LEVEL: 'error', PORT: '0', DATA_DIR: join(disk, 'data') };
    const child = spawn(program, [...flags, 'sh', '-c', mount, process.execPath], { env });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    }
    const exited = once(child, 'exit');
    cleanUps.push(async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(disk, { recursive: true, force: true });
    });
    // The child sees another disk there than we do.
    return {
      exited,
      printed: () => printed,
      within: (path: string) => `/proc/${child.pid}/root${join(disk, path)}`,
    };
  }

  // Where it ends: at the first files, in initdb, at its end, at the demo.
  test.each(['16k', '1m', '24m', '44m'])(
    'of %s that cannot hold the embedded stores: the start names the full disk and no bug',
    async (size) => {
      const { exited, printed } = await start(size);
      expect(await exited).toEqual([1, null]);
      expect(printed()).toMatch(/QPilot cannot start: .*disk of .* is full/i);
      expect(printed()).not.toMatch(/ at .*\.ts:\d+/);
    },
    120_000,
  );

  test('that gets full under a running server: health says so, and again that all is well once there is room', async () => {
    const { printed, within } = await start('600m');
    const url = await until(() => /ready: (http\S+)/.exec(printed())?.[1], {
      what: 'the start',
      timeoutMs: 100_000,
    });
    const health = async (): Promise<unknown> => (await fetch(`${url}/health`)).json();
    expect(await health()).toMatchObject({ disk: 'ok' });
    const filler = within('filler');
    for (
      let piece = Buffer.alloc(1 << 24);
      piece.length >= 1 << 16;
      piece = piece.subarray(piece.length / 2)
    ) {
      for (let full = false; !full;) {
        full = await writeFile(filler, piece, { flag: 'a' }).then(
          () => false,
          () => true,
        );
      }
    }
    expect(await health()).toMatchObject({ disk: expect.not.stringMatching(/^ok$/) });
    await rm(filler);
    expect(existsSync(filler)).toBe(false);
    expect(await health()).toMatchObject({ disk: 'ok' });
  }, 120_000);
}
