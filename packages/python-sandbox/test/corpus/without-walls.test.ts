import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { outsideUser } from '../../src/native/container.ts';
import { until } from '@qpilot/test-support';
import { CANARY_VARIABLE } from '../support/escapes.ts';
import { CORPUS } from './attack.ts';
import { openCanaries } from './canaries.ts';
import type { Canaries } from './canaries.ts';
import { JAVASCRIPT } from './javascript.ts';
import type { Technique } from './technique.ts';

const PYTHON = '/usr/bin/python3';
/** In the hands of a plain interpreter these harm nothing but their canaries. */
const HARMLESS = CORPUS.filter(
  ({ marker, name }) =>
    ['secret', 'file', 'connection', 'process'].includes(marker) &&
    name !== 'machine code with calls of another processor' &&
    !JAVASCRIPT.some((technique) => technique.name === name),
);
/** How many of them work there, at least; some need Pyodide, some libraries. */
const WORKING = 0.5;
/** Several of them wait for what does not answer. */
const AT_ONCE = 4;
const LAST_WORDS_MS = 500;

describe('the same techniques without walls', () => {
  (existsSync(PYTHON) ? test : test.skip)('get what they want, so that the canaries would tell', async () => {
    const canaries = await openCanaries();
    try {
      const looted: string[] = [];
      const waiting = [...HARMLESS];
      await Promise.all(Array.from({ length: AT_ONCE }, () => tryEach(waiting, canaries, looted)));
      const files = await until(async () => {
        const found = await canaries.files();
        return found.length > 10 ? found : undefined;
      });
      const processes = await canaries.processes();
      for (const pid of processes) process.kill(pid, 'SIGKILL');
      expect(processes.length).toBeGreaterThan(0);
      expect(canaries.connections()).toBeGreaterThan(3);
      expect(looted.length + files.length).toBeGreaterThan(HARMLESS.length * WORKING);
    } finally {
      await canaries.close();
    }
  });
});

/** Runs what is `waiting` until nothing is, and notes the names of those that print the secret. */
async function tryEach(waiting: Technique[], canaries: Canaries, looted: string[]): Promise<void> {
  for (let technique = waiting.pop(); technique; technique = waiting.pop()) {
    const printed = await runUncontained(canaries.program(technique), canaries);
    if (printed.includes(canaries.secret)) looted.push(technique.name);
  }
}

/** What a plain interpreter prints; killed when it takes long. */
async function runUncontained(code: string, { secret }: Canaries): Promise<string> {
  const python = spawn(PYTHON, ['-I', '-B', '-c', code], {
    cwd: '/tmp',
    env: { ...process.env, [CANARY_VARIABLE]: secret },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 10_000,
    // As root one of them could harm the machine.
    ...outsideUser(),
    killSignal: 'SIGKILL',
  });
  let printed = '';
  python.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(python, 'exit');
  // What it printed may still be on its way; a process that it left behind may hold the other end for ever.
  await Promise.race([once(python.stdout, 'end'), pause(LAST_WORDS_MS)]);
  python.stdout.destroy();
  return printed;
}
