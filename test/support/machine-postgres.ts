/**
 * A PostgreSQL of this machine (Debian's package) beside the embedded one, and a PgBouncer before it, for tests with an
 * external database. Both listen on loopback only, and run as the user `postgres` where this process is root.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@qpilot/test-support';
import { Client } from 'pg';

const run = promisify(execFile);

/** Folder of the newest server; undefined where none is installed. */
const binaries = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  .toSorted((a, b) => Number(a.split('/')[4]) - Number(b.split('/')[4]))
  .at(-1);
const bouncer = '/usr/sbin/pgbouncer';

/** Why such tests are skipped; null if everything is installed. */
export const machinePostgresMissing =
  binaries === undefined
    ? 'no PostgreSQL below /usr/lib/postgresql: apt-get install postgresql'
    : !existsSync(bouncer)
      ? 'no PgBouncer: apt-get install pgbouncer'
      : null;

/** A running server with an empty database. */
export type MachinePostgres = {
  readonly url: string;
  /** Starts a PgBouncer before it with these lines in its settings, and this for its database; returns the address. */
  bouncer(settings: readonly string[], database?: string): Promise<string>;
  stop(): Promise<void>;
};

type Identity = { readonly uid?: number; readonly gid?: number };

function identityOfServer(): Identity {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts the server; `stop` ends it and what stands before it, and removes its files. */
export async function startMachinePostgres(): Promise<MachinePostgres> {
  const as = identityOfServer();
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-machine-'));
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  const port = await freePort();
  const data = join(folder, 'data');
  await run(
    join(binaries ?? '', 'initdb'),
    ['-D', data, '-U', 'qpilot', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...as,
      cwd: folder,
    },
  );
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-k',
    '',
    '-c',
    'fsync=off',
  ];
  const children: ChildProcess[] = [];
  const start = (file: string, given: readonly string[]): void => {
    children.push(spawn(file, given, { ...as, cwd: folder, stdio: 'ignore' }));
  };
  start(join(binaries ?? '', 'postgres'), args);
  await until(() => answers(`postgresql://qpilot@127.0.0.1:${port}/postgres`), { what: 'PostgreSQL' });
  await onServer(`postgresql://qpilot@127.0.0.1:${port}/postgres`, 'create database qpilot');
  return {
    url: `postgresql://qpilot@127.0.0.1:${port}/qpilot`,
    async bouncer(settings, ofDatabase = '') {
      const own = await freePort();
      const home = join(folder, `bouncer-${own}`);
      await mkdir(home);
      const lines = [
        '[databases]',
        `qpilot = host=127.0.0.1 port=${port} user=qpilot ${ofDatabase}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${own}`,
        'unix_socket_dir =',
        'auth_type = any',
        ...settings,
      ];
      await writeFile(join(home, 'pgbouncer.ini'), `${lines.join('\n')}\n`, { mode: 0o644 });
      start(bouncer, [join(home, 'pgbouncer.ini')]);
      const url = `postgresql://qpilot@127.0.0.1:${own}/qpilot`;
      await until(() => answers(url), { what: 'PgBouncer' });
      return url;
    },
    async stop() {
      for (const child of children.toReversed()) {
        child.kill('SIGINT'); // fast
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const answers = (url: string): Promise<boolean> =>
  onServer(url, 'select 1').then(
    () => true,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
