import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';
import { ROLE } from './cluster.ts';
import { giveTo } from './identity.ts';
import type { Identity } from './identity.ts';

/** Where clients reach the server, and what it and `initdb` must be told for that. */
export type Endpoint = {
  /** Authentication, fixed when the cluster is made. */
  readonly initdbArgs: readonly string[];
  /** Settings of the server, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Connection string for one database, as `pg` reads it. */
  url(database: string): string;
  /** Makes ready what the server, run as `identity`, needs to listen. */
  prepare(identity: Identity): Promise<void>;
  close(): Promise<void>;
};

/** The name Postgres gives its socket; with the folder it must fit into `sun_path` (104 bytes on macOS, 108 on Linux). */
const SOCKET_NAME = '/.s.PGSQL.5432';
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * A unix socket in a private folder: no port is open, so no password is needed.
 *
 * The folder's name follows from the data folder: whoever shares the server finds it at the same address after a restart.
 * It lies in the folder for temporary files because data folders may be too deep for a socket.
 * @param dir absolute data folder
 */
export function socketEndpoint(dir: string): Endpoint {
  const key = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  const name = `qpilot-${process.getuid?.() ?? 0}-${key}`;
  const preferred = join(tmpdir(), name);
  const fits = Buffer.byteLength(preferred + SOCKET_NAME) <= MAX_SOCKET_PATH_BYTES;
  const folder = fits ? preferred : join('/tmp', name);
  return {
    initdbArgs: ['--auth-local=trust', '--auth-host=reject'],
    settings: {
      listen_addresses: '',
      unix_socket_directories: folder,
      unix_socket_permissions: '0700',
      port: '5432',
    },
    url: (database) => `postgresql://${ROLE}@localhost/${database}?host=${encodeURIComponent(folder)}`,
    prepare: (identity) => makePrivate(folder, identity),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The parent is open to everybody, so a folder that is there already is used only if nobody else can have put it there. */
async function makePrivate(folder: string, identity: Identity): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const allowed = [process.getuid?.(), identity.kind === 'user' ? identity.uid : undefined];
  if (!found.isDirectory() || !allowed.includes(found.uid)) {
    throw new StartupError(
      `${folder} belongs to user ${found.uid}, not to QPilot; remove it, or set TMPDIR to a folder of your own.`,
    );
  }
  await chmod(folder, 0o700);
  await giveTo(identity, folder);
}
