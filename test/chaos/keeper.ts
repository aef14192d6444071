/**
 * Ends what a run started, however the run itself ends: a process of its own that reads what to end, line by line, and
 * acts once its input closes, which it also does when the run is killed.
 *
 * Lines: `group PID`, `cluster FOLDER` (of a Postgres), `mount FOLDER`, `folder FOLDER`.
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { stopLeftovers } from '@qpilot/embedded-stores';

const lines: string[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for await (const line of createInterface({ input: process.stdin })) lines.push(line);
for (const kind of ['group', 'cluster', 'mount', 'folder'] as const) {
  for (const line of lines) {
    const [of, what = ''] = line.split(' ');
    if (of !== kind) continue;
    await end(kind, what).catch((error: unknown) => {
      process.stderr.write(`could not end ${line}: ${String(error)}\n`);
      process.exitCode = 1;
    });
  }
}

async function end(kind: 'group' | 'cluster' | 'mount' | 'folder', what: string): Promise<void> {
  switch (kind) {
    case 'group':
      killGroup(Number(what));
      break;
    case 'cluster':
      await stopLeftovers(what);
      break;
    case 'mount':
      await promisify(execFile)('umount', ['-l', what]);
      break;
    case 'folder':
      await rm(what, { recursive: true, force: true });
      break;
    default:
      kind satisfies never;
  }
}

/** SIGKILL also ends what is stopped. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
