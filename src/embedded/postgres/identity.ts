import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StartupError } from '../../errors.ts';

const run = promisify(execFile);

/**
 * Who Postgres runs as. It refuses to be root; QPilot does not, because containers and lab machines often are.
 * - `self`: the user of this process;
 * - `user`: another user of the machine, which only root can become;
 * - `namespace`: root's files seen through a user namespace as an ordinary user's. It reaches what another user cannot,
 *   such as a checkout under `/root`.
 */
export type Identity =
  | { readonly kind: 'self' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'namespace' };

/** What to hand to `spawn` so that `program` runs as somebody. */
export type Launch = {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly uid?: number; readonly gid?: number };
};

/** How `program` is started as `identity`. The pid of the spawned process is the program's own: `unshare` execs it. */
export function launchAs(identity: Identity, program: string, args: readonly string[]): Launch {
  switch (identity.kind) {
    case 'self':
      return { file: program, args, options: {} };
    case 'user':
      return { file: program, args, options: { uid: identity.uid, gid: identity.gid } };
    case 'namespace':
      return { file: 'unshare', args: ['--user', '--map-user=1000', program, ...args], options: {} };
    default:
      return identity satisfies never;
  }
}

/** Gives a file or folder that this process made to `identity`. */
export async function giveTo(identity: Identity, path: string): Promise<void> {
  if (identity.kind === 'user') await chown(path, identity.uid, identity.gid);
}

/**
 * Finds an identity that can run `program` on `folder`, and leaves the folder in its ownership.
 *
 * An existing cluster stays with its owner, so `sudo npm start` once does not lock the ordinary user out; a new one goes
 * to `postgres`, `nobody`, or into a namespace, whichever is first to work when tried.
 * @param folder the cluster's folder, existing, or a new empty one of this process
 * @throws StartupError with the reason of each refusal
 */
export async function chooseIdentity(folder: string, program: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  const refusals: string[] = [];
  for await (const [name, identity] of candidates(folder)) {
    const refusal = await tryIdentity(identity, folder, program);
    if (refusal === undefined) return identity;
    refusals.push(`as ${name}: ${refusal}`);
  }
  throw new StartupError(
    `Postgres refuses to run as root, and nobody else here can run ${program} on ${folder} (${refusals.join('; ')}). ` +
      'Start QPilot as an ordinary user, set DATA_DIR to a folder that others may enter (not under /root), ' +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

async function* candidates(folder: string): AsyncGenerator<[name: string, identity: Identity]> {
  const owner = await stat(folder);
  if (owner.uid !== 0) {
    yield [`user ${owner.uid}, its owner`, { kind: 'user', uid: owner.uid, gid: owner.gid }];
    return;
  }
  for (const name of ['postgres', 'nobody']) {
    const identity = await userNamed(name);
    if (identity) yield [name, identity];
  }
  yield ['root inside a user namespace', { kind: 'namespace' }];
}

async function userNamed(name: string): Promise<Identity | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, name])).stdout));
    return { kind: 'user', uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined; // no such user here, which is ordinary
  }
}

/** Enters the folder and runs the program once, exactly as the server will be; says what stood in the way. */
async function tryIdentity(identity: Identity, folder: string, program: string): Promise<string | undefined> {
  const script = 'test -w "$0" || { echo "cannot enter $0" >&2; exit 1; }; exec "$1" --version';
  const { file, args, options } = launchAs(identity, '/bin/sh', ['-c', script, folder, program]);
  try {
    await giveTo(identity, folder);
    await run(file, args, { ...options, cwd: '/' });
    return undefined;
  } catch (error) {
    if (identity.kind === 'user') await chown(folder, 0, 0).catch(() => undefined);
    return error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error);
  }
}
