/** Arguments as models write them: what a schema asks for, and everything that it does not. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/domain/visuals.ts';

const isList = (node: Json | undefined): node is readonly Json[] => Array.isArray(node);
const isObject = (node: Json | undefined): node is JsonObject =>
  typeof node === 'object' && node !== null && !isList(node);

/** Text as models give it: names, numbers as text, and characters that are none. */
const words = fc.oneof(
  fc.constantFrom('t1', 'Q7', '7', '0-1', 'demo-64', '', '12e3', '2026-05-20', '-1', 'NaN'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\uD800', 'a\uDFFFb', '\0', '__proto__', 'constructor'),
);

/** What fits this schema as far as its types, enumerations and limits say. */
export function fitting(schema: Json): fc.Arbitrary<unknown> {
  if (!isObject(schema)) return words;
  const { anyOf, enum: values, type, items, properties } = schema;
  if (isList(anyOf)) return fc.oneof(...anyOf.map(fitting));
  if (isList(values)) return fc.constantFrom(...values);
  const types = isList(type) ? type : [type];
  return fc.oneof(...types.map((each) => ofType(each, schema, items ?? null, properties ?? null)));
}

function ofType(
  type: Json | undefined,
  schema: JsonObject,
  items: Json,
  properties: Json,
): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 1000, minItems = 0, maxItems = 3 } = schema;
  switch (typeof type === 'string' ? type : '') {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(Number(minimum)), max: Math.floor(Number(maximum)) });
    case 'array':
      return fc.array(fitting(items), {
        minLength: Number(minItems),
        maxLength: Math.min(3, Number(maxItems)),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties as JsonObject).map(([name, each]) => [name, fitting(each)]),
        ),
      );
    default:
      return words;
  }
}

/** Values that no schema asks for where they stand. */
const misfits: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    [],
    {},
    [[[]]],
    { a: { b: [1] } },
    true,
    null,
    -1,
    1e308,
    2 ** 53 + 2,
    '7',
    '1e9',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A fitting object in which some values, or the whole, are something else. */
function misfitting(schema: JsonObject): fc.Arbitrary<unknown> {
  const names = Object.keys(schema['properties'] as JsonObject);
  const changes = fc.dictionary(fc.constantFrom(...names, 'another'), misfits, { minKeys: 1, maxKeys: 3 });
  return fc.oneof(
    fc.tuple(fitting(schema), changes).map(([args, changed]) => ({ ...(args as object), ...changed })),
    fc.array(fitting(schema), { maxLength: 2 }),
    misfits,
  );
}

/** Texts in the place of arguments, from sound to hopeless. */
export function argumentTexts(schema: JsonObject): fc.Arbitrary<string> {
  const sound = fitting(schema).map((args) => JSON.stringify(args));
  const inserted = (text: string) => sound.map((args) => args.replace('{', `{${text},`));
  const [first = 'x'] = Object.keys(schema['properties'] as JsonObject);
  return fc.oneof(
    { weight: 4, arbitrary: sound },
    { weight: 4, arbitrary: misfitting(schema).map((args) => JSON.stringify(args)) },
    fc.tuple(sound, fc.nat(300)).map(([args, length]) => args.slice(0, length)),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    inserted('"__proto__": {"polluted": true}'),
    inserted(`"${first}": 1e999, "${first}": [{}], "${first}": null`),
    inserted(`"${first}": -12345678901234567890123`),
    inserted(String.raw`"${first}": "\ud800", "\udfff": "\ud83d"`),
    fc.nat(400).map((depth) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`),
    fc.nat(20_000).map((depth) => '['.repeat(depth)),
  );
}
