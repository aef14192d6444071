import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoresError } from './stores-error.ts';

/** A socket's path must fit into `sun_path`: 104 bytes on macOS, 108 on Linux, both with the final NUL. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Path of a folder for the unix sockets of the servers on `dir`; creates nothing.
 *
 * The name is derived from the data folder, so addresses survive a restart. The folder is in the temporary directory
 * because the path of a data folder may be too long for a socket.
 * @param dir absolute data folder
 * @param socketName longest name of a socket in it
 */
export function socketFolder(dir: string, socketName: string): string {
  const key = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  const name = `qpilot-${process.getuid?.() ?? 0}-${key}`;
  const preferred = join(tmpdir(), name);
  const fits = Buffer.byteLength(join(preferred, socketName)) <= MAX_SOCKET_PATH_BYTES;
  return fits ? preferred : join('/tmp', name);
}

/**
 * Creates a folder that only its owner may enter. Everyone can write to its parent, so an existing folder is accepted
 * only if it belongs to us.
 * @param otherOwner another user who may own the folder
 * @throws StoresError if it belongs to anyone else
 */
export async function makePrivateFolder(folder: string, otherOwner?: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid() || found.uid === otherOwner;
  if (!found.isDirectory() || !isOurs) {
    throw new StoresError(
      `${folder} belongs to user ${found.uid}, not to this process's user; remove it, or set TMPDIR to a folder of your own`,
    );
  }
  await chmod(folder, 0o700);
}
