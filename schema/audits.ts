/**
 * Records beside fields, complete by construction: the schema is not built while a mutation has no kind of record. Other
 * fields may have one, where reading is worth a record. An act is recorded whatever became of it, refusals included.
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { idsIn, type AuditedKind } from '../src/domain/audit/audit.ts';
import type { GraphQLContext } from './context.ts';

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Reads the options that `plugins.ts` declares. */
export class AuditsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { audit } = field.pothosOptions as { readonly audit?: AuditedKind };
    return { ...field, extensions: { ...field.extensions, audit } };
  }

  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const kind = field.extensions?.['audit'] as AuditedKind | undefined;
    if (kind === undefined) return resolver;
    return (parent, args, context, info) => {
      const { services, actor } = context as GraphQLContext;
      const act = { ...actor, kind, action: field.name, ids: idsIn(args) };
      return services.audit.perform(act, async () => resolver(parent, args, context, info));
    };
  }

  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    const missing = Object.values(schema.getMutationType()?.getFields() ?? {})
      .filter(({ extensions }) => extensions['audit'] === undefined)
      .map(({ name }) => name);
    if (missing.length > 0)
      throw new Error(`these mutations need the kind of their record (audit:): ${missing.join(', ')}`);
    return schema;
  }
}

/** Registered under this name. */
export const AuditsPluginName = 'audits' as const;
SchemaBuilder.registerPlugin(AuditsPluginName, AuditsPlugin);
