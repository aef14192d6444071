/** What goes wrong in a run. Each fault happens, lasts, and is undone; what it needs of the machine it says. */
import { openSync, closeSync, writeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { until } from '@qpilot/test-support';
import type { Follower } from './client.ts';
import { descendantsOf, type Cluster, type Node } from './cluster.ts';
import { NONE } from './ledger.ts';
import type { Random } from './random.ts';

/** What faults act on. */
export type Scene = {
  readonly cluster: Cluster;
  readonly random: Random;
  readonly followers: () => readonly Follower[];
};

/** A kind of fault. */
export type Fault = {
  readonly name: string;
  /** Makes it happen and lasts as long as it does; what it returns undoes it, after the recovery was measured. */
  happen(scene: Scene): Promise<void | (() => Promise<void>)>;
  /** The server that it happens to, if it is one. */
  readonly server?: (scene: Scene) => Node;
  /** How long it lasts, where that is longer than others take; everybody is served again after it. */
  readonly lastsMs?: number;
  /** Whether turns must run to their end: each that none but such faults met is completed. */
  readonly spares?: boolean;
  /** Why it cannot happen here; null if it can. */
  missing?(scene: Scene): string | null;
};

/** Longer than any lease of the product: a turn's, and the heartbeat of a job. */
export const FROZEN_MS = 20_000;
/** How long an outage lasts that is no process's end. */
const OUTAGE_MS = 5_000;

/** No fault: how long the same takes on this machine, under this load, where nothing goes wrong. */
export const CONTROL: Fault = { name: NONE, happen: async () => undefined };

export const FAULTS: readonly Fault[] = [
  { name: 'server killed (-9)', happen: (scene) => killed(scene.random.pick(scene.cluster.servers)) },
  { name: 'worker killed (-9)', happen: (scene) => killed(scene.random.pick(scene.cluster.workers)) },
  {
    name: `server and worker frozen for ${FROZEN_MS / 1000} s`,
    happen: ({ cluster, random }) => frozen([random.pick(cluster.servers), random.pick(cluster.workers)]),
  },
  {
    name: 'server stopped (SIGTERM) and started',
    async happen({ cluster, random }) {
      const server = random.pick(cluster.servers);
      server.signal('SIGTERM');
      await server.ended();
      return () => server.start();
    },
  },
  {
    name: 'sockets dropped',
    async happen({ followers, random }) {
      for (let times = 0; times < 10; times += 1) {
        for (const follower of followers()) if (random.next() < 0.5) follower.drop();
        await sleep(200);
      }
    },
  },
  {
    name: 'database backends terminated',
    async happen({ cluster }) {
      await withDatabase(cluster, async (client) => {
        for (let times = 0; times < 5; times += 1) {
          await client.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
          );
          await sleep(300);
        }
      });
    },
  },
  {
    name: 'postmaster killed (-9)',
    async happen({ cluster }) {
      process.kill(await postmaster(cluster), 'SIGKILL');
    },
  },
  {
    name: 'stores killed (-9): embedded MongoDB and the owner of Postgres',
    async happen({ cluster }) {
      cluster.stores.signal('SIGKILL');
      await cluster.stores.ended();
      await cluster.stores.start();
    },
  },
  {
    name: 'all connections of Postgres taken',
    async happen({ cluster }) {
      const taken: Client[] = [];
      try {
        for (;;) taken.push(await connected(cluster));
      } catch {
        await sleep(OUTAGE_MS);
      } finally {
        await Promise.allSettled(taken.map((client) => client.end()));
      }
    },
  },
  {
    name: 'rows of all sessions locked by a frozen client',
    async happen({ cluster }) {
      await withDatabase(cluster, async (client) => {
        await client.query('begin');
        await client.query('select from sessions for update');
        await sleep(OUTAGE_MS);
        await client.query('rollback').catch(() => undefined); // Postgres may have ended it meanwhile
      });
    },
  },
  {
    name: 'disk full',
    missing: noSmallDisk,
    happen: (scene) => full(scene, OUTAGE_MS),
  },
  {
    name: 'sandbox killed (-9)',
    missing: () => (process.platform === 'linux' ? null : 'its processes are found in /proc'),
    async happen({ cluster }) {
      const found = await until(() => sandboxes(cluster), { what: 'an analysis', timeoutMs: 30_000 }).catch(
        () => [],
      );
      if (found.length === 0) throw new Error('no analysis ran that could be killed');
      for (const pid of found) kill(pid);
    },
  },
];

/** A part that is away, frozen or full for as long: what everybody needs, so that a server has no other one to wait for. */
export const outages = (seconds: number): readonly Fault[] => {
  const lastsMs = seconds * 1_000;
  const lasting = (name: string, happen: Fault['happen'], missing?: Fault['missing']): Fault => ({
    name: `${name} for ${seconds} s`,
    lastsMs,
    happen,
    server: ({ cluster }) => cluster.servers[0] ?? cluster.stores,
    ...(missing && { missing }),
  });
  return [
    lasting('PostgreSQL frozen', async ({ cluster }) => {
      const pid = await postmaster(cluster);
      const frozen = [pid, ...(await descendantsOf(pid)).map((each) => each.pid)];
      for (const each of frozen) kill(each, 'SIGSTOP');
      await sleep(lastsMs);
      for (const each of frozen) kill(each, 'SIGCONT');
    }),
    lasting('PostgreSQL and MongoDB away', async ({ cluster }) => {
      cluster.stores.signal('SIGKILL');
      await cluster.stores.ended();
      await sleep(lastsMs);
      await cluster.stores.start();
    }),
    lasting('calibration store frozen', async ({ cluster }) => {
      kill(cluster.stores.pid(), 'SIGSTOP'); // it alone: PostgreSQL goes on
      await sleep(lastsMs);
      kill(cluster.stores.pid(), 'SIGCONT');
    }),
    lasting('disk full', (scene) => full(scene, lastsMs), noSmallDisk),
  ];
};

/** Every process of an analysis; null while there is none. */
async function sandboxes({ servers, workers }: Cluster): Promise<readonly number[] | null> {
  const below = await Promise.all([...servers, ...workers].map((node) => descendantsOf(node.pid())));
  const found = below.flat().filter(({ command }) => /bwrap|python|pyodide/u.test(command));
  return found.length > 0 ? found.map(({ pid }) => pid) : null;
}

function noSmallDisk({ cluster }: Scene): string | null {
  return cluster.disk === null ? 'only root may mount a small disk' : null;
}

async function full({ cluster }: Scene, forMs: number): Promise<void> {
  const filler = join(cluster.disk ?? '', 'filler');
  try {
    fill(filler);
    await sleep(forMs);
  } finally {
    await rm(filler, { force: true });
  }
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (!(pid > 1)) throw new Error(`${pid} is no process of the cluster`); // 0 and less are groups, our own among them
  try {
    process.kill(pid, signal);
  } catch {
    // it ended by itself
  }
}

/** Ends it at once; undone by a start. */
export async function killed(node: Node): Promise<() => Promise<void>> {
  node.signal('SIGKILL');
  await node.ended();
  return () => node.start();
}

/** Stops all for longer than any lease. */
export async function frozen(nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) node.signal('SIGSTOP');
  await sleep(FROZEN_MS);
  for (const node of nodes) node.signal('SIGCONT');
}

async function postmaster({ folder }: Cluster): Promise<number> {
  const file = join(folder, 'data', 'postgres', 'cluster', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}

async function connected({ databaseUrl }: Pick<Cluster, 'databaseUrl'>): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withDatabase(cluster: Cluster, work: (client: Client) => Promise<void>): Promise<void> {
  const client = await until(() => connected(cluster).catch(() => null), { what: 'a connection' });
  try {
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Writes until there is no room. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let size = 1 << 20; size >= 4096;) {
      try {
        if (writeSync(descriptor, Buffer.alloc(size)) < size) size >>= 1;
      } catch {
        size >>= 1;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
