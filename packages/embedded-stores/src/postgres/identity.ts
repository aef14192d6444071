import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StoresError } from '../stores-error.ts';

const run = promisify(execFile);

/**
 * The user that Postgres runs as. It refuses to run as root, but the process that starts it may well be root, in
 * a container for example.
 * - `self`: the user of this process;
 * - `user`: another user of the machine, which only root can become;
 * - `namespace`: a user namespace in which root's files appear as an ordinary user's. It can read what another
 *   user cannot, such as a checkout under `/root`.
 */
export type Identity =
  | { readonly kind: 'self' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'namespace' };

/** Arguments of `spawn` that run a program as an identity. */
export type Launch = {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly uid?: number; readonly gid?: number };
};

/**
 * How `program` is started as `identity`. The pid of the spawned process is the program's own: `unshare` execs
 * it.
 */
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

/** Makes `identity` the owner of a file or folder of this process. */
export async function giveTo(identity: Identity, path: string): Promise<void> {
  if (identity.kind === 'user') await chown(path, identity.uid, identity.gid);
}

/**
 * Finds an identity that can run `program` on `folder`; a new folder is left in its ownership.
 *
 * An existing cluster keeps its owner, so a single `sudo npm start` does not lock the ordinary user out. A new
 * one gets the first of `postgres`, `nobody` and a namespace that works.
 * @param folder a cluster (`isNew` false) or an empty folder of this process that is to become one
 * @throws StoresError with the reason of each refusal
 */
export async function chooseIdentity(folder: string, program: string, isNew: boolean): Promise<Identity> {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  const refusals: string[] = [];
  for (const [name, identity] of isNew ? await candidates() : [await ownerOf(folder)]) {
    try {
      if (isNew) await giveTo(identity, folder);
      await tryIdentity(identity, folder, program);
      return identity;
    } catch (error) {
      refusals.push(
        `${name}: ${error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error)}`,
      );
      if (isNew) await chown(folder, 0, 0);
    }
  }
  throw new StoresError(
    `Postgres refuses to run as root, and nobody else here can run ${program} on ${folder} (${refusals.join('; ')}). ` +
      'Start QPilot as an ordinary user, set DATA_DIR to a folder that others may enter (not under /root), ' +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

type Candidate = readonly [name: string, identity: Identity];

const IN_NAMESPACE: Candidate = ['root in a user namespace', { kind: 'namespace' }];

async function candidates(): Promise<readonly Candidate[]> {
  const users = await Promise.all(['postgres', 'nobody'].map(userNamed));
  return [...users.filter((user) => user !== undefined), IN_NAMESPACE];
}

async function ownerOf(folder: string): Promise<Candidate> {
  const { uid, gid } = await stat(folder);
  return uid === 0 ? IN_NAMESPACE : [`owner ${uid}`, { kind: 'user', uid, gid }];
}

async function userNamed(name: string): Promise<Candidate | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => (await run('id', [flag, name])).stdout),
    );
    return [name, { kind: 'user', uid: Number(uid), gid: Number(gid) }];
  } catch {
    return undefined; // no such user here, which is ordinary
  }
}

/** Enters the folder and runs the program once, exactly as the server will run; throws if that fails. */
async function tryIdentity(identity: Identity, folder: string, program: string): Promise<void> {
  const script = 'test -w "$0" || { echo "may not enter $0" >&2; exit 1; }; exec "$1" --version';
  const { file, args, options } = launchAs(identity, '/bin/sh', ['-c', script, folder, program]);
  await run(file, args, { ...options, cwd: '/' });
}
