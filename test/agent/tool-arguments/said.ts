import type { Json, JsonObject } from '../../../src/domain/visuals.ts';

const isList = (node: Json): node is readonly Json[] => Array.isArray(node);
const isObject = (node: Json): node is JsonObject =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** Everything that arguments of this schema can say: `filters[].column`, `filters[].op = "<="`, `descending = true`. */
export function sayable(schema: Json, path: string): readonly string[] {
  if (!isObject(schema)) return [];
  const { anyOf = null, enum: values = null, type = null, properties = null, items = null } = schema;
  const types = isList(type) ? type : [type];
  if (isList(anyOf)) return anyOf.flatMap((each) => sayable(each, path));
  if (isList(values)) return values.map((value) => `${path} = ${JSON.stringify(value)}`);
  if (types.includes('boolean')) return [`${path} = true`, `${path} = false`];
  if (types.includes('array')) return sayable(items, `${path}[]`);
  if (types.includes('object')) return membersOf(properties, path, sayable);
  return types.every((each) => each === 'null') ? [] : [path];
}

/** What these arguments do say. Null and an empty text stand for not given. */
export function said(value: Json, path: string): readonly string[] {
  if (value === null || value === '') return [];
  if (isList(value)) return value.flatMap((each) => said(each, `${path}[]`));
  if (isObject(value)) return membersOf(value, path, said);
  return [path, `${path} = ${JSON.stringify(value)}`];
}

const membersOf = (
  members: Json,
  path: string,
  wordsOf: (member: Json, path: string) => readonly string[],
): readonly string[] =>
  isObject(members)
    ? Object.entries(members).flatMap(([name, member]) => wordsOf(member, `${path}.${name}`))
    : [];
