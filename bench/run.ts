/**
 * `npm run bench [-- name …]`: measures speed against the goals in each case and reports which are missed.
 * Figures that are compared come from interleaved runs in this one process; see `rounds.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores } from '../src/app/stores.ts';
import { createLogger } from '../src/base/log.ts';
import type { Bench } from './bench.ts';
import { burst } from './cases/burst.ts';
import { chipReads } from './cases/chip-reads.ts';
import { chipSummary } from './cases/chip-summary.ts';
import { client } from './cases/client.ts';
import { grounding } from './cases/grounding.ts';
import { history } from './cases/history.ts';
import { idleSubscribers } from './cases/idle-subscribers.ts';
import { manyStreams } from './cases/many-streams.ts';
import { pacedStreams } from './cases/paced-streams.ts';
import { rush } from './cases/rush.ts';
import { sandbox } from './cases/sandbox.ts';
import { silence } from './cases/silence.ts';
import { stalledReader } from './cases/stalled-reader.ts';
import { threadLength } from './cases/thread-length.ts';
import { turnCost } from './cases/turn-cost.ts';
import { turnBytes } from './cases/turn-bytes.ts';
import { viewers } from './cases/viewers.ts';
import { writePage } from './page.ts';
import { missed, pageOf, tableOf, writeReport } from './report.ts';
import type { BenchResult } from './report.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  'paced-streams': pacedStreams,
  'many-streams': manyStreams,
  'turn-cost': turnCost,
  burst,
  rush,
  'idle-subscribers': idleSubscribers,
  'thread-length': threadLength,
  history,
  viewers,
  'stalled-reader': stalledReader,
  'turn-bytes': turnBytes,
  'chip-summary': chipSummary,
  'chip-reads': chipReads,
  sandbox,
  grounding,
  client,
  silence,
};

/** Of a whole run. */
const RESULTS = join(import.meta.dirname, 'CASES.md');

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else {
  const chosen = Object.entries(BENCHES).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  await runAll(chosen);
}

async function runAll(benches: readonly (readonly [string, Bench])[]): Promise<void> {
  const startedAt = new Date();
  const results: BenchResult[] = [];
  for (const [name, bench] of benches) {
    const result = { name, rows: await runOne(name, bench) };
    results.push(result);
    console.log(tableOf(result));
  }
  const file = await writeReport(join('.qpilot', 'bench'), startedAt, results);
  if (results.length === Object.keys(BENCHES).length) await writePage(RESULTS, pageOf(startedAt, results));
  const misses = missed(results).length;
  console.log(`${misses === 0 ? 'Every limit holds' : `${misses} limits are missed`}; written to ${file}`);
  if (misses > 0) process.exitCode = 1;
}

/** Runs on its own stores, which are stopped and removed afterwards, even if the run is interrupted. */
async function runOne(name: string, bench: Bench) {
  const dataDir = await mkdtemp(join(tmpdir(), 'qpilot-bench-'));
  const stores = await openStores({ dataDir, mode: 'own', log: createLogger('error') });
  const clear = async (): Promise<void> => {
    await stores.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const onSignal = (): void => void clear().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await bench({ stores, progress: (text) => console.error(`${name}: ${text}`) });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await clear();
  }
}
