/**
 * One run of faults against a cluster under load, judged by words known beforehand. Bounded in time: what does not end
 * in its time is reported as stuck.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@qpilot/test-support';
import { startCluster, type Cluster } from './cluster.ts';
import type { Fault, Scene } from './faults.ts';
import { haveCaughtUp, judge, judgeAnswers, readStored } from './judge.ts';
import { Ledger, type Wrong } from './ledger.ts';
import { startLoad, type Load, type LoadPlan } from './load.ts';
import { seeded } from './random.ts';
import { secondsOf, tableOf, type FaultResult, type Recovery } from './report.ts';
import { turnsOf } from './owned-turns.ts';
import { startKnownModel } from './words.ts';

/** What is run. */
export type RoundPlan = {
  readonly seed: number;
  /** In the order in which they happen. */
  readonly faults: readonly Fault[];
  readonly servers: number;
  readonly workers: number;
  readonly conversations: number;
  /** Words of an answer. */
  readonly words: LoadPlan['words'];
  /** The load goes on after the last fault until so many messages were sent. */
  readonly messages: number;
  /** After these no fault begins any more. */
  readonly minutes: number;
  /** Stops at the first thing that is wrong. */
  readonly bail: boolean;
  readonly say: (line: string) => void;
};

/** What came of it. */
export type RoundResult = {
  readonly table: string;
  readonly wrong: readonly Wrong[];
  readonly refusals: ReadonlyMap<string, number>;
  /** What processes logged as errors. */
  readonly errors: ReadonlyMap<string, number>;
};

const JOBS = 2;
/** Without faults, before the first and between two. */
const CALM_MS = 1_500;
/** All must be served again within this time of a fault, or of the end of an outage. */
const RECOVERED_WITHIN_MS = 75_000;
/** After an outage, an end or an acknowledgement counts as never coming. */
const STUCK_MS = 90_000;

export async function runRound(plan: RoundPlan): Promise<RoundResult> {
  const { seed, faults, conversations, words, say } = plan;
  const random = seeded(seed);
  const ledger = new Ledger();
  const begunAt = performance.now();
  const isLate = (): boolean => performance.now() - begunAt > plan.minutes * 60_000;
  const results = new Map<string, FaultResult>(
    faults.map(({ name }) => [name, { name, recoveries: [], skipped: null }]),
  );
  const model = await startKnownModel();
  let cluster: Cluster | null = null;
  try {
    cluster = await startCluster({ ...plan, modelUrl: model.baseUrl });
    const urls = cluster.servers.flatMap(({ url }) => url ?? []);
    const load = startLoad({
      urls,
      random: seeded(seed + 1),
      ledger,
      conversations,
      words,
      jobs: JOBS,
      stuckMs: STUCK_MS + Math.max(0, ...faults.map(({ lastsMs = 0 }) => lastsMs)),
    });
    const scene: Scene = { cluster, random, followers: () => load.followers };
    for (const fault of faults) {
      if (plan.bail && ledger.wrong.length > 0) break;
      if (isLate()) {
        const what = `the run took more than ${plan.minutes} minutes; what came after this was left out`;
        ledger.wrong.push({ kind: 'stuck', fault: fault.name, what });
        break;
      }
      const missing = fault.missing?.(scene) ?? null;
      const result = results.get(fault.name);
      if (missing !== null || result === undefined) {
        if (result) result.skipped = missing;
        continue;
      }
      await sleep(CALM_MS);
      const recovery = await endure(fault, scene, load, ledger);
      result.recoveries.push(recovery);
      const { chats, jobs, turns } = recovery;
      const ended = turns === undefined ? '' : `, its turns had ended after ${secondsOf(turns)} s`;
      say(
        `${fault.name}: people served again after ${secondsOf(chats)} s, jobs after ${secondsOf(jobs)} s${ended}`,
      );
    }
    while (ledger.entries.length < plan.messages && !isLate()) await sleep(CALM_MS);
    await load.stop();
    await conclude(cluster, load);
    const stored = await readStored(cluster.databaseUrl);
    judge(ledger, stored, load.followers);
    await judgeAnswers(ledger, stored, urls);
    const { wrong, refusals } = ledger;
    return { table: tableOf([...results.values()], ledger), wrong, refusals, errors: await cluster.errors() };
  } finally {
    await cluster?.close();
    await model.close();
  }
}

/** Milliseconds from the fault until everybody was served again, people and jobs apart; null for not in time. */
async function endure(fault: Fault, scene: Scene, load: Load, ledger: Ledger): Promise<Recovery> {
  const server = fault.server?.(scene);
  const turns = server && (await turnsOf(server, scene.cluster));
  const end = ledger.begin(fault);
  const since = performance.now();
  const withinMs = RECOVERED_WITHIN_MS + (fault.lastsMs ?? 0);
  const recovery = async (who: 'chats' | 'jobs'): Promise<number | null> =>
    until(() => (load.served(since)[who] ? performance.now() - since : null), {
      what: 'recovery',
      timeoutMs: withinMs,
      intervalMs: 50,
    }).catch(() => null);
  try {
    const recovered = Promise.all([recovery('chats'), recovery('jobs'), turns?.ended(withinMs)]);
    const undo = await fault.happen(scene);
    const [chats, jobs, ended] = await recovered;
    await undo?.();
    for (const [who, ms] of Object.entries({ chats, jobs })) {
      if (ms !== null) continue;
      const what = `some ${who} were not served within ${withinMs / 1000} s`;
      ledger.wrong.push({ kind: 'stuck', fault: fault.name, what });
    }
    return { chats, jobs, ...(ended !== undefined && { turns: ended }) };
  } finally {
    await turns?.close();
    end();
  }
}

/** Lets every follower catch up; those that do not are judged as they are. */
async function conclude({ databaseUrl }: Cluster, load: Load): Promise<void> {
  await until(async () => haveCaughtUp(load.followers, await readStored(databaseUrl)), {
    what: 'the followers to catch up',
    timeoutMs: 30_000,
    intervalMs: 500,
  }).catch(() => undefined);
  await Promise.all(load.followers.map((follower) => follower.stop()));
}
