/**
 * Several servers and workers on one PostgreSQL and one MongoDB, each a process of its own, started as an operator
 * would. Everything is on loopback or unix sockets, in a folder that goes away with the run.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import { bareEnvironment } from '../support/bare-environment.ts';
import { startKeeper, type Keeper } from './keeping.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Holds the stores, whose write-ahead log needs most of it, and what servers write. */
const DISK_MEGABYTES = 700;
/** A busy machine may take long to start a server. */
const START_MS = 120_000;

/** One process of the cluster, to be killed, stopped and started again under the same name. */
export type Node = {
  readonly name: string;
  /** The address of a server; null for others. */
  readonly url: string | null;
  /** Where its metrics are; null for stores. */
  readonly metricsUrl: string | null;
  readonly pid: () => number;
  readonly isUp: () => boolean;
  /** Resolves once it is ready. */
  start(): Promise<void>;
  /** To it and, with SIGKILL, everything that it started in its process group. */
  signal(signal: NodeJS.Signals): void;
  /** Once it has ended. */
  ended(): Promise<void>;
};

/** The whole. `close` ends it; so does the end of this process, however it comes. */
export type Cluster = {
  readonly folder: string;
  readonly stores: Node;
  readonly servers: readonly Node[];
  readonly workers: readonly Node[];
  readonly databaseUrl: string;
  /** Of the small disk that holds all data; null where none may be mounted. */
  readonly disk: string | null;
  /** What was logged as an error by any process, by how often. */
  errors(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

/** How many processes there are, and where their model is. */
export type ClusterPlan = {
  readonly servers: number;
  readonly workers: number;
  readonly modelUrl: string;
  /** A module that each process loads first. */
  readonly preload?: URL;
};

/** Starts stores, servers and workers. */
export async function startCluster({ servers, workers, modelUrl, preload }: ClusterPlan): Promise<Cluster> {
  const keeper = startKeeper();
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'qpilot-chaos-')));
    keeper.keep('folder', folder);
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    const disk = await mountSmall(dataDir);
    if (disk) keeper.keep('mount', dataDir);
    keeper.keep('cluster', join(dataDir, 'postgres', 'cluster'));
    const base = {
      ...bareEnvironment,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      HOME: folder,
      ...(preload && { NODE_OPTIONS: `--import ${preload.href}` }),
    };
    const make = (name: string, script: string, env: Record<string, string>, ready: RegExp) =>
      nodeOf({ name, script, env: { ...base, ...env }, ready, folder, keeper });
    const stores = make('stores', 'src/operations/cli/stores.ts', {}, /^MONGODB_URI=(\S+)/u);
    await stores.start();
    const addresses = JSON.parse(await readFile(join(dataDir, 'run', 'stores.json'), 'utf8')) as Addresses;
    const env = {
      DATABASE_URL: addresses.postgresUrl,
      MONGODB_URI: addresses.mongoUri,
      QPILOT_CONFIG: await writeSettings(folder),
      OPENAI_API_KEY: 'sk-of-the-chaos-run',
      OPENAI_BASE_URL: modelUrl,
      OPENAI_API: 'chat',
      DEMO: '0',
    };
    const started = {
      servers: await Promise.all(
        Array.from({ length: servers }, async (_, index) => {
          const own = { ...env, PORT: await freePort(), METRICS_PORT: await freePort(), JOBS_AT_ONCE: '1' };
          return make(`server ${index + 1}`, 'start.js', own, /is ready/u);
        }),
      ),
      workers: await Promise.all(
        Array.from({ length: workers }, async (_, index) => {
          const own = { ...env, METRICS_PORT: await freePort(), JOBS_AT_ONCE: '2' };
          return make(`worker ${index + 1}`, 'src/operations/cli/worker.ts', own, /^Working on/u);
        }),
      ),
    };
    const all = [...started.servers, ...started.workers];
    await all[0]?.start(); // the first one makes the tables
    await Promise.all(all.slice(1).map((node) => node.start()));
    return {
      folder,
      stores,
      ...started,
      databaseUrl: addresses.postgresUrl,
      disk,
      errors: () => errorsIn(folder),
      close: () => keeper.close(),
    };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}

type Addresses = { readonly postgresUrl: string; readonly mongoUri: string };
type NodeSettings = {
  readonly name: string;
  readonly script: string;
  readonly env: Record<string, string>;
  /** A line that says that it is ready. */
  readonly ready: RegExp;
  readonly folder: string;
  readonly keeper: Keeper;
};

function nodeOf({ name, script, env, ready, folder, keeper }: NodeSettings): Node {
  const at = (port: string | undefined): string | null =>
    port === undefined ? null : `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const isUp = (): boolean => child !== null && child.exitCode === null && child.signalCode === null;
  const log = createWriteStream(join(folder, `${name.replace(' ', '-')}.log`), { flags: 'a' });
  return {
    name,
    url: at(env['PORT']),
    metricsUrl: at(env['METRICS_PORT']),
    isUp,
    pid: () => child?.pid ?? 0,
    async start() {
      if (isUp()) return;
      const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
        cwd: ROOT,
        env,
        detached: true, // a group of its own: its children end with it
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      keeper.keep('group', String(started.pid));
      started.stderr.pipe(log, { end: false });
      const isReady = Promise.withResolvers<void>();
      createInterface({ input: started.stdout }).on('line', (line) => {
        log.write(`${line}\n`);
        if (ready.test(line)) isReady.resolve();
      });
      started.once('exit', (code, signal) => isReady.reject(new Error(`${name} ended as ${code ?? signal}`)));
      const late = setTimeout(
        () => isReady.reject(new Error(`${name} is not ready after ${START_MS} ms`)),
        START_MS,
      );
      await isReady.promise.finally(() => clearTimeout(late));
    },
    signal(signal) {
      if (!isUp() || child?.pid === undefined) return;
      process.kill(signal === 'SIGTERM' ? child.pid : -child.pid, signal);
    },
    async ended() {
      if (isUp() && child) await once(child, 'exit');
    },
  };
}

/** The shipped settings, without the limits that the load of a run would meet. */
async function writeSettings(folder: string): Promise<string> {
  const settings = parseDocument(await readFile(join(ROOT, 'config', 'qpilot.yaml'), 'utf8'));
  const most = 1_000_000_000;
  for (const name of [
    'sessionTokens',
    'userTokensPerDay',
    'projectTokensPerDay',
    'messagesPerMinute',
    'turnsPerUser',
    'waitingPerUser',
    'jobsPerUser',
  ])
    settings.setIn(['limits', name], most);
  const file = join(folder, 'qpilot.yaml');
  await writeFile(file, String(settings));
  return file;
}

/** A file system of its own, which can be filled; null where this user may not mount one. */
const mountSmall = (folder: string): Promise<string | null> =>
  run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder]).then(
    () => folder,
    () => null,
  );

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

/** Processes below `pid`, by what they run; Linux only, none elsewhere. */
export async function descendantsOf(
  pid: number,
): Promise<readonly { readonly pid: number; readonly command: string }[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const all = await Promise.all(
    pids.map(async (each) => {
      const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '');
      const command = await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return { pid: each, parent, command: command.replaceAll('\0', ' ') };
    }),
  );
  const found = all.filter((each) => each.parent === pid);
  for (const each of found) found.push(...all.filter(({ parent }) => parent === each.pid));
  return found;
}

const ERROR_LEVEL = 50;

async function errorsIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const errors = new Map<string, number>();
  const files = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  for (const file of files) {
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n')) {
      if (!line.startsWith('{')) continue;
      const { level, msg, err } = JSON.parse(line) as LogLine;
      if ((level ?? 0) < ERROR_LEVEL) continue;
      const what = `${msg ?? ''}${err ? `: ${err.message ?? ''} ${err.code ?? ''}` : ''}`;
      errors.set(what, (errors.get(what) ?? 0) + 1);
    }
  }
  return errors;
}

type LogLine = {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly code?: string };
};
