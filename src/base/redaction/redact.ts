/**
 * Takes secrets out of what leaves the process or is kept: texts, and values of any shape. It finds what looks like a
 * secret, so it must be told of none; it must know nothing of logs, events or models.
 */
import { keptOf, REDACTED, SECRET } from './secret-patterns.ts';

/**
 * `text` without what looks like a secret: keys of well-known services, bearer and basic credentials, passwords in
 * addresses and behind their names, cookies, JWTs, PEM blocks. Doing it again changes nothing.
 */
export const redactSecrets = (text: string): string =>
  text.replace(SECRET, (_secret, ...groups: (string | undefined)[]) => `${keptOf(groups)}${REDACTED}`);

/** A field whose text is a secret, whatever it looks like; `maxTokens` and `tokenCount` are none. */
const SECRET_FIELD =
  /(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|authorization|cookie|connection[_-]?string|token)$/i;

/** Deeper values are left out; nothing that is logged or kept on purpose is. */
const MAX_DEPTH = 64;

/**
 * A copy of any value without secrets, made of what JSON has: errors with their causes, maps, sets and headers become
 * objects and lists, times ISO text, bytes their number. Fields with the name of a secret lose their text.
 */
export const redactValue = (value: unknown): unknown => redacted(value, []);

/**
 * A value made of JSON, without secrets: the same where there is none, which its text tells faster than a walk over it.
 * @throws TypeError where it is no JSON.
 */
export function redactJson<Value>(value: Value): Value {
  const json = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? Number(item) : item,
  );
  if (json === undefined || redactSecrets(json) === json) return value;
  // Only texts become others, so it stays what it was.
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

/** What is not listed among an error's own fields, and what is. */
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
