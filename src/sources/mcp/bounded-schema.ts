/**
 * The schema of a tool's arguments as a server gives it, made small and harmless: references are resolved, since they may
 * multiply without end, and what may cost time without bounds, such as patterns, is left to the server to check. What the
 * server takes fits the small one, too. Pure.
 */
import { isRecord } from '../../domain/values/stored-values.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';

const MAX_NODES = 400;
const MAX_DEPTH = 12;
/** As JSON text. */
const MAX_CHARACTERS = 8_000;
const MAX_DESCRIPTION = 200;
const MAX_CHOICES = 100;

/** Names that every provider takes. */
const PROPERTY = /^[A-Za-z_][\w.-]{0,63}$/u;

/** What a server sent cannot be used; the message completes "its schema …". */
export class UnfitSchemaError extends Error {}

type Walk = { readonly root: Readonly<Record<string, unknown>>; nodes: number };

/** @throws UnfitSchemaError for one that is no JSON schema of an object, or larger than any tool needs. */
export function boundedSchema(given: unknown): JsonObject {
  if (!isRecord(given) || (given['type'] !== undefined && given['type'] !== 'object')) {
    throw new UnfitSchemaError('is not that of an object');
  }
  const schema = copy(given, { root: given, nodes: 0 }, 0);
  if (JSON.stringify(schema).length > MAX_CHARACTERS) {
    throw new UnfitSchemaError(`has more than ${MAX_CHARACTERS} characters`);
  }
  return { properties: {}, ...schema, type: 'object' };
}

function copy(node: unknown, walk: Walk, depth: number): JsonObject {
  if (typeof node === 'boolean') return node ? {} : { enum: [] };
  if (!isRecord(node)) throw new UnfitSchemaError('holds what is no schema');
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) throw new UnfitSchemaError(`has more than ${MAX_NODES} parts`);
  if (depth > MAX_DEPTH)
    throw new UnfitSchemaError(`is nested more than ${MAX_DEPTH} deep, or refers to itself`);
  const { $ref: ref, ...rest } = node;
  if (ref !== undefined) {
    const { description } = rest;
    const target = copy(referred(ref, walk.root), walk, depth + 1);
    return description === undefined ? target : { ...target, ...described(description) };
  }
  const kept = Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): [string, Json][] => {
      const part = keptOf(key, value, walk, depth + 1);
      return part === undefined ? [] : [[key, part]];
    }),
  );
  const { oneOf, additionalProperties, ...others } = kept;
  return {
    // Of parts that lost what tells them apart, several may fit.
    ...(oneOf !== undefined && { anyOf: oneOf }),
    ...others,
    // It speaks of properties that no dropped keyword names.
    ...(additionalProperties !== undefined && !('patternProperties' in node) && { additionalProperties }),
  };
}

function referred(ref: unknown, root: Walk['root']): unknown {
  const path = typeof ref === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/u.exec(ref) : null;
  const [, table, name] = path ?? [];
  const found = isRecord(root[table ?? '']) ? root[table ?? ''] : null;
  const target = isRecord(found) && name !== undefined ? found[name] : undefined;
  if (target === undefined)
    throw new UnfitSchemaError(`refers to ${shorten(String(ref), 60)}, which it has not`);
  return target;
}

/** What of a keyword is kept; undefined for one that is not. */
function keptOf(key: string, value: unknown, walk: Walk, depth: number): Json | undefined {
  switch (key) {
    case 'type':
    case 'const':
    case 'default':
      return plain(value);
    case 'enum':
      return choices(value);
    case 'description':
      return described(value).description;
    case 'required':
      return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return typeof value === 'number' ? value : undefined;
    case 'properties':
      return propertiesOf(value, walk, depth);
    case 'items':
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : copy(value, walk, depth);
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value) ? value.map((each) => copy(each, walk, depth)) : undefined;
    default:
      return undefined;
  }
}

function propertiesOf(value: unknown, walk: Walk, depth: number): JsonObject {
  if (!isRecord(value)) throw new UnfitSchemaError('has properties that are none');
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => {
      if (!PROPERTY.test(name) || name === '__proto__') {
        throw new UnfitSchemaError(
          `has an argument ${JSON.stringify(shorten(name, 60))}; names may have letters, digits, _, . and -`,
        );
      }
      return [name, copy(schema, walk, depth)];
    }),
  );
}

/** All of them, or undefined: a part would refuse what the server takes. */
function choices(value: unknown): Json | undefined {
  if (!Array.isArray(value) || value.length > MAX_CHOICES) return undefined;
  const kept = value.map(plain);
  return kept.every((each) => each !== undefined) ? kept : undefined;
}

/** A value of few characters, or a few of them, such as names of types; undefined for others. */
function plain(value: unknown): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return value.length <= MAX_DESCRIPTION ? value : undefined;
  if (!Array.isArray(value) || value.length > 10) return undefined;
  const kept = value.map(plain);
  return kept.every((each) => each !== undefined) ? kept : undefined;
}

const described = (value: unknown): { description?: string } =>
  typeof value === 'string' ? { description: inOneLine(value, MAX_DESCRIPTION) } : {};

/** Foreign words on one line, so that they look like no heading, list or message of a prompt. */
export const inOneLine = (text: string, length: number): string =>
  shorten(
    text
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
    length,
  );
