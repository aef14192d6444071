/** Processes of the bench, and what processor time they used. Reads /proc: Linux only. */
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A process that serves at `url`. */
export type Served = { readonly url: string; readonly pid: number; close(): Promise<void> };

/** Listens on a free port of the loopback and tells the parent where. */
export async function reportUrl(server: Server): Promise<void> {
  // An idle connection that is closed just as it is used again would fail a request.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Starts a script of this folder that calls {@link reportUrl}. */
export async function startServed(script: string, args: readonly string[]): Promise<Served> {
  const child = startScript(fileURLToPath(new URL(script, import.meta.url)), args, {});
  const [message] = (await Promise.race([once(child, 'message'), failed(child)])) as [{ url: string }];
  return { url: message.url, pid: child.pid ?? 0, close: () => stop(child) };
}

export const startScript = (script: string, args: readonly string[], options: ForkOptions): ChildProcess =>
  fork(script, args, { execArgv: [], ...options });

/** Rejects when the process ends. */
export const failed = (child: ChildProcess): Promise<never> =>
  once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with code ${String(code)}`);
  });

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Microseconds of processor time, by process; `reaped` is that of children that have ended. */
export type Usage = { readonly byPid: ReadonlyMap<number, number>; readonly reaped: number };

/** What these processes used so far, all their living threads together. */
export async function usageOf(pids: readonly number[]): Promise<Usage> {
  const each = await Promise.all(pids.map(async (pid) => [pid, await threadsUs(pid)] as const));
  const reaped = await Promise.all(pids.map(reapedUs));
  return { byPid: new Map(each), reaped: reaped.reduce((sum, time) => sum + time, 0) };
}

/** What was used between two usages; of a process that ended in between, its parent knows. */
export function usedUs(before: Usage, after: Usage): number {
  const ended = [...before.byPid].filter(([pid]) => !after.byPid.has(pid));
  const endedUs = ended.reduce((sum, [, time]) => sum + time, 0);
  const living = [...after.byPid].map(([pid, time]) => time - (before.byPid.get(pid) ?? 0));
  return living.reduce((sum, time) => sum + time, 0) + Math.max(0, after.reaped - before.reaped - endedUs);
}

async function threadsUs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number(text.split(' ')[0]) / 1000;
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

/** Fields 16 and 17 of /proc/PID/stat, in ticks of 10 ms. */
async function reapedUs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * 10_000;
}

/** Processes of the Postgres that keeps its data below this folder: the postmaster and its children. */
export async function postgresOf(dataDir: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name)).map(Number);
  const known = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      parent: Number(
        (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')[1],
      ),
    })),
  );
  const masters = known.filter(({ command }) => /\/postgres\0/u.test(command) && command.includes(dataDir));
  return known
    .filter(({ pid, parent }) => masters.some((master) => master.pid === pid || master.pid === parent))
    .map(({ pid }) => pid);
}
