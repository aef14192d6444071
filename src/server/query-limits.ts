import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  validate,
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Limits on the size of a document. All are far above what clients send. */
export type QueryLimits = {
  readonly tokens: number;
  /** Nesting of fields. The introspection query of common tools needs 13. */
  readonly depth: number;
  /** Fields with an alias in the whole document, `__typename` included. */
  readonly aliases: number;
  /** Uses of directives in the whole document. */
  readonly directives: number;
};

/** The limits in production. */
export const QUERY_LIMITS: QueryLimits = { tokens: 4_000, depth: 15, aliases: 60, directives: 60 };

/**
 * Refuses oversized documents before execution. With `production` it also refuses introspection, and errors suggest no
 * names.
 */
export function useQueryLimits(limits: QueryLimits, { production }: { production: boolean }): Plugin {
  return {
    onParse({ setParseFn }) {
      const parseFn: typeof parse = (source, options) =>
        parse(source, { ...options, maxTokens: limits.tokens });
      setParseFn(parseFn);
    },
    onValidate({ addValidationRule, setValidationFn }) {
      for (const rule of [depthRule(limits), countRule(limits)]) addValidationRule(rule);
      if (!production) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn(validateWithoutSuggestions);
    },
  };
}

const validateWithoutSuggestions = (
  schema: GraphQLSchema,
  document: DocumentNode,
  rules?: readonly ValidationRule[],
) => validate(schema, document, rules, { hideSuggestions: true });

const depthRule = ({ depth: limit }: QueryLimits) =>
  function DepthLimitRule(context: ValidationContext): ASTVisitor {
    const measure = depthMeter(context.getDocument());
    return {
      OperationDefinition(operation) {
        const depth = measure(operation.selectionSet);
        if (depth > limit) {
          const message = `fields are nested ${depth} deep; at most ${limit} levels are allowed`;
          context.reportError(new GraphQLError(message, { nodes: operation, extensions: TOO_LARGE }));
        }
      },
    };
  };

const countRule = (limits: QueryLimits) =>
  function CountLimitRule(context: ValidationContext): ASTVisitor {
    let aliases = 0;
    let directives = 0;
    return {
      Field(field) {
        if (field.alias !== undefined) aliases += 1;
      },
      Directive() {
        directives += 1;
      },
      Document: {
        leave(document) {
          for (const [word, count, limit] of [
            ['aliases', aliases, limits.aliases],
            ['directives', directives, limits.directives],
          ] as const) {
            if (count <= limit) continue;
            const message = `the document has ${count} ${word}; at most ${limit} are allowed`;
            context.reportError(new GraphQLError(message, { nodes: document, extensions: TOO_LARGE }));
          }
        },
      },
    };
  };

const TOO_LARGE = { code: 'QUERY_TOO_LARGE' };

/** Measures nesting through fragments. A cyclic spread counts as 0: another rule refuses it. */
function depthMeter(document: DocumentNode): (selectionSet: SelectionSetNode) => number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<SelectionSetNode, number>();
  const measure = (set: SelectionSetNode | undefined): number => {
    if (set === undefined) return 0;
    const before = known.get(set);
    if (before !== undefined) return before;
    known.set(set, 0);
    const depths = set.selections.map((selection) => {
      if (selection.kind === Kind.FIELD) return 1 + measure(selection.selectionSet);
      if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet);
      return measure(fragments.get(selection.name.value)?.selectionSet);
    });
    const depth = Math.max(0, ...depths);
    known.set(set, depth);
    return depth;
  };
  return measure;
}
