/** Ensures that the path of a unix socket is usable, private and free. */
import { lstat, mkdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { StoresError } from '../stores-error.ts';

/** Bytes of `sun_path` without the final NUL: Linux 107, macOS 103. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Creates the folder (0700) and removes the socket of a dead process; throws StoresError if the path cannot be
 * used.
 */
export async function claimSocketPath(socketPath: string): Promise<void> {
  const bytes = Buffer.byteLength(socketPath);
  if (bytes > MAX_PATH_BYTES) {
    throw new StoresError(
      `the socket path ${socketPath} has ${bytes} bytes, the system allows ${MAX_PATH_BYTES}; choose a shorter data folder`,
    );
  }
  const folder = dirname(socketPath);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await lstat(folder);
  if ((mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    throw new StoresError(
      `the folder ${folder} of the database socket must be private: its mode is ${shown}, expected 0700`,
    );
  }
  await removeStale(socketPath);
}

async function removeStale(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isSocket()) throw new StoresError(`${socketPath} exists and is not a socket; remove it`);
  if (await isListening(socketPath)) {
    throw new StoresError(
      `another process already listens on ${socketPath}; stop it or choose another data folder`,
    );
  }
  await unlink(socketPath);
}

function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath);
    const answer = (listening: boolean) => (): void => {
      probe.destroy();
      resolve(listening);
    };
    probe.once('connect', answer(true));
    probe.once('error', answer(false));
  });
}
