/** Long, quiet use: what grows with time though nothing is kept. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { descendantsOf, startCluster, type Cluster, type Node } from './cluster.ts';
import { seeded } from './random.ts';
import { startSoakLoad, type SoakPeople } from './soak-load.ts';
import { trendOf, type Sample } from './trend.ts';
import { startKnownModel } from './words.ts';

const run = promisify(execFile);
const EVERY_MS = 5_000;
const SHOWN = 12;
/** Minutes between tables of what was measured so far. */
const SHOWN_EVERY = 4;

export type SoakPlan = SoakPeople & {
  readonly seed: number;
  readonly minutes: number;
  readonly servers: number;
  readonly workers: number;
  readonly say: (line: string) => void;
};

type Series = Map<string, Sample[]>;

/** Whether all answers were as known, and nothing grew. */
export async function runSoak({
  minutes,
  servers,
  workers,
  seed,
  say,
  ...people
}: SoakPlan): Promise<boolean> {
  const model = await startKnownModel();
  let cluster: Cluster | null = null;
  const client = { value: null as Client | null };
  try {
    const preload = new URL('collect-garbage.mjs', import.meta.url);
    cluster = await startCluster({ servers, workers, modelUrl: model.baseUrl, preload });
    const database = new Client({ connectionString: cluster.databaseUrl, application_name: 'soak' });
    await database.connect();
    client.value = database;
    const load = startSoakLoad(
      cluster.servers.flatMap(({ url }) => url ?? []),
      seeded(seed),
      people,
    );
    const series: Series = new Map();
    const begunAt = performance.now();
    let shownAt = 0;
    const before = await spentBy(cluster, database);
    while (performance.now() - begunAt < minutes * 60_000) {
      await sleep(EVERY_MS);
      const at = (performance.now() - begunAt) / 3_600_000;
      for (const [name, value] of await measured(cluster, database))
        series.set(name, [...(series.get(name) ?? []), { at, value }]);
      if (at * 60 >= shownAt + SHOWN_EVERY) {
        shownAt += SHOWN_EVERY;
        say(`\nAfter ${shownAt} of ${minutes} minutes:\n\n${tableOf(series)}`);
      }
    }
    const { turns } = load;
    const after = await spentBy(cluster, database);
    await load.stop();
    say(`\n${tableOf(series)}\n`);
    say(
      `${turns} turns in ${minutes} minutes, ${servers} servers, ${workers} worker, ${cpus().length} cores. They took:`,
    );
    for (const [name, value] of after) {
      const spent = value - (before.get(name) ?? 0);
      say(
        `  ${name}: ${show(spent / minutes / 60)} a second, ${turns === 0 ? '–' : show(spent / turns)} a turn`,
      );
    }
    for (const what of load.wrong) say(`WRONG ${what}`);
    for (const [what, count] of await cluster.errors()) say(`Logged as an error ${count} times: ${what}`);
    return load.wrong.length === 0 && ![...series].some(([name, all]) => trend(name, all)?.is === 'grows');
  } finally {
    await client.value?.end().catch(() => undefined);
    await cluster?.close();
    await model.close();
  }
}

/** Garbage sits on a heap: its floor is what is kept. */
const trend = (name: string, samples: readonly Sample[]) =>
  trendOf(samples, name.includes('heap') ? 'least' : 'mean');

function tableOf(series: Series): string {
  const every = (samples: readonly Sample[]): string =>
    Array.from({ length: SHOWN }, (_, index) => {
      const sample = samples[Math.round((index * (samples.length - 1)) / (SHOWN - 1))];
      return show(sample?.value ?? Number.NaN);
    }).join(' ');
  const rows = [...series].map(([name, samples]) => {
    const found = trend(name, samples);
    const slope = found && `${show(found.slope)} ± ${show(found.error)}`;
    return `| ${name} | ${every(samples)} | ${slope ?? ''} | ${found?.is ?? 'too short to say'} |`;
  });
  return [
    `| what | ${SHOWN} of its values, in order | slope an hour, 95 % | is |`,
    '| --- | --- | --: | --- |',
    ...rows,
  ].join('\n');
}

const show = (value: number): string => String(Number(value.toPrecision(3)));

async function measured(cluster: Cluster, database: Client): Promise<readonly (readonly [string, number])[]> {
  const { stores, servers, workers } = cluster;
  const nodes = await Promise.all([...servers, ...workers, stores].map(ofNode));
  const { rows } = await database.query<{ connections: number; megabytes: number }>(
    `select (select count(*)::int from pg_stat_activity where datname is not null) as connections,
      pg_database_size(current_database()) / 1048576.0::float8 as megabytes`,
  );
  const { connections = 0, megabytes = 0 } = rows[0] ?? {};
  return [
    ...nodes.flat(),
    ['Postgres connections', connections],
    ['Postgres database MB', megabytes],
    ...(await disk(cluster)),
  ];
}

async function ofNode({ name, pid, metricsUrl }: Node): Promise<readonly (readonly [string, number])[]> {
  const status = await readFile(`/proc/${pid()}/status`, 'utf8').catch(() => '');
  const files = await readdir(`/proc/${pid()}/fd`).catch(() => []);
  const text = metricsUrl === null ? '' : await (await fetch(`${metricsUrl}/metrics`)).text();
  const metric = (key: string, unit: number): [string, number][] => {
    const value = new RegExp(`^${key} (\\S+)$`, 'mu').exec(text)?.[1];
    return value === undefined ? [] : [[key, Number(value) / unit]];
  };
  const named: readonly (readonly [string, number])[] = [
    ['RSS MB', Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1]) / 1024],
    ...metric('nodejs_heap_size_used_bytes', 1 << 20).map(([, value]) => ['heap MB', value] as const),
    ['open files and sockets', files.length],
    ...metric('nodejs_eventloop_lag_p50_seconds', 1e-3).map(([, value]) => ['loop p50 ms', value] as const),
    ...metric('nodejs_eventloop_lag_p99_seconds', 1e-3).map(([, value]) => ['loop p99 ms', value] as const),
  ];
  return named.map(([what, value]) => [`${name}: ${what}`, value]);
}

/** In megabytes, by store; files of jobs and uploads are the rest. */
async function disk({ folder }: Cluster): Promise<readonly (readonly [string, number])[]> {
  const data = join(folder, 'data');
  const folders = (await readdir(data)).toSorted();
  const { stdout } = await run('du', ['-sk', '--', ...folders], { cwd: data });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([kilobytes, name]) => [`disk ${name} MB`, Number(kilobytes) / 1024]);
}

/** Since the start. */
async function spentBy(cluster: Cluster, database: Client): Promise<ReadonlyMap<string, number>> {
  const { stores, servers, workers } = cluster;
  const own = await Promise.all([...servers, ...workers].map((node) => cpuMs(node.pid(), false)));
  const postgres = (await descendantsOf(stores.pid())).filter(({ command }) => command.includes('postgres'));
  const theirs = await Promise.all(postgres.map(({ pid }) => cpuMs(pid, true)));
  const { rows } = await database.query<{ commits: number; wal: number }>(
    `select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 / 1024 as wal`,
  );
  return new Map([
    ['CPU ms of servers and workers', own.reduce((sum, each) => sum + each, 0)],
    ['CPU ms of the embedded MongoDB', await cpuMs(stores.pid(), false)],
    ['CPU ms of Postgres', theirs.reduce((sum, each) => sum + each, 0)],
    ['transactions of Postgres', rows[0]?.commits ?? 0],
    ['KB written ahead by Postgres', rows[0]?.wal ?? 0],
  ]);
}

/** Linux counts in hundredths of a second. `withEnded` adds children that were waited for. */
async function cpuMs(pid: number, withEnded: boolean): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, withEnded ? 15 : 13);
  return fields.reduce((sum, each) => sum + Number(each) * 10, 0);
}
