import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createLineReader } from './line-reader.ts';
import type { LineReader } from './line-reader.ts';
import { addressSpaceBytes, killChildren, residentBytes } from './process-tree.ts';

/** A running process that nobody trusts. */
export type ContainedProcess = {
  /** Its standard output. */
  readonly output: LineReader;
  /** Sends buffers to its standard input. What a dead process does not take is dropped. */
  write(...parts: readonly (string | Uint8Array)[]): void;
  /** Resolves when it has gone, with what it last said on standard error, for a log. */
  readonly exited: Promise<{ readonly how: string; readonly stderr: string }>;
  rssBytes(): Promise<number>;
  /** Size of its address space; 0 where the system does not tell. */
  addressSpaceBytes(): Promise<number>;
  kill(): void;
};

/** What to start. What it may do is up to the program: it gets an empty environment and no open files but pipes. */
export type ContainedCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Numbers of the user and group to become, which takes root; absent to stay who we are. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** What the process can read at descriptors 3, 4 and so on. */
  readonly inputs?: readonly Uint8Array[];
};

const STDERR_CHARS = 2_000;

/** Starts a process; the caller kills it. A failure to start shows as `exited`. */
export function startContained({ file, args, cwd, user, inputs = [] }: ContainedCommand): ContainedProcess {
  const child = spawn(file, args, {
    env: {},
    cwd,
    ...user,
    stdio: ['pipe', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)],
    windowsHide: true,
  });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('a process that was asked for pipes has none');
  let said = '';
  stderr.setEncoding('latin1').on('data', (text: string) => {
    said = (said + text).slice(0, STDERR_CHARS);
  });
  // A killed process breaks its pipes; that it has gone is told by `exited`.
  for (const source of [child, ...child.stdio]) source?.on('error', () => {});
  for (const [index, bytes] of inputs.entries()) (child.stdio[3 + index] as Writable).end(bytes);
  const exited = once(child, 'exit').then(
    ([code, signal]) => ({
      how: signal ? `killed by ${String(signal)}` : `exit code ${String(code)}`,
      stderr: said,
    }),
    (error: unknown) => ({ how: String(error), stderr: said }),
  );
  const ask = (size: (pid: number) => Promise<number>) =>
    child.pid === undefined ? Promise.resolve(0) : size(child.pid);
  return {
    output: createLineReader(stdout),
    write: (...parts) => {
      for (const part of parts) stdin.write(part);
    },
    exited,
    rssBytes: () => ask(residentBytes),
    addressSpaceBytes: () => ask(addressSpaceBytes),
    kill: () => {
      // What it still says is of no interest, so nobody waits for it either.
      stdout.destroy();
      if (child.pid !== undefined && child.exitCode === null) killChildren(child.pid);
      child.kill('SIGKILL');
    },
  };
}
