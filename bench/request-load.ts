import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuUsOf, nowMs } from './cpu.ts';

/** What requests cost this process: processor time of each, and how many a second were answered. */
export type LoadReport = { readonly cpuUs: number; readonly perSecond: number };

type Load = {
  readonly url: string;
  readonly body: string;
  readonly clients: number;
  readonly requests: number;
};

/** Sends `requests` requests from as many `clients` at once, of another process, after a tenth as many to warm up. */
export async function loadWith(load: Load): Promise<LoadReport> {
  const child = fork(fileURLToPath(new URL('./request-load-process.ts', import.meta.url)));
  const send = async (requests: number): Promise<void> => {
    child.send({ ...load, requests });
    const [message] = await once(child, 'message');
    if (message !== 'done') throw new Error(`the clients failed: ${String(message)}`);
  };
  try {
    await send(Math.ceil(load.requests / 10));
    const startedMs = nowMs();
    const cpuUs = await cpuUsOf(() => send(load.requests));
    const seconds = (nowMs() - startedMs) / 1000;
    return { cpuUs: cpuUs / load.requests, perSecond: load.requests / seconds };
  } finally {
    child.kill();
  }
}
