/** Runs a command-line command: parses nothing itself, maps errors to messages and exit codes, handles signals. */
import { StartupError, UserError } from '../../base/errors.ts';
import { withResources, type ResourceStack } from '../../base/resource-stack.ts';

/** A command of this folder. */
export type Command = {
  /** Printed after a usage error, and for `--help`. */
  readonly usage: string;
  /**
   * Does the work. `signal` aborts on the first SIGTERM or SIGINT; a second one kills the process. `resources` are
   * closed before the command ends.
   */
  readonly run: (args: readonly string[], signal: AbortSignal, resources: ResourceStack) => Promise<void>;
};

/** Invalid arguments. The message may be empty if the usage text is enough. */
export class UsageError extends Error {}

/** Prints a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a command with the arguments of this process. Exit codes: 0 for success, 2 for invalid arguments, 1 for other
 * failures, unless the command sets its own. Unexpected errors are rethrown with their stack.
 */
export async function runCommand({ usage, run }: Command): Promise<void> {
  outliveReader();
  const args = process.argv.slice(2);
  if (asksForHelp(args)) return print(usage);
  const leaving = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => leaving.abort());
  try {
    await withResources((resources) => run(args, leaving.signal, resources));
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

/** What follows `--` is no option. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

/** A reader such as `head` may close the pipe early; the command carries on. */
function outliveReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Our own, or thrown by `parseArgs`. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
