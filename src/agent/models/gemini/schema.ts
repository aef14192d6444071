/** JSON Schema as the subset that Gemini reads (ai.google.dev/api/caching#Schema). What it does not know is left out. */
import type { Json, JsonObject } from '../../../domain/visuals.ts';

const KEPT: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'items',
  'properties',
  'required',
  'anyOf',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'pattern',
]);

/** Null for an object without properties, which Gemini refuses as the parameters of a function. */
export const geminiParameters = (schema: JsonObject): JsonObject | null =>
  isOpen(schema) ? null : geminiSchema(schema);

const isOpen = ({ properties }: JsonObject): boolean =>
  !isObject(properties) || Object.keys(properties).length === 0;

/**
 * Whether an object in the schema leaves its properties open, which is nothing in Google's subset. Then it goes as it is,
 * in the field beside that takes all of JSON Schema.
 */
export const hasOpenObject = (value: Json | undefined): boolean => {
  if (isList(value)) return value.some(hasOpenObject);
  if (!isObject(value)) return false;
  return (
    ([value['type']].flat().includes('object') && isOpen(value)) || Object.values(value).some(hasOpenObject)
  );
};

export function geminiSchema(schema: JsonObject): JsonObject {
  const { type, enum: choices, const: only, oneOf, anyOf = oneOf, ...rest } = schema;
  const kept = Object.fromEntries(
    Object.entries(rest).flatMap(([key, value]) => (KEPT.has(key) ? [[key, converted(key, value)]] : [])),
  );
  return {
    ...kept,
    ...typeOf(type),
    ...enumOf(only === undefined ? choices : [only]),
    ...alternatives(anyOf),
  };
}

function converted(key: string, value: Json | undefined): Json {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isObject(each) ? geminiSchema(each) : each]),
    );
  }
  return key === 'items' && isObject(value) ? geminiSchema(value) : (value ?? null);
}

/** `[X, null]` is X that may be null; of several types the first alternative each. */
function typeOf(type: Json | undefined): JsonObject {
  if (!isList(type)) return type === undefined ? {} : { type };
  const named = type.filter((each) => each !== 'null');
  const nullable = named.length < type.length ? { nullable: true } : {};
  const [first] = named;
  if (named.length > 1) return { anyOf: named.map((each) => ({ type: each })), ...nullable };
  return { ...(first !== undefined && { type: first }), ...nullable };
}

/** Choices are texts there; other ones are left to the description. Null among them is a property of the type. */
function enumOf(choices: Json | undefined): JsonObject {
  if (!isList(choices)) return {};
  const given = choices.filter((each) => each !== null);
  const nullable = given.length < choices.length ? { nullable: true } : {};
  if (given.every((each) => typeof each === 'string')) return { enum: given, type: 'string', ...nullable };
  return nullable;
}

function alternatives(anyOf: Json | undefined): JsonObject {
  if (!isList(anyOf)) return {};
  const schemas = anyOf.filter(isObject);
  const named = schemas.filter(({ type }) => type !== 'null');
  const nullable = named.length < schemas.length ? { nullable: true } : {};
  const [only] = named;
  if (named.length === 1 && only !== undefined) return { ...geminiSchema(only), ...nullable };
  return { anyOf: named.map(geminiSchema), ...nullable };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
