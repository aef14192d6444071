/**
 * The frame of every command in this folder: arguments go in, an exit code comes out, and mistakes of the caller are told
 * in words. What the commands do, it does not know.
 */
import { StartupError, UserError } from '../../base/errors.ts';
import { withResources, type ResourceStack } from '../../base/resource-stack.ts';

/** What a command is made of. */
export type Command = {
  /** Told below what is wrong with the arguments. */
  readonly usage: string;
  /**
   * Does the work. The signal aborts when somebody wants the command to end; a second wish ends the process at once. What
   * is opened is closed before the command ends.
   */
  readonly run: (args: readonly string[], signal: AbortSignal, resources: ResourceStack) => Promise<void>;
};

/** The arguments are none that the command takes; the message may be empty where the usage says it all. */
export class UsageError extends Error {}

/** Prints a line for people or programs to read. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a command with the arguments of this process. The process ends with 0 if it went well, with 2 for arguments that are
 * none, else with 1; a command may set another code itself. Everything that is nobody's mistake keeps its stack.
 */
export async function runCommand({ usage, run }: Command): Promise<void> {
  outliveReader();
  const leaving = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => leaving.abort());
  try {
    await withResources((resources) => run(process.argv.slice(2), leaving.signal, resources));
  } catch (error) {
    process.exitCode = 1;
    if (leaving.signal.aborted) return;
    if (isUsageError(error)) {
      process.stderr.write(error.message === '' ? `${usage}\n` : `${error.message}\n${usage}\n`);
      process.exitCode = 2;
    } else if (error instanceof UserError || error instanceof StartupError) {
      process.stderr.write(`${error.message}\n`);
    } else {
      throw error;
    }
  }
}

/** A reader such as `head` may leave before the end; the work goes on. */
function outliveReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Ours, or what `parseArgs` throws. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
