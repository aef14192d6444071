import { randomUUID } from 'node:crypto';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The interpreter that the native engine would take, without the libraries that are installed for it. */
const SCRIPT = `#!/bin/sh
for python in /usr/bin/python3 /usr/local/bin/python3; do
  [ -x "$python" ] && exec "$python" -S "$@"
done
`;

/**
 * A Python for the native engine without numpy and its like, which take most of the time that a process needs to start.
 * Walls and limits around it are those around any other.
 */
export const BARE_PYTHON: string = await write();

async function write(): Promise<string> {
  const file = join(tmpdir(), 'qpilot-bare-python3');
  const made = `${file}-${randomUUID()}`;
  await writeFile(made, SCRIPT);
  // The engine runs it as nobody.
  await chmod(made, 0o755);
  await rename(made, file);
  return file;
}
