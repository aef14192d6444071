import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A script running in its own process. */
export type Child = {
  readonly process: ChildProcess;
  /** The next line of standard output; rejects with the standard error if the process ends first. */
  nextLine(): Promise<string>;
  /** Sends a signal if the process still runs, and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
};

/** Starts `script` with this Node. The caller ends it. */
export function startChild(
  script: string,
  args: readonly string[],
  options: { uid?: number; gid?: number; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, 'close');
  return {
    process: child,
    nextLine: async () => {
      const { value, done } = await lines.next();
      if (!done) return value;
      await closed;
      throw new Error(errors);
    },
    end: async (signal) => {
      child.kill(signal);
      await closed;
    },
  };
}
