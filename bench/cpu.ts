import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from '../src/stores/pg/database.ts';

/** Milliseconds on a clock that all processes of a machine share; only differences mean something. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Microseconds of processor time that this process, its threads included, used for `work`; children are not in it. */
export async function cpuUsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Linux counts processor time in hundredths of a second. */
const US_A_TICK = 10_000;

/**
 * Begins to count the processor time of Postgres; the function gives microseconds since then, of the processes that
 * were there all the time. 0 where there is no /proc.
 */
export async function countPostgresCpu(db: Db): Promise<() => Promise<number>> {
  const before = await ticksByProcess(db);
  return async () => {
    const after = await ticksByProcess(db);
    const used = [...after].map(([pid, ticks]) => ticks - (before.get(pid) ?? ticks));
    return used.reduce((sum, each) => sum + each, 0) * US_A_TICK;
  };
}

async function ticksByProcess(db: Db): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ readonly pid: number }>`select pid from pg_stat_activity`.execute(db);
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await ticksOf(pid)] as const)));
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in parentheses, may contain spaces; user and system time are the 12th and 13th field behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}
