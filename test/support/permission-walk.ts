/** Operations that reach each field of the schema, with arguments made from its own descriptions. */
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from 'graphql';
import { v4 as uuid } from 'uuid';
import { schema } from '../../schema/index.ts';

/** Whose ids the arguments hold: by the type of the id, or by the name of the argument. */
export type Ids = (typeOrName: string) => string | undefined;

const ROOTS = { Query: 'query', Mutation: 'mutation', Subscription: 'subscription' } as const;
type Root = keyof typeof ROOTS;

/** A field on the way, within the type that has it. */
type Step = { readonly on: string; readonly field: string };

/** A way from a root field: through `node` for a type with an id. */
export type Way = { readonly root: Root; readonly steps: readonly Step[] };

/** The operation of a root field. */
export const rootOperation = (root: Root, field: string, ids: Ids): string =>
  operation({ root, steps: [{ on: root, field }] }, ids);

/** The operation along a way; of the last field only `__typename` is selected. */
export function operation({ root, steps }: Way, ids: Ids): string {
  const [first, ...rest] = steps;
  const isNode = first?.field === 'node';
  // The id tells which type it is of.
  const type = isNode ? rest[0]?.on : undefined;
  const own: Ids = (name) => (type !== undefined && name === 'id' ? ids(type) : ids(name));
  const inner = steps.toReversed().reduce((selection, { on, field }) => {
    const { args, type: of } = fieldOf(on, field);
    // Of several optional ids one is meant.
    const [, ...otherIds] = args.filter(
      (arg) => !isNonNullType(arg.type) && ID_OF.test(arg.description ?? ''),
    );
    const given = args.flatMap((arg) => {
      if (otherIds.includes(arg)) return [];
      const value = valueOf(arg, field === 'node' ? own : ids);
      return value === null ? [] : [`${arg.name}: ${value}`];
    });
    const call = `${field}${given.length > 0 ? `(${given.join(', ')})` : ''}`;
    const selected = isLeafType(getNamedType(of))
      ? ''
      : ` { ${selection === '' ? '__typename' : selection} }`;
    return on in ROOTS ? call + selected : `... on ${on} { ${call}${selected} }`;
  }, '');
  return `${ROOTS[root]} { ${inner} }`;
}

/** Shortest ways to every field of objects, and of interfaces through one of their types: from `node`, else from queries, subscriptions, and mutations at last. */
export function waysToFields(): ReadonlyMap<string, Way> {
  const ways = new Map<string, Way>();
  const seen = new Set<string>();
  const nodes = possible('Node').map(({ name }): [string, Way] => [
    name,
    { root: 'Query', steps: [{ on: 'Query', field: 'node' }] },
  ]);
  let edge: [string, Way][] = nodes;
  const spread = () => {
    while (edge.length > 0) {
      const next: [string, Way][] = [];
      for (const [name, { root, steps }] of edge) {
        if (seen.has(name)) continue;
        seen.add(name);
        for (const field of Object.keys(objectType(name).getFields())) {
          const way: Way = { root, steps: [...steps, { on: name, field }] };
          ways.set(`${name}.${field}`, way);
          next.push(...targets(name, field).map((target): [string, Way] => [target, way]));
        }
      }
      edge = next;
    }
  };
  spread();
  for (const root of ['Query', 'Subscription', 'Mutation'] as const) {
    edge = Object.keys(objectType(root).getFields()).flatMap((field) =>
      targets(root, field).map((target): [string, Way] => [target, { root, steps: [{ on: root, field }] }]),
    );
    spread();
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInterfaceType(type)) continue;
    for (const field of Object.keys(type.getFields())) {
      const way = possible(type.name).map(({ name }) => ways.get(`${name}.${field}`));
      if (way[0] !== undefined) ways.set(`${type.name}.${field}`, way[0]);
    }
  }
  return ways;
}

const objectType = (name: string): GraphQLObjectType => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no object type`);
  return type;
};

function fieldOf(on: string, name: string) {
  const field = objectType(on).getFields()[name];
  if (field === undefined) throw new Error(`${on} has no field ${name}`);
  return field;
}

const targets = (on: string, field: string): string[] =>
  possible(getNamedType(fieldOf(on, field).type).name).map(({ name }) => name);

function possible(name: string): readonly GraphQLObjectType[] {
  const type: GraphQLNamedType | undefined = schema.getType(name);
  if (isObjectType(type)) return [type];
  return isInterfaceType(type) || isUnionType(type) ? [...schema.getPossibleTypes(type)] : [];
}

/** How descriptions name the type of an id. */
const ID_OF = /\bId of (?:an?|the) (\w+)/;

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'description' | 'defaultValue'>;

/** As a literal; null leaves it out, which is done with all optional values but ids. Keys of requests are new. */
function valueOf({ name, type, description }: Input, ids: Ids): string | null {
  const ofType = ID_OF.exec(description ?? '')?.[1];
  const id = (ofType === undefined ? undefined : ids(ofType)) ?? ids(name);
  if (id !== undefined) return JSON.stringify(id);
  if (/Key$|^client\w+Id$/.test(name)) return JSON.stringify(uuid());
  return isNonNullType(type) ? literalOf(type.ofType, ids) : null;
}

function literalOf(type: GraphQLInputType, ids: Ids): string {
  if (isNonNullType(type)) return literalOf(type.ofType, ids);
  if (isListType(type)) return `[${literalOf(type.ofType, ids)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).flatMap((field) => {
      const value = valueOf(field, ids);
      return value === null ? [] : [`${field.name}: ${value}`];
    });
    return `{ ${fields.join(', ')} }`;
  }
  const literals: Readonly<Record<string, string>> = {
    Int: '1',
    Float: '1.5',
    Boolean: 'true',
    JSON: '{}',
    DateTime: '"2026-05-01T00:00:00Z"',
  };
  return literals[getNamedType(type).name] ?? '"x"';
}
