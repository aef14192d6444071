import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { messages } from '../../src/sandbox/messages.ts';
import { residentBytes } from '../../src/sandbox/process-tree.ts';
import { until } from '../support/until.ts';
import { openSandbox, runPython, sandboxCacheDir } from './support/sandbox.ts';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

/** What is seen of processes is read from `/proc`. */
const onLinux = process.platform === 'linux' ? test : test.skip;

/** Processes started by one thread of this process. */
const childrenOfThread = (thread: string): number[] =>
  readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').map(Number).filter(Boolean);

const childrenOfWorkers = (): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => thread !== String(process.pid))
    .flatMap(childrenOfThread);

/** Big enough to be told apart from waiting processes by its memory, and never ready. */
const BIG_LOOP = 'memory = bytearray(190_000_000)\nwhile True: pass';
const BIG_BYTES = 330_000_000;

/** The process, as the worker started it, that runs {@link BIG_LOOP}. */
async function busyProcess(): Promise<number> {
  return await until(
    async () => {
      for (const pid of childrenOfWorkers()) if ((await residentBytes(pid)) > BIG_BYTES) return pid;
      return undefined;
    },
    { what: 'a process that runs the loop', timeoutMs: 15_000 },
  );
}

const isContained = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('job-process.ts');

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
const hasGone = (pid: number): boolean => !childrenOfWorkers().includes(pid);

describe('nothing survives from one run to the next', () => {
  test('neither patched modules nor builtins nor names', async () => {
    const poison = `
import statistics
statistics.mean = lambda x: 666
statistics.sys.modules['builtins'].len = lambda x: 666
left_behind = 1`;
    expect((await runPython(sandbox, poison)).error).toBeNull();
    const probe = 'import statistics\nprint(statistics.mean([1, 3]), len("ab"), "left_behind" in globals())';
    expect((await runPython(sandbox, probe)).output).toBe('2 2 False\n');
  });

  test('nor the state of random numbers', async () => {
    const draw = () => runPython(sandbox, 'import random\nprint(random.random())');
    expect((await draw()).output).not.toBe((await draw()).output);
  });
});

describe('a run', () => {
  onLinux('that is aborted rejects at once, and its process dies', async () => {
    const abort = new AbortController();
    const running = sandbox.run(BIG_LOOP, '{}', { signal: abort.signal, user: 'ada' });
    const busy = await busyProcess();
    const rejection = expect(running).rejects.toMatchObject({ name: 'AbortError', cause: 'the user left' });
    abort.abort('the user left');
    await rejection;
    await until(() => hasGone(busy), { what: 'the end of the process' });
  });

  test('that is aborted before it began rejects the same way', async () => {
    const running = sandbox.run('print(1)', '{}', { signal: AbortSignal.abort(), user: 'ada' });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  onLinux('whose process is killed from outside says that the interpreter crashed', async () => {
    const running = runPython(sandbox, BIG_LOOP);
    process.kill(await busyProcess(), 'SIGKILL');
    expect((await running).error).toBe(messages.broken);
    expect((await runPython(sandbox, 'print(1)')).output).toBe('1\n');
  });

  test('of thirty at once is answered or told to come back', async () => {
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, i) => runPython(sandbox, `print(${i})`)),
    );
    const answered = results.filter(({ output, error }, i) => output === `${i}\n` && error === null);
    const refused = results.filter(({ error }) => error === messages.busy);
    expect(answered.length).toBeGreaterThanOrEqual(16);
    expect(answered.length + refused.length).toBe(30);
  });
});

describe('processes', () => {
  onLinux('are started by a worker thread, not by the main one', async () => {
    await runPython(sandbox, 'pass');
    expect(childrenOfThread(String(process.pid)).filter(isContained)).toEqual([]);
    expect(await until(() => childrenOfWorkers().some(isContained), { what: 'a warm process' })).toBe(true);
  });

  onLinux(
    'are gone when the sandbox is closed, and the run under way is told so, as are later ones',
    async () => {
      const closing = openSandbox();
      const running = runPython(closing, BIG_LOOP);
      const busy = await busyProcess();
      await closing.close();
      expect(isAlive(busy)).toBe(false);
      expect((await running).error).toMatch(/shutting down|crashed/);
      expect((await runPython(closing, 'print(1)')).error).toBe(messages.closed);
    },
  );
});

describe('the snapshot', () => {
  test('is made again where it is damaged, by two processes at once as well', async () => {
    const cacheDir = await mkdtemp(join(tmpdir(), 'qpilot-sandbox-'));
    try {
      const [name = ''] = (await readdir(sandboxCacheDir)).filter((file) => file.endsWith('.snapshot'));
      await writeFile(join(cacheDir, name), readFileSync(join(sandboxCacheDir, name)));
      await truncate(join(cacheDir, name), 20_000_000);
      const both = [openSandbox({ cacheDir }), openSandbox({ cacheDir })];
      const results = await Promise.all(both.map((one) => runPython(one, 'print(1)')));
      await Promise.all(both.map((one) => one.close()));
      expect(results.map(({ output }) => output)).toEqual(['1\n', '1\n']);
      expect(new Set(await readdir(cacheDir))).toEqual(new Set(['empty', name]));
    } finally {
      await rm(cacheDir, { recursive: true });
    }
  }, 60_000);

  test('that cannot be kept makes the sandbox unavailable, with the reason', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'qpilot-sandbox-')), 'a-file');
    await writeFile(file, '');
    const nowhere = openSandbox({ cacheDir: file });
    const availability = await nowhere.availability();
    const { error } = await runPython(nowhere, 'print(1)');
    await nowhere.close();
    expect(availability).toMatchObject({
      available: false,
      reason: expect.stringContaining(file),
    });
    expect(error).toMatch(/^Python analysis is not available on this server: .*a-file/);
  });
});

test('an idle sandbox keeps no process alive', async () => {
  const script = `
    const { createPythonSandbox } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/sandbox/python-sandbox.ts'))});
    const log = { info() {}, warn() {} };
    const sandbox = createPythonSandbox({ cacheDir: ${JSON.stringify(sandboxCacheDir)}, allowWithoutNamespaces: true, log });
    const result = await sandbox.run('print(6 * 7)', '{}', { signal: new AbortController().signal, user: 'ada' });
    process.stdout.write(result.output ?? result.error);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 15_000,
  });
  expect(stdout).toBe('42\n');
});
