import { format } from 'node:util';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { redactSecrets, redactValue } from './redaction/redact.ts';

/** The process's logger. It has no children: what they carry would be written with every line as it is. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>;

/**
 * Writes JSON lines without secrets, to standard output unless `destination` is given; `level` is one of pino's names or
 * `silent`. Values lose their secrets before they are written, for a line that was cut in its JSON would be none.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // Errors come as objects already, with their causes.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(this: PinoLogger, given: unknown[], method: (...args: unknown[]) => void) {
        method.apply(this, redactedArguments(given));
      },
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** What a logger was given: an error or an object, then a message with what goes into it; either may be missing. */
function redactedArguments(given: readonly unknown[]): unknown[] {
  const [first] = given;
  if (typeof first === 'string') return [redactSecrets(format(...given))];
  const fields = redactValue(first instanceof Error ? { err: first } : first);
  const [, ...words] = given;
  if (words.length > 0) return [fields, redactSecrets(format(...words))];
  return first instanceof Error ? [fields, redactSecrets(first.message)] : [fields];
}
