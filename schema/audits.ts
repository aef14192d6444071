/**
 * Records beside fields, complete by construction: the schema is not built while a mutation has no kind of record. Other
 * fields may have one, where reading is worth a record. An act is recorded whatever became of it, refusals included.
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { idsIn, type AuditedKind } from '../src/domain/audit/audit.ts';
import type { GraphQLContext } from './context.ts';

declare global {
  // eslint-disable-next-line typescript/no-namespace -- Pothos takes options of plugins by its own global namespace
  namespace PothosSchemaTypes {
    // eslint-disable-next-line no-unused-vars -- as declared there
    interface Plugins<Types extends SchemaTypes> {
      audits: AuditsPlugin<Types>;
    }
    interface FieldOptions {
      /** What using this field is in the audit. */
      audit?: AuditedKind;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

class AuditsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
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
