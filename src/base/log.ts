import { format } from 'node:util';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { forPeople } from './log-lines.ts';
import { redactSecrets, redactValue } from './redaction/redact.ts';

/** The process's logger. It has no child loggers, because their bindings would bypass redaction. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>;

/**
 * Writes redacted JSON lines to `destination`, by default standard output; a terminal gets lines for people instead.
 * `level` is a pino level or `silent`.
 * Values are redacted before serialisation, since replacing text in a finished line could break its JSON.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // Errors have already been turned into objects with their causes.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(this: PinoLogger, given: unknown[], method: (...args: unknown[]) => void) {
        method.apply(this, redactedArguments(given));
      },
    },
  };
  if (destination !== undefined) return pino(options, destination);
  const { stdout } = process;
  return stdout.isTTY
    ? pino(
        options,
        forPeople((line) => void stdout.write(line)),
      )
    : pino(options);
}

/** Redacts the arguments of a log call: an error or object, then a message with format arguments; both optional. */
function redactedArguments(given: readonly unknown[]): unknown[] {
  const [first] = given;
  if (typeof first === 'string') return [redactSecrets(format(...given))];
  const fields = redactValue(first instanceof Error ? { err: first } : first);
  const [, ...words] = given;
  if (words.length > 0) return [fields, redactSecrets(format(...words))];
  return first instanceof Error ? [fields, redactSecrets(first.message)] : [fields];
}
