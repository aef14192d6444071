import { complexityFromQuery } from '@pothos/plugin-complexity';
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * Highest cost of an operation: each field counts 1, or what it reads (`schema/read-costs.ts`), times the assumed length of
 * the lists around it.
 */
export const COST_LIMIT = 50_000;

/** The cost of an operation, by its context. */
const costs = new WeakMap<object, number>();

/** What an operation costs that {@link useCostLimit} let through. */
export const costOf = (context: object): number => costs.get(context) ?? 0;

type Operation = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: unknown;
};

/**
 * Refuses operations that would resolve too many fields. It runs before execution and not as a validation rule, because
 * page sizes are often variables and validation is cached by document.
 */
export function useCostLimit(limit: number): Plugin {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const cost = measured(args);
      costs.set(args.contextValue as object, cost);
      if (cost > limit) setResultAndStopExecution({ errors: [tooLarge(cost, limit)] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const cost = measured(args);
      if (cost > limit) setResultAndStopExecution({ errors: [tooLarge(cost, limit)] });
    },
  };
}

function tooLarge(cost: number, limit: number): GraphQLError {
  return new GraphQLError(
    `this operation costs ${cost}, counting each field and what it reads; at most ${limit} are allowed: request fewer fields or smaller pages, or send several operations`,
    { extensions: { code: 'QUERY_TOO_LARGE' } },
  );
}

/** 0 for variables that do not fit their types: execution reports them. */
function measured({ schema, document, operationName, variableValues }: Operation): number {
  const chosen: DocumentNode = {
    ...document,
    definitions: document.definitions.filter(
      (definition) =>
        definition.kind !== Kind.OPERATION_DEFINITION ||
        operationName === undefined ||
        operationName === null ||
        definition.name?.value === operationName,
    ),
  };
  try {
    const variables = variableValues as Record<string, unknown> | undefined;
    return complexityFromQuery(chosen, { schema, ...(variables !== undefined && { variables }) }).complexity;
  } catch (error) {
    if (error instanceof GraphQLError) return 0;
    throw error;
  }
}
