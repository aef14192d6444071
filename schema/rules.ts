/**
 * Rules beside fields, complete by construction: the schema is not built while a field that needs a rule has none.
 *
 * A field needs one if it is a query, mutation or subscription, or if its resolver takes the context, since without it there is
 * nothing to read but its parent. A field without a rule of its own has that of its type: who holds the parent may follow it.
 * Types with an id and events need a rule in any case.
 *
 * People who are not members of the project are refused before any field. So a rule for all members costs nothing; others compare
 * two roles for each call, and read nothing. Whose things are reached is the services' work, which filter by the viewer.
 */
import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import { isInterfaceType, isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { assertAllowed, isForAll, type Rule, type Standing } from '../src/domain/members/rule.ts';

type Options = { readonly rule?: Rule; readonly resolve?: unknown; readonly subscribe?: unknown };
type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Parameters of a resolver up to the context. */
const WITH_CONTEXT = 3;

/** A field that reads more than its parent. */
function readsMore(kind: string, { resolve }: Options): boolean {
  if (kind === 'Query' || kind === 'Mutation' || kind === 'Subscription') return true;
  return typeof resolve === 'function' && resolve.length >= WITH_CONTEXT;
}

/** Reads the options that `plugins.ts` declares. */
export class RulesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    const { rule } = type.pothosOptions as Options;
    return rule === undefined ? type : { ...type, extensions: { ...type.extensions, rule } };
  }

  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const options = field.pothosOptions as Options;
    const ofType = this.builder.configStore.getTypeConfig(field.parentType).pothosOptions as Options;
    const opens = readsMore(field.kind, options);
    const rule = options.rule ?? (opens ? ofType.rule : undefined);
    return { ...field, extensions: { ...field.extensions, opens, rule } };
  }

  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    return field.kind === 'Subscription' ? resolver : guarded(resolver, field);
  }

  override wrapSubscribe(
    subscribe: Resolver<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return subscribe && guarded(subscribe, field);
  }

  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    const parts = ruledParts(schema);
    const missing = namesOf(parts.filter(({ rule }) => rule === null));
    if (missing !== '') throw new Error(`these need a rule of their own or of their type: ${missing}`);
    // Nothing looks at the rule of a type where `node` or a log hands it out.
    const closed = namesOf(parts.filter(({ name, rule }) => !name.includes('.') && rule && !isForAll(rule)));
    if (closed !== '')
      throw new Error(
        `these have an id or are events, so all members must be allowed to read them: ${closed}`,
      );
    return schema;
  }
}

function guarded<Types extends SchemaTypes>(
  resolver: Resolver<Types>,
  { extensions }: PothosOutputFieldConfig<Types>,
): Resolver<Types> {
  const { rule } = (extensions ?? {}) as Options;
  if (rule === undefined || isForAll(rule)) return resolver;
  return (parent, args, context, info) => {
    assertAllowed((context as { readonly viewer: Standing }).viewer, rule);
    return resolver(parent, args, context, info);
  };
}

/** A field that opens more than its parent, or a type with an id, or an event, with its rule. */
export type Ruled = { readonly name: string; readonly rule: Rule | null };

/** Types that a field with another rule may hand out: any with an id through `node`, any event through a log. */
const SHARED: ReadonlySet<string> = new Set(['Node', 'SequencedEvent']);

/** What needs a rule: fields as `Type.field`, and types with an id and events as `Type`. */
export function ruledParts(schema: GraphQLSchema): readonly Ruled[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !(isObjectType(type) || isInterfaceType(type))) return [];
    const isShared = isObjectType(type) && type.getInterfaces().some(({ name }) => SHARED.has(name));
    const opening = Object.values(type.getFields()).filter(({ extensions }) => extensions['opens'] === true);
    return [
      ...(isShared ? [{ name: type.name, rule: ruleIn(type.extensions) }] : []),
      ...opening.map(({ name, extensions }) => ({ name: `${type.name}.${name}`, rule: ruleIn(extensions) })),
    ];
  });
}

const ruleIn = (extensions: Readonly<Record<string, unknown>>): Rule | null =>
  (extensions['rule'] as Rule | undefined) ?? null;

const namesOf = (parts: readonly Ruled[]): string => parts.map(({ name }) => name).join(', ');

/** Registered under this name. */
export const RulesPluginName = 'rules' as const;
SchemaBuilder.registerPlugin(RulesPluginName, RulesPlugin);
