import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Launcher } from './launcher.ts';
import { createLineReader } from './line-reader.ts';
import type { LineReader } from './line-reader.ts';
import { killChildren, residentBytes } from './process-tree.ts';

/** A running Node process without rights: it may read the files it was told and nothing else. */
export type ContainedProcess = {
  /** Its standard output. */
  readonly output: LineReader;
  /** Sends buffers to its standard input. What a dead process does not take is dropped. */
  write(...parts: readonly (string | Uint8Array)[]): void;
  /** Resolves when it has gone, with what it last said on standard error, for a log. */
  readonly exited: Promise<{ readonly how: string; readonly stderr: string }>;
  rssBytes(): Promise<number>;
  kill(): void;
};

/** What to run and what it may do. */
export type ContainedCommand = {
  readonly launcher: Launcher;
  /** Absolute path of a script. */
  readonly script: string;
  /** Becomes the only argument, as JSON. */
  readonly config: unknown;
  /** The only files and folders (ending in `/`) it may read; real paths. */
  readonly readable: readonly string[];
  /** An empty folder. */
  readonly cwd: string;
  readonly wasmPages: number;
};

const OLD_SPACE_MB = 128;
const STDERR_CHARS = 2_000;

/** Starts a process; the caller kills it. A failure to start shows as `exited`. */
export function startContained(command: ContainedCommand): ContainedProcess {
  const { file, args } = command.launcher.wrap([process.execPath, ...nodeArguments(command)]);
  const child = spawn(file, args, {
    env: {},
    cwd: command.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let stderr = '';
  child.stderr.setEncoding('latin1').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, STDERR_CHARS);
  });
  // A killed process breaks its pipes; that it has gone is told by `exited`.
  for (const source of [child, child.stdin, child.stdout, child.stderr]) source.on('error', () => {});
  const exited = once(child, 'exit').then(
    ([code, signal]) => ({
      how: signal ? `killed by ${String(signal)}` : `exit code ${String(code)}`,
      stderr,
    }),
    (error: unknown) => ({ how: String(error), stderr }),
  );
  return {
    output: createLineReader(child.stdout),
    write: (...parts) => {
      for (const part of parts) child.stdin.write(part);
    },
    exited,
    rssBytes: () => (child.pid === undefined ? Promise.resolve(0) : residentBytes(child.pid)),
    kill: () => {
      // What it still says is of no interest, so nobody waits for it either.
      child.stdout.destroy();
      if (child.pid !== undefined && child.exitCode === null) killChildren(child.pid);
      child.kill('SIGKILL');
    },
  };
}

/** No permission to write, to start programs or threads, or to load native code is given, so none is there. */
function nodeArguments({ script, config, readable, wasmPages }: ContainedCommand): string[] {
  return [
    '--permission',
    ...[script, ...readable].map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    `--wasm-max-mem-pages=${wasmPages}`,
    `--max-old-space-size=${OLD_SPACE_MB}`,
    '--no-warnings',
    script,
    JSON.stringify(config),
  ];
}
