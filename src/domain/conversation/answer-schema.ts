/**
 * Answers for programs: one JSON document that satisfies a JSON schema. Only keywords that are enforced are taken, so
 * none is silently ignored. The size of a schema with its references put in bounds the time of a check.
 */
import { z } from 'zod';
import { isWithinDepth } from '../../base/json-depth.ts';
import { isJsonObject, type Json, type JsonObject } from '../visuals.ts';

/** In characters of JSON. */
const MAX_LENGTH = 20_000;
/** Schemas within schemas. */
const MAX_DEPTH = 10;
/** Schemas, each as often as it is referred to. */
const MAX_SCHEMAS = 2_000;
/** Levels of lists and objects in JSON that is read at all. */
const MAX_NESTING = 100;
/** Most problems of one document that are reported to a model. */
const MAX_PROBLEMS = 10;

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const FORMATS = ['date-time', 'date', 'time', 'duration', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'];

const one = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const inner = z.union([z.boolean(), z.looseObject({})]);
const type = z.enum(TYPES);
const count = z.number().int().min(0).optional();
const limit = z.number().optional();
const note = z.string().optional();
const schemas = z.array(inner).min(1).optional();

/** Keywords that say something of values of a type, which must be named beside them. `pattern` could take any time. */
const TYPED = [
  {
    types: ['object'],
    keywords: {
      properties: z.record(z.string(), inner).optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: inner.optional(),
      minProperties: count,
      maxProperties: count,
    },
  },
  {
    types: ['array'],
    keywords: {
      items: inner.optional(),
      minItems: count,
      maxItems: count,
      uniqueItems: z.boolean().optional(),
    },
  },
  {
    types: ['string'],
    keywords: { minLength: count, maxLength: count, format: z.enum(FORMATS).optional() },
  },
  {
    types: ['number', 'integer'],
    keywords: {
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: z.number().positive().optional(),
    },
  },
] as const;

const keywordsOfSchema = z.strictObject({
  $schema: note,
  $comment: note,
  title: note,
  description: note,
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  type: z
    .union([type, z.array(type).min(1)])
    .refine((given) => !Array.isArray(given) || new Set(given).size === given.length, 'names a type twice')
    .optional(),
  enum: z.array(one).min(1).optional(),
  const: one.optional(),
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  ...TYPED[0].keywords,
  ...TYPED[1].keywords,
  ...TYPED[2].keywords,
  ...TYPED[3].keywords,
});

class SchemaProblem extends Error {}

/** The schema as a whole: references replaced by what they name. @throws SchemaProblem */
function resolved(root: JsonObject): JsonObject {
  let schemas = 0;
  const named = (ref: string, at: string): Json => {
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/u.exec(ref) ?? [];
    const { [place]: group } = root;
    const target = isJsonObject(group)
      ? group[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')]
      : undefined;
    if (target !== undefined) return target;
    throw new SchemaProblem(`${at}: $ref must be "#/$defs/NAME" of a schema there, not ${ref}`);
  };
  const walk = (given: Json, at: string, depth: number, within: readonly string[]): Json => {
    schemas += 1;
    if (schemas > MAX_SCHEMAS)
      throw new SchemaProblem(`has more than ${MAX_SCHEMAS} schemas, references put in`);
    if (depth > MAX_DEPTH) throw new SchemaProblem(`${at}: is nested more than ${MAX_DEPTH} schemas deep`);
    if (typeof given === 'boolean') return given;
    if (!isJsonObject(given)) throw new SchemaProblem(`${at}: is no schema: give an object`);
    const { $ref: ref, $defs: _defs, definitions: _definitions, ...own } = given;
    if (ref !== undefined) {
      const name = typeof ref === 'string' ? ref : JSON.stringify(ref);
      if (within.includes(name))
        throw new SchemaProblem(`${at}: ${name} refers to itself, which is not supported`);
      const beside = Object.keys(own).find((key) => !['title', 'description', '$comment'].includes(key));
      if (beside !== undefined) throw new SchemaProblem(`${at}: ${beside} cannot be combined with $ref`);
      return walk(named(name, at), at, depth, [...within, name]);
    }
    assertKeywords(own, at);
    const inside = (each: Json, name: string) => walk(each, `${at}/${name}`, depth + 1, within);
    return Object.fromEntries(
      Object.entries(own).flatMap(([key, value]): [string, Json][] => {
        // A value that a reader may assume is no value of the answer.
        if (key === 'default' || key === 'examples' || key.startsWith('$')) return [];
        if (key === 'items' || key === 'additionalProperties') return [[key, inside(value, key)]];
        if (key === 'properties' && isJsonObject(value)) {
          const each = Object.entries(value).map(([name, one]) => [name, inside(one, `${key}/${name}`)]);
          return [[key, Object.fromEntries(each) as JsonObject]];
        }
        if (['anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(value))
          return [[key, value.map((one: Json, index) => inside(one, `${key}/${index}`))]];
        return [[key, value]];
      }),
    );
  };
  return walk(root, '#', 1, []) as JsonObject;
}

function assertKeywords(schema: JsonObject, at: string): void {
  const { data, error } = keywordsOfSchema.safeParse(schema);
  if (error !== undefined) {
    const [issue] = error.issues;
    const problem =
      issue?.code === 'unrecognized_keys'
        ? `${at}: ${issue.keys.join(', ')} is not supported`
        : `${[at, ...(issue?.path ?? [])].join('/')}: ${issue?.message}`;
    throw new SchemaProblem(problem);
  }
  const { enum: choices, const: only, required = [], properties = {} } = data;
  const types: readonly string[] = [data.type ?? []].flat();
  const values = only === undefined ? choices : [only];
  for (const { types: wanted, keywords } of TYPED) {
    const used = Object.keys(keywords).find((key) => key in schema);
    if (used === undefined) continue;
    if (values !== undefined) throw new SchemaProblem(`${at}: ${used} cannot be combined with enum or const`);
    if (wanted.some((each) => types.includes(each))) continue;
    throw new SchemaProblem(`${at}: ${used} needs "type": ${wanted.map((each) => `"${each}"`).join(' or ')}`);
  }
  if (choices !== undefined && only !== undefined)
    throw new SchemaProblem(`${at}: const cannot be combined with enum`);
  const ofType = data.type === undefined ? null : validatorOf({ type: data.type });
  const foreign = values?.find((value) => ofType?.safeParse(value).success === false);
  if (foreign !== undefined)
    throw new SchemaProblem(`${at}: ${JSON.stringify(foreign)} is not of type ${types.join(' or ')}`);
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined) throw new SchemaProblem(`${at}: required ${missing} is not in properties`);
}

/** What keeps a value from being a schema of answers; null for nothing. */
export function problemOfSchema(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be a JSON schema: an object';
  if (!isWithinDepth(value, MAX_NESTING)) return `is nested more than ${MAX_DEPTH} schemas deep`;
  if (JSON.stringify(value).length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  try {
    validatorOf(resolved(value));
    return null;
  } catch (error) {
    if (error instanceof SchemaProblem || error instanceof URIError) return error.message;
    throw error;
  }
}

const validatorOf = (schema: JsonObject): z.ZodType =>
  z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { registry: z.registry() });

/** A document as a model wrote it: its JSON text, or what is wrong with it. */
export type DocumentCheck =
  | { readonly json: string }
  /** At least one. */
  | { readonly problems: readonly string[] };

/** What an answer must be. */
export type AnswerDocument = {
  /** The schema with its references put in. */
  readonly schema: JsonObject;
  readonly check: (words: string) => DocumentCheck;
};

/** For a schema without a {@link problemOfSchema}. */
export function answerDocument(given: JsonObject): AnswerDocument {
  const schema = resolved(given);
  const validator = validatorOf(schema);
  return {
    schema,
    check(words) {
      const json = withoutFence(words);
      let document: unknown;
      try {
        document = JSON.parse(json);
      } catch (error) {
        return { problems: [`it is not JSON: ${(error as Error).message}`] };
      }
      if (!isWithinDepth(document, MAX_NESTING))
        return { problems: [`it is nested more than ${MAX_NESTING} levels deep`] };
      const { error } = validator.safeParse(document);
      if (error === undefined) return { json };
      const problems = error.issues.map(({ path, message }) => `${['#', ...path].join('/')}: ${message}`);
      return { problems: problems.slice(0, MAX_PROBLEMS) };
    },
  };
}

/** The text of a document without space or a fence around it. */
function withoutFence(words: string): string {
  const text = words.trim();
  return (
    /^```(?:json)?[ \t]*\r?\n(?<inside>.*)\n[ \t]*```$/isu.exec(text)?.groups?.['inside'] ?? text
  ).trim();
}
