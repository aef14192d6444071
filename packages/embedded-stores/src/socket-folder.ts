import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoresError } from './stores-error.ts';

/** The whole path of a socket must fit into `sun_path`, which is 104 bytes with its end on macOS and 108 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Path of a folder for unix sockets of the servers on `dir`; nothing is made yet.
 *
 * Its name follows from the data folder: whoever shares the servers finds them at the same address after a restart. It
 * lies in the folder for temporary files because data folders may be too deep for a socket.
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
 * Makes a folder that only its owner may enter. Its parent is open to everybody, so one that is there already is used only
 * if nobody else can have put it there.
 * @param otherOwner a user besides ourselves who may own it already
 * @throws StoresError if it is somebody else's
 */
export async function makePrivateFolder(folder: string, otherOwner?: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid() || found.uid === otherOwner;
  if (!found.isDirectory() || !isOurs) {
    throw new StoresError(
      `${folder} belongs to user ${found.uid}, not to QPilot; remove it, or set TMPDIR to a folder of your own`,
    );
  }
  await chmod(folder, 0o700);
}
