/** What a run of faults started ends with it, also when the run is killed: its end of the pipe closes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';

test('the keeper ends frozen process groups and removes the folder once its input closes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-keeper-'));
  await writeFile(join(folder, 'file'), '');
  const script = `require('node:child_process').spawn('sleep', ['600']).unref(); console.log('up'); setInterval(() => {}, 1000)`;
  const leader = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const group = leader.pid!;
  const isAlive = (): boolean => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };
  await once(leader.stdout, 'data');
  leader.kill('SIGSTOP');
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('keeper.ts', import.meta.url))], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(keeper, 'exit');
  keeper.stdin.write(`folder ${folder}\ngroup ${group}\ngroup 999999999\n`);
  expect(isAlive()).toBe(true);
  keeper.stdin.end();
  expect(await ended).toEqual([0, null]);
  await until(() => !isAlive(), { what: 'the end of the group' });
  expect(existsSync(folder)).toBe(false);
});
