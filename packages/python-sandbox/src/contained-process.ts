import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createLineReader } from './line-reader.ts';
import type { LineReader } from './line-reader.ts';
import { addressSpaceBytes, filesIn, killChildren, residentBytes } from './process-tree.ts';

/** A running, untrusted process. */
export type ContainedProcess = {
  /** Its standard output. */
  readonly output: LineReader;
  /** Writes to its standard input; writes to a dead process are dropped. */
  write(...parts: readonly (string | Uint8Array)[]): void;
  /** Resolves on exit, with the start of its standard error for the log. */
  readonly exited: Promise<{ readonly how: string; readonly stderr: string }>;
  rssBytes(): Promise<number>;
  /** Files and folders in its writable folder; 0 if unknown or without one. */
  files(): Promise<number>;
  /** Size of its address space; 0 if unknown. */
  addressSpaceBytes(): Promise<number>;
  kill(): void;
};

/** A program to start with an empty environment and no open files but pipes. */
export type ContainedCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The writable folder as it sees it, a file system of its own. */
  readonly folder?: string;
  /** User and group to switch to, which requires root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Contents of descriptors 3, 4 and so on. */
  readonly inputs?: readonly Uint8Array[];
};

const STDERR_CHARS = 2_000;

/** Starts a process; the caller kills it. A failure to start shows as `exited`. */
export function startContained({
  file,
  args,
  cwd,
  folder,
  user,
  inputs = [],
}: ContainedCommand): ContainedProcess {
  const child = spawn(file, args, {
    env: {},
    cwd,
    ...user,
    stdio: ['pipe', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)],
    windowsHide: true,
  });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the process was spawned without pipes');
  let errors = '';
  stderr.setEncoding('latin1').on('data', (text: string) => {
    errors = (errors + text).slice(0, STDERR_CHARS);
  });
  // Killing a process breaks its pipes; `exited` reports that already.
  for (const source of [child, ...child.stdio]) source?.on('error', () => {});
  for (const [index, bytes] of inputs.entries()) (child.stdio[3 + index] as Writable).end(bytes);
  const exited = once(child, 'exit').then(
    ([code, signal]) => ({
      how: signal ? `killed by ${String(signal)}` : `exit code ${String(code)}`,
      stderr: errors,
    }),
    (error: unknown) => ({ how: String(error), stderr: errors }),
  );
  const measure = (size: (pid: number) => Promise<number>) =>
    child.pid === undefined ? Promise.resolve(0) : size(child.pid);
  return {
    output: createLineReader(stdout),
    write: (...parts) => {
      for (const part of parts) stdin.write(part);
    },
    exited,
    rssBytes: () => measure(residentBytes),
    files: () => (folder === undefined ? Promise.resolve(0) : measure((pid) => filesIn(pid, folder))),
    addressSpaceBytes: () => measure(addressSpaceBytes),
    kill: () => {
      // Without this the stream would stay open until unread output is consumed.
      stdout.destroy();
      if (child.pid !== undefined && child.exitCode === null) killChildren(child.pid);
      child.kill('SIGKILL');
    },
  };
}
