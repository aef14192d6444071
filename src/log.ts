import { pino, type Logger as PinoLogger } from 'pino';

/** The process's logger; children carry request, session and turn ids. */
export type Logger = PinoLogger;

/** Fields that never reach a log line, wherever a logged object carries them. */
const REDACTED_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'apiKey',
  'api_key',
  'token',
  'connectionString',
];

/** Text inside messages that looks like a secret: bearer tokens, provider keys, credentials in addresses, PEM bodies. */
const SECRET_TEXT =
  /(bearer\s+)[\w.~+/=-]{8,}|\bsk-[\w-]{8,}|(\w+:\/\/[^\s:/@]*:)[^\s@]+(?=@)|-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----/gi;

/** Replaces what looks like a secret; used for log lines and for texts that reach people. */
export function redactSecrets(text: string): string {
  return text.replace(
    SECRET_TEXT,
    (_match, bearer?: string, address?: string) => `${bearer ?? address ?? ''}[redacted]`,
  );
}

/** Writes JSON lines to standard output; `level` is one of pino's names or `silent`. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: {
      paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
    hooks: { streamWrite: redactSecrets },
  });
}
