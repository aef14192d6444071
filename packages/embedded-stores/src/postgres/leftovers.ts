import { execFile } from 'node:child_process';
import { readFile, readdir, readlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StoresError } from '../stores-error.ts';

const run = promisify(execFile);

const GRACE_MS = 10_000;
const POLL_MS = 20;

/**
 * Stops the processes that a killed owner left running on `cluster`, so that the folder can be opened again. The
 * caller holds the folder's lock, so no living process owns them.
 *
 * A stale lock file with a pid that another program has by now (common in containers), or that ended and was not reaped
 * yet, is rewritten instead: only Postgres processes on exactly this folder are ever signalled.
 * @throws StoresError if they do not end
 */
export async function stopLeftovers(cluster: string, signal?: AbortSignal): Promise<void> {
  const postmaster = await postmasterPid(cluster);
  for (const request of ['SIGINT', 'SIGQUIT'] as const) {
    // SIGINT asks the postmaster for a fast shutdown; backends whose postmaster is dead already only heed SIGQUIT.
    const running = await processesOn(cluster, postmaster);
    const isOrderly = postmaster !== undefined && running.includes(postmaster);
    for (const pid of isOrderly ? [postmaster] : running) kill(pid, isOrderly ? request : 'SIGQUIT');
    if (await areGone(cluster, postmaster, signal)) return defuseLockFiles(cluster);
  }
  const running = await processesOn(cluster, postmaster);
  throw new StoresError(
    `A previous Postgres still runs on ${cluster} (pid ${running.join(', ')}) and does not stop; end it, then start again.`,
  );
}

async function areGone(
  cluster: string,
  postmaster: number | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + GRACE_MS;
  while (performance.now() < deadline) {
    if ((await processesOn(cluster, postmaster)).length === 0) return true;
    await sleep(POLL_MS, undefined, { signal });
  }
  return false;
}

async function postmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Writes our own pid into a stale `postmaster.pid` and the lock file of its socket. Postgres treats the pid of its parent
 * as stale, and then still uses the rest of the file to look for shared memory in use, which it would not do without it.
 */
async function defuseLockFiles(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, , , port = '', socketFolder = ''] = text.split('\n');
  for (const each of [file, ...(socketFolder ? [join(socketFolder, `.s.PGSQL.${port}.lock`)] : [])]) {
    const lock = await readFile(each, 'utf8').catch(() => undefined);
    if (lock !== undefined) await writeFile(each, lock.replace(/^\d+/, String(process.pid)));
  }
}

/**
 * Pids of the Postgres processes on `cluster`. The working directory of each, backends included, is its data
 * folder.
 */
async function processesOn(cluster: string, postmaster: number | undefined): Promise<number[]> {
  if (process.platform !== 'linux') {
    return postmaster !== undefined && (await commandLine(postmaster)).includes(cluster) ? [postmaster] : [];
  }
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const isOn = await Promise.all(pids.map((pid) => worksIn(cluster, pid)));
  return pids.filter((_, index) => isOn[index]);
}

async function worksIn(cluster: string, pid: number): Promise<boolean> {
  try {
    const [cwd, program] = await Promise.all([readlink(`/proc/${pid}/cwd`), readlink(`/proc/${pid}/exe`)]);
    // A program that was reinstalled in the meantime reads `postgres (deleted)`.
    return cwd === cluster && basename(program).split(' ')[0] === 'postgres';
  } catch {
    return false; // it has ended, is a zombie, or belongs to another user
  }
}

async function commandLine(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return /postgres/.test(stdout) ? stdout : '';
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}
