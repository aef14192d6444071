import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { messages } from '../src/messages.ts';
import type { EngineName } from '../src/walls.ts';
import { until } from '@qpilot/test-support';
import { BARE_PYTHON } from './support/bare-python.ts';
import { describeEngines } from './support/engines.ts';
import {
  BIG_LOOP,
  busyProcess,
  childrenOfThread,
  childrenOfWorkers,
  hasGone,
  isAlive,
  isContained,
} from './support/processes.ts';
import { openSandbox, PATIENCE, runPython, sandboxCacheDir } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

const QUEUE_LENGTH = 6;

const POISON = `
import statistics
statistics.mean = lambda x: 666
statistics.sys.modules['builtins'].len = lambda x: 666
left_behind = 1`;

/** What is seen of processes is read from `/proc`. */
const onLinux = process.platform === 'linux' ? test : test.skip;

describeEngines('analyses', (engine) => {
  const sandbox = startedSandbox({ engine, python: BARE_PYTHON, limits: { queueLength: QUEUE_LENGTH } });

  describe('nothing survives from one run to the next', () => {
    test('neither patched modules nor builtins nor names', async () => {
      expect((await runPython(sandbox, POISON)).error).toBeNull();
      const probe =
        'import statistics\nprint(statistics.mean([1, 3]), len("ab"), "left_behind" in globals())';
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
      const busy = await busyProcess(engine);
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
      process.kill(await busyProcess(engine), 'SIGKILL');
      expect((await running).error).toBe(messages.broken);
      expect((await runPython(sandbox, 'print(1)')).output).toBe('1\n');
    });

    test('of thirty at once is answered or told to come back', async () => {
      const results = await Promise.all(
        Array.from({ length: 30 }, (_, i) => runPython(sandbox, `print(${i})`)),
      );
      const answered = results.filter(({ output, error }, i) => output === `${i}\n` && error === null);
      const refused = results.filter(({ error }) => error === messages.busy);
      expect(answered.length).toBeGreaterThanOrEqual(QUEUE_LENGTH);
      expect(refused.length).toBeGreaterThan(0);
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
        const closing = openSandbox({ engine, python: BARE_PYTHON });
        const running = runPython(closing, BIG_LOOP);
        const busy = await busyProcess(engine);
        await closing.close();
        expect(isAlive(busy)).toBe(false);
        expect((await running).error).toMatch(/shutting down|crashed/);
        expect((await runPython(closing, 'print(1)')).error).toBe(messages.closed);
      },
    );
  });
});

describe('a folder for what processes read', () => {
  test('that cannot be kept makes the sandbox unavailable, with the reason', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qpilot-sandbox-'));
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const nowhere = openSandbox({ cacheDir: file });
    const availability = await nowhere.availability();
    const { error } = await runPython(nowhere, 'print(1)');
    await nowhere.close();
    await rm(folder, { recursive: true });
    expect(availability).toMatchObject({
      available: false,
      reason: expect.stringContaining(file),
    });
    expect(error).toMatch(/^Python analysis is not available on this server: .*a-file/);
  });
});

/** A program that opens a sandbox of its own and then does as `body` says, with `sandbox` and `run(code)`. */
const program = (engine: EngineName, body: string): string[] => {
  const module = join(import.meta.dirname, '../src/python-sandbox.ts');
  const options = {
    cacheDir: sandboxCacheDir,
    allowWithoutNamespaces: true,
    engine,
    python: BARE_PYTHON,
    limits: PATIENCE,
  };
  return [
    '--input-type=module',
    '--eval',
    `const { createPythonSandbox } = await import(${JSON.stringify(module)});
     const log = { info() {}, warn() {} };
     const sandbox = createPythonSandbox({ ...${JSON.stringify(options)}, log });
     const run = (code) => sandbox.run(code, '{}', { signal: new AbortController().signal, user: 'ada' });
     ${body}`,
  ];
};

describeEngines('a server', (engine) => {
  test('whose sandbox is idle may end', async () => {
    const args = program(engine, "process.stdout.write((await run('print(6 * 7)')).output);");
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('42\n');
  });

  onLinux('that is killed in the middle of a run leaves no process behind', async () => {
    const server = spawn(
      process.execPath,
      program(engine, "await run('pass'); run('while True: pass'); console.log('runs');"),
    );
    await once(server.stdout, 'data');
    const contained = childrenOfWorkers(server.pid);
    expect(contained.length).toBeGreaterThan(0);
    const both = [...contained, ...contained.flatMap((pid) => childrenOfThread(String(pid), pid))];
    server.kill('SIGKILL');
    await until(() => !both.some(isAlive), { what: 'the end of the contained processes' });
  });
});
