import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CANARY_VARIABLE } from '../support/escapes.ts';
import { PRELUDE } from './technique.ts';
import type { Technique } from './technique.ts';

/** What attacks are after, and what tells that one got there. */
export type Canaries = {
  /** In a file that any user may read, and to be put into the environment of the host by whoever starts it. */
  readonly secret: string;
  /** Part of the command line of every process that an attack leaves behind. */
  readonly token: string;
  /** For programs that are not of the corpus. */
  readonly targets: { readonly file: string; readonly marker: string; readonly port: number };
  /** The whole program of a technique; what it finds it prints. */
  program(technique: Technique): string;
  /** Names of techniques whose file is there. */
  files(): Promise<readonly string[]>;
  /** How often somebody connected. */
  connections(): number;
  /** Processes that attacks left behind. */
  processes(): Promise<readonly number[]>;
  close(): Promise<void>;
};

const MARKER = 'marker-';
const LOOT_FOLDER = '/tmp';

/** Canaries of their own folder and port; the caller closes them. */
export async function openCanaries(): Promise<Canaries> {
  const [secret, token] = [`secret-${randomUUID()}`, `token-${randomUUID()}`];
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-corpus-'));
  const file = join(folder, 'secret');
  await writeFile(file, secret, { mode: 0o644 });
  await chmod(folder, 0o777);
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.on('error', () => {}).destroy();
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;

  function program({ name, script }: Technique): string {
    const marker = join(folder, MARKER + encodeURIComponent(name));
    const values: Record<string, string | number> = {
      file,
      folder,
      marker,
      port,
      token,
      variable: CANARY_VARIABLE,
    };
    const body = script.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
    return `${PRELUDE}loot = None\n${body}\nif loot is not None: print(loot)\n`;
  }

  return {
    secret,
    token,
    targets: { file, marker: join(folder, `${MARKER}generated`), port },
    program,
    files: async () =>
      (await readdir(folder))
        .filter((name) => name.startsWith(MARKER))
        .map((name) => decodeURIComponent(name.slice(MARKER.length))),
    connections: () => connections,
    processes: () => processesWith(token),
    close: async () => {
      listener.close();
      await rm(folder, { recursive: true });
      await removeLoot(token);
    },
  };
}

/** Techniques that nothing holds back put what they got into the one folder that every system has, under the token. */
async function removeLoot(token: string): Promise<void> {
  const names = await readdir(LOOT_FOLDER).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(token))) await rm(join(LOOT_FOLDER, name));
}

/** Processes with this text in their command line; none where the system does not tell. */
async function processesWith(text: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Boolean);
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => lines[index]?.includes(text));
}
