import { z } from 'zod';
import type { Json, JsonObject } from '../domain/visuals.ts';
import type { Tool } from './tool.ts';

/** zod bounds every integer by the safe range; a model gains nothing from reading it. */
const SAFE_RANGE: ReadonlySet<Json> = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/**
 * The strict JSON Schema of a tool's arguments: at every depth all properties required and none additional, no
 * defaults (they are applied here, not sent), optional ones nullable.
 * @throws Error for a definition that strict mode cannot express: a mistake in the tool, found at start.
 */
export function strictSchema(tool: Pick<Tool, 'name' | 'args'>): JsonObject {
  // zod returns JSON; its type is only looser.
  const schema = z.toJSONSchema(tool.args, { io: 'input', target: 'draft-7' }) as JsonObject;
  return strict(schema, tool.name) as JsonObject;
}

function strict(node: Json, path: string): Json {
  if (isList(node)) return node.map((item, index) => strict(item, `${path}[${index}]`));
  if (typeof node !== 'object' || node === null) return node;
  const nullable = nullableType(node);
  if (nullable !== null) return strict(nullable, path);
  const kept = Object.entries(node).filter(([key, value]) => !isNoise(key, value));
  const schema = Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'properties' ? each(value, path) : strict(value, `${path}.${key}`),
    ]),
  );
  return node['type'] === 'object' ? closed(schema, path) : schema;
}

/** Property names are not keywords: a property may be called `default`. */
function each(properties: Json, path: string): Json {
  if (typeof properties !== 'object' || properties === null || isList(properties)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, strict(schema, `${path}.${name}`)]),
  );
}

/** Strict mode of OpenAI refuses a schema with lengths of strings; they are checked when the call comes. */
const NOT_IN_STRICT_MODE: ReadonlySet<string> = new Set(['minLength', 'maxLength']);

const isNoise = (key: string, value: Json): boolean =>
  key === '$schema' ||
  key === 'default' ||
  NOT_IN_STRICT_MODE.has(key) ||
  ((key === 'minimum' || key === 'maximum') && SAFE_RANGE.has(value));

function closed(schema: JsonObject, path: string): JsonObject {
  const { properties, required } = schema;
  if (typeof properties !== 'object' || properties === null) {
    throw new Error(`${path}: strict mode needs named properties; a record cannot be an argument`);
  }
  if (path.includes('.') && schema['additionalProperties'] !== false) {
    throw new Error(`${path}: use z.strictObject(); other objects pass over what they do not know`);
  }
  const missing = Object.keys(properties).filter((name) => !(isList(required) && required.includes(name)));
  if (missing.length > 0) {
    throw new Error(`${path}: ${missing.join(', ')} must be required; use nullable() instead of optional()`);
  }
  return { ...schema, required: Object.keys(properties), additionalProperties: false };
}

/** `anyOf: [{type: X, …}, {type: null}]` as `{type: [X, null], …}`: the same, in half the tokens. */
function nullableType({ anyOf, ...rest }: JsonObject): JsonObject | null {
  if (!isList(anyOf) || anyOf.length !== 2) return null;
  const [value, none] = anyOf;
  if (!isSchema(value) || !isSchema(none) || none['type'] !== 'null') return null;
  const { type } = value;
  if (typeof type !== 'string' || type === 'object' || 'enum' in value) return null;
  return { ...value, ...rest, type: [type, 'null'] };
}

const isSchema = (node: Json | undefined): node is JsonObject =>
  typeof node === 'object' && node !== null && !isList(node);
const isList = (node: Json | undefined): node is readonly Json[] => Array.isArray(node);
