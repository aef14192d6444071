import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPythonSandbox,
  type EngineName,
  type PythonSandbox,
  residentBytes,
} from '@qpilot/python-sandbox';
import type { Bench, Row } from '../bench.ts';
import { medianOf } from '../rounds.ts';

const ROUNDS = 7;
const SATURATING_JOBS = 14;
/** Long enough for a process to be ready again, so that its start is not part of a latency. */
const UNTIL_WARM_MS = 2_500;
const MEGABYTE = 1024 * 1024;
const MEAN = 'rows = data["rows"]\nprint(sum(row["value"] for row in rows) / max(1, len(rows)))';

/**
 * How long a caller waits for an analysis on each engine, how many there can be, and what they cost while none runs.
 */
export const sandbox: Bench = async ({ progress }) => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'qpilot-bench-sandbox-'));
  try {
    const rows: Row[] = [];
    for (const engine of ['native', 'pyodide'] as const) {
      // The second start finds what the first one made.
      for (const start of ['first', 'next'] as const) {
        progress(`${engine}: ${start} start`);
        rows.push(...(await withSandbox(engine, cacheDir, start, progress)));
      }
    }
    return rows;
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
};

async function withSandbox(
  engine: EngineName,
  cacheDir: string,
  start: 'first' | 'next',
  progress: (text: string) => void,
): Promise<Row[]> {
  const limits = { queueWaitMs: 120_000, dataBytes: 16 * MEGABYTE };
  const log = { info: () => {}, warn: progress };
  const opened = createPythonSandbox({ engine, cacheDir, limits, allowWithoutNamespaces: true, log });
  try {
    const startedAt = performance.now();
    const { error } = await analyse(opened, 0);
    if (error !== null) {
      progress(`${engine}: not measured, since ${error}`);
      return [];
    }
    const cold = rowOf(`${engine}, ${start} start to the first answer`, performance.now() - startedAt, 'ms');
    return start === 'first' ? [cold] : [cold, ...(await measure(engine, opened))];
  } finally {
    await opened.close();
  }
}

async function measure(engine: EngineName, opened: PythonSandbox): Promise<Row[]> {
  const rows: Row[] = [];
  const delays: number[] = [];
  for (const megabytes of [0, 1, 8]) {
    const times: number[] = [];
    textOf(megabytes);
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(UNTIL_WARM_MS);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      times.push(await timeOf(() => analyse(opened, megabytes)));
      delay.disable();
      delays.push(delay.max / 1e6);
    }
    rows.push(rowOf(`${engine}, a small analysis of ${megabytes} MB, warm`, medianOf(times, Number), 'ms'));
  }
  await sleep(UNTIL_WARM_MS);
  rows.push(rowOf(`${engine}, memory of the waiting processes`, (await idleBytes()) / MEGABYTE, 'MB'));
  rows.push(rowOf(`${engine}, longest delay of the event loop meanwhile`, Math.max(...delays), 'ms'));
  const jobs = Array.from({ length: SATURATING_JOBS }, () => analyse(opened, 0));
  const elapsedMs = await timeOf(() => Promise.all(jobs));
  return [
    ...rows,
    rowOf(`${engine}, analyses a second, all at once`, (SATURATING_JOBS * 1000) / elapsedMs, ''),
  ];
}

/** Texts are made before the clock runs: the session's data store has them as text, too. */
const TEXTS = new Map<number, string>();

function textOf(megabytes: number): string {
  const kept = TEXTS.get(megabytes);
  if (kept !== undefined) return kept;
  const row = { qid: 'Q017', parameter: 't1', value: 31.25, unit: 'us', at: '2024-05-01T00:00:00Z' };
  const count = Math.floor((megabytes * MEGABYTE) / (JSON.stringify(row).length + 1));
  const text = JSON.stringify({ rows: Array.from({ length: count }, () => row) });
  TEXTS.set(megabytes, text);
  return text;
}

const analyse = (opened: PythonSandbox, megabytes: number) =>
  opened.run(MEAN, textOf(megabytes), { signal: new AbortController().signal, user: 'bench' });

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Of all processes that threads of this one have started; the stores' own are children of its main thread. */
async function idleBytes(): Promise<number> {
  const threads = readdirSync('/proc/self/task').filter((thread) => thread !== String(process.pid));
  const pids = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').map(Number).filter(Boolean),
  );
  const sizes = await Promise.all(pids.map((pid) => residentBytes(pid)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

const rowOf = (what: string, value: number, unit: string): Row => ({ what, value, unit, limit: null });
