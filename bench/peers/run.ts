/**
 * `npm run bench:peers [-- NAME …] [-- --rounds N] [--note TEXT]`: what a streamed token costs QPilot and what it costs
 * others. Names are of cases and of contenders; without any of a sort, all of it. Writes bench/RESULTS.md and bench/plots.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { interleave } from '../rounds.ts';
import { CASES, type Case, type Figures } from './cases.ts';
import { PEERS, startPeer, type Contender } from './contender.ts';
import { startServed } from './processes.ts';
import { startQPilot } from './qpilot.ts';
import type { CaseResult } from './figures.ts';
import { costPlot, drawPlot, growthPlots } from './plots.ts';
import { PLOTS, resultsText } from './results.ts';

const QPILOT = 'QPilot';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, note: { type: 'string', default: '' } },
});
const known = [...CASES.map(({ name }) => name), ...PEERS, QPILOT];
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exitCode = 2;
} else {
  await runAll();
}

/** Those that were named; all where none was. */
function chosen<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly Item[] {
  const named = items.filter((item) => positionals.includes(nameOf(item)));
  return named.length === 0 ? items : named;
}

async function runAll(): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close();
  };
  const onSignal = (): void => void closeAll().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const model = await startServed('./model-process.ts', []);
    closers.push(() => model.close());
    const contenders: Contender[] = [];
    for (const name of chosen([...PEERS, QPILOT], String)) {
      console.error(`starting ${name}`);
      if (name === QPILOT) {
        const qpilot = await startQPilot(model.url);
        closers.push(() => qpilot.close());
        contenders.push(...qpilot.contenders);
      } else {
        const peer = await startPeer(name, model.url);
        closers.push(() => peer.close());
        contenders.push(peer);
      }
    }
    const startedAt = new Date();
    const results: CaseResult[] = [];
    const file = fileURLToPath(new URL('../RESULTS.md', import.meta.url));
    const pictures = fileURLToPath(new URL(`../${PLOTS}/`, import.meta.url));
    await rm(pictures, { recursive: true, force: true });
    await mkdir(pictures);
    for (const each of chosen(CASES, ({ name }) => name)) {
      console.error(`${each.name}: ${each.what}`);
      results.push(await runCase(each, contenders, model.url));
      // After each case: a run that is broken off leaves what it has.
      const about = { startedAt, rounds: Number(values.rounds), note: values.note };
      await writeFile(file, resultsText(results, about));
      const plots = [...growthPlots(results), ...results.flatMap((result) => costPlot(result) ?? [])];
      for (const plot of plots) await writeFile(join(pictures, plot.file), drawPlot(plot));
    }
    console.log(`written to ${file}`);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await closeAll();
  }
}

/** A contender that fails in one round has no figures; the reason is part of the report. */
async function runCase(each: Case, contenders: readonly Contender[], modelUrl: string): Promise<CaseResult> {
  const able = contenders.filter(({ abilities }) => each.needs === null || abilities.includes(each.needs));
  const failures = new Map<string, string>();
  const variants = able.map(({ name, ...contender }) => [
    name,
    async (): Promise<Figures | null> => {
      if (failures.has(name)) return null;
      return each.run({ name, ...contender }, modelUrl).catch((error: unknown) => {
        failures.set(name, reasonOf(error));
        console.error(`${each.name}, ${name}:`, error);
        return null;
      });
    },
  ]);
  const runs = await interleave(
    Number(values.rounds),
    Object.fromEntries(variants) as Record<string, () => Promise<Figures | null>>,
  );
  return {
    name: each.name,
    what: each.what,
    point: each.point,
    rows: contenders.map(({ name }) => ({
      name,
      runs: (runs[name] ?? []).filter((figures) => figures !== null),
      missing: failures.get(name) ?? (able.some((contender) => contender.name === name) ? null : 'cannot'),
    })),
  };
}

/** A socket's end comes as an event of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message.replaceAll(/\s+/gu, ' ');
  const { code, reason } = error as { readonly code?: number; readonly reason?: string };
  return `the connection was closed: ${code ?? ''} ${reason ?? ''}`.trim();
}
