/** The keeper's other end: what a run started is named to it before anything can go wrong. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Keeper = {
  keep(kind: 'group' | 'cluster' | 'mount' | 'folder', what: string): void;
  close(): Promise<void>;
};

/** In a process group of its own, so that Ctrl-C does not reach it. */
export function startKeeper(): Keeper {
  const script = fileURLToPath(new URL('keeper.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  const ended = once(child, 'exit');
  return {
    keep: (kind, what) => void child.stdin.write(`${kind} ${what}\n`),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
