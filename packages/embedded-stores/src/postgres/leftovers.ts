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
 * Stops what an earlier, killed owner left running on `cluster`, so that the folder can be opened again. The caller holds
 * the folder's lock, which is how it knows that no living QPilot owns these processes.
 *
 * A `postmaster.pid` whose process is something else by now (pids are used again, in containers nearly always) is
 * defused instead: nothing but Postgres on exactly this folder is ever signalled.
 * @throws StoresError if they do not end
 */
export async function stopLeftovers(cluster: string, signal?: AbortSignal): Promise<void> {
  const postmaster = await postmasterPid(cluster);
  for (const request of ['SIGINT', 'SIGQUIT'] as const) {
    // SIGINT asks the postmaster for a fast shutdown; backends whose postmaster is dead already only heed SIGQUIT.
    const running = await processesOn(cluster, postmaster);
    const isOrderly = postmaster !== undefined && running.includes(postmaster);
    for (const pid of isOrderly ? [postmaster] : running) kill(pid, isOrderly ? request : 'SIGQUIT');
    if (await areGone(cluster, postmaster, signal)) return defusePidFile(cluster);
  }
  const running = await processesOn(cluster, postmaster);
  throw new StoresError(
    `An earlier Postgres still runs on ${cluster} (pid ${running.join(', ')}) and does not stop; end it, then start again.`,
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
 * Names ourselves as the holder in a stale `postmaster.pid`. Postgres takes the pid of its own parent for stale too, and
 * still looks, by the rest of the file, for shared memory in use, which it would not if the file were gone.
 */
async function defusePidFile(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) await writeFile(file, text.replace(/^\d+/, String(process.pid)));
}

/** Pids of Postgres processes on `cluster`. Each of them, backends too, works inside its data folder. */
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
    // A program that was reinstalled meanwhile reads `postgres (deleted)`.
    return cwd === cluster && basename(program).split(' ')[0] === 'postgres';
  } catch {
    return false; // it ended meanwhile, is a zombie, or belongs to somebody else: not ours
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
    // It ended by itself meanwhile, which is what was wanted.
  }
}
