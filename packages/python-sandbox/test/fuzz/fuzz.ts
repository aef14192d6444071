import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../src/limits.ts';
import type { PythonSandbox } from '../../src/python-sandbox.ts';
import type { EngineName } from '../../src/walls.ts';
import { openCanaries } from '../corpus/canaries.ts';
import type { Canaries } from '../corpus/canaries.ts';
import { CANARY_VARIABLE } from '../support/escapes.ts';
import { openSandbox, sandboxCacheDir } from '../support/sandbox.ts';
import { hostileScripts } from './scripts.ts';

/** What to run. The same seed gives the same scripts. */
export type FuzzOptions = {
  readonly engine: EngineName;
  readonly seed: number;
  readonly scripts: number;
  /** The native engine's interpreter; absent to look for one with libraries. */
  readonly python?: string;
};

const TIMEOUT_MS = 1_000;
const GRACE_MS = 2_000;
/** An ordinary analysis is asked for after so many hostile ones. */
const PROBE_EVERY = 5;

/** Runs generated scripts against a sandbox and returns what was not as it should be, each with its script. */
export async function fuzz({ seed, scripts, ...engine }: FuzzOptions): Promise<readonly string[]> {
  const canaries = await openCanaries();
  process.env[CANARY_VARIABLE] = canaries.secret;
  const before = held();
  const limits = { timeoutMs: TIMEOUT_MS, queueLength: scripts + 1, queueWaitMs: 600_000 };
  const sandbox = openSandbox({ ...engine, limits });
  const wrong: string[] = [];
  try {
    const generated = fc.sample(hostileScripts(canaries.targets), { seed, numRuns: scripts });
    await Promise.all(
      generated.map(async (script, index) => {
        wrong.push(...(await faultsOf(script, sandbox, canaries)).map((fault) => `${fault}\n${script}`));
        if (index % PROBE_EVERY === 0) wrong.push(...(await faultsOfOrdinary(sandbox)));
      }),
    );
  } finally {
    await sandbox.close();
    wrong.push(...(await tracesOf(canaries)), ...leaks(before));
    await canaries.close();
  }
  return wrong;
}

async function faultsOf(script: string, sandbox: PythonSandbox, { secret }: Canaries): Promise<string[]> {
  const result = await sandbox.run(script, '{}', { signal: new AbortController().signal, user: script });
  const faults: string[] = [];
  if (JSON.stringify(result).includes(secret)) faults.push('the secret came out');
  if (result.durationMs > TIMEOUT_MS + GRACE_MS) faults.push(`it took ${result.durationMs} ms`);
  if ((result.output?.length ?? 0) > DEFAULT_LIMITS.outputChars + 100) faults.push('it has too much output');
  if (result.error?.startsWith('Python analysis is not available')) faults.push(result.error);
  return faults;
}

async function faultsOfOrdinary(sandbox: PythonSandbox): Promise<string[]> {
  const { signal } = new AbortController();
  const run = sandbox.run('print(sum(data["t1"]))', '{"t1": [1, 2]}', { signal, user: 'ada' });
  const { output, error } = await run;
  return output === '3\n' ? [] : [`an ordinary run said ${error ?? output}`];
}

async function tracesOf(canaries: Canaries): Promise<string[]> {
  const [files, connections, processes] = [
    await canaries.files(),
    canaries.connections(),
    await canaries.processes(),
  ];
  return [
    ...files.map((name) => `there is a file of ${name}`),
    ...processes.map((pid) => `process ${pid} goes on`),
    ...(connections > 0 ? [`there were ${connections} connections`] : []),
  ];
}

/** What a process holds that a sandbox could leak; nothing where the system does not tell. */
function held(): { readonly descriptors: number; readonly children: number } {
  try {
    const children = readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(join('/proc/self/task', thread, 'children'), 'latin1')
        .split(' ')
        .filter(Boolean),
    );
    return { descriptors: readdirSync('/proc/self/fd').length, children: children.length };
  } catch {
    return { descriptors: 0, children: 0 };
  }
}

/** A stopped worker thread and the event loop keep a few descriptors; a leak would be one for each script. */
const SPARE_DESCRIPTORS = 8;

function leaks(before: ReturnType<typeof held>): string[] {
  const after = held();
  const left = readdirSync(join(sandboxCacheDir, 'empty'));
  return [
    ...(after.children > before.children ? [`${after.children - before.children} processes are left`] : []),
    ...(after.descriptors > before.descriptors + SPARE_DESCRIPTORS
      ? [`${after.descriptors - before.descriptors} descriptors are left open`]
      : []),
    ...left.map((name) => `${name} is left in the folder of the processes`),
  ];
}
