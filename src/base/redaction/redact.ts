/**
 * Redacts secrets from texts and values that leave the process or are stored. Secrets are recognised by their form.
 */
import { keptOf, REDACTED, SECRET } from './secret-patterns.ts';

/** A given secret that is shorter would match ordinary words, and is not redacted. */
export const LEAST_SECRET_LENGTH = 8;

/**
 * Redacts keys of well-known services, bearer and basic credentials, passwords in addresses or after their names,
 * cookies, JWTs and PEM blocks. Idempotent.
 */
export const redactSecrets = (text: string): string =>
  text.replace(SECRET, (_secret, ...groups: (string | undefined)[]) => `${keptOf(groups)}${REDACTED}`);

/** Names of fields with secret values; not `maxTokens` or `tokenCount`. */
const SECRET_FIELD =
  /(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|authorization|cookie|connection[_-]?string|token)$/i;

/** Deeper values are dropped; nothing logged or stored on purpose is that deep. */
const MAX_DEPTH = 64;

/**
 * A redacted, JSON-compatible copy of any value: errors (with causes), maps, sets and headers become objects and
 * arrays, dates ISO text, binary data its size. Fields with a secret's name are redacted whatever they hold.
 */
export const redactValue = (value: unknown): unknown => redacted(value, []);

/**
 * Redacts a JSON value; returns the same object if it has no secrets, which its text shows faster than a walk.
 * @throws TypeError if it is not JSON.
 */
export function redactJson<Value>(value: Value): Value {
  const json = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? Number(item) : item,
  );
  if (json === undefined || redactSecrets(json) === json) return value;
  // Only strings change, so the type stays the same.
  return redactValue(value) as Value;
}

function redacted(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  return typeof value === 'object' && value !== null ? redactedObject(value, parents) : value;
}

function redactedObject(value: object, parents: readonly object[]): unknown {
  if (parents.includes(value)) return '[circular]';
  if (parents.length >= MAX_DEPTH) return '[too deep]';
  const inside = [...parents, value];
  if (value instanceof Error) return redactedFields(errorFields(value), inside);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item) => redacted(item, inside));
  if (value instanceof Map || value instanceof Headers) return redactedFields([...value.entries()], inside);
  if (hasToJson(value)) return redacted(value.toJSON(), inside);
  return redactedFields(Object.entries(value), inside);
}

const hasToJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

function redactedFields(fields: readonly (readonly [unknown, unknown])[], inside: readonly object[]): object {
  return Object.fromEntries(
    fields.map(([key, item]) => {
      const name = redactSecrets(String(key));
      return [name, isSecretField(name, item) ? REDACTED : redacted(item, inside)];
    }),
  );
}

const isSecretField = (name: string, item: unknown): boolean =>
  SECRET_FIELD.test(name) &&
  (typeof item === 'string' ? item !== '' : typeof item === 'object' && item !== null);

/** Standard and own fields of an error. */
function errorFields(error: Error): readonly (readonly [string, unknown])[] {
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  const known = {
    type: name,
    message,
    stack,
    ...(cause !== undefined && { cause }),
    ...(errors && { errors }),
  };
  return Object.entries(Object.assign({}, error, known));
}
