/** A server as `npm start` starts it, alone with its data, whose main thread can be measured. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Silence } from './probe.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_S = 180;
/** Before the first measurement: what follows a start is over then. */
const QUIET_MS = 5_000;

export type StartedServer = {
  readonly url: string;
  /** Measures from here on. */
  readonly begin: () => Promise<void>;
  /** What was measured since. */
  readonly end: () => Promise<Silence>;
  readonly stop: () => Promise<void>;
};

/** @throws Error if it does not answer */
export async function startServer(): Promise<StartedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qpilot-silence-'));
  const port = await freePort();
  const child = fork(join(ROOT, 'start.js'), {
    cwd: ROOT,
    execArgv: ['--max-semi-space-size=16', '--import', join(import.meta.dirname, 'probe.ts')],
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  const measured = async (): Promise<Silence> => {
    const answered = once(child, 'message');
    child.send('measure');
    const [silence] = (await answered) as [Silence];
    return silence;
  };
  try {
    for (let second = 0; ; second += 1) {
      const isReady = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) break;
      if (second === START_S || child.exitCode !== null) throw new Error('the server did not start');
      await sleep(1_000);
    }
    await sleep(QUIET_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, begin: async () => void (await measured()), end: measured, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}
