import { complexityFromQuery } from '@pothos/plugin-complexity';
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphQLContext } from '../../schema/context.ts';
import type { ListSizes } from '../services/calibration/project-sizes.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Highest cost of an operation: each field counts a half, or what it reads (`schema/read-costs.ts`), times the length of the
 * lists around it.
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
 * page sizes are often variables and validation is cached by document. What is too large by assumed lengths of lists is
 * costed again by what the project really holds.
 */
export function useCostLimit(limit: number): Plugin<Pick<OperationContext, 'services' | 'viewer'>> {
  type Hook = {
    readonly args: Operation & { readonly contextValue: Pick<OperationContext, 'services' | 'viewer'> };
    readonly setResultAndStopExecution: (result: { readonly errors: readonly GraphQLError[] }) => void;
  };
  const check = ({ args, setResultAndStopExecution }: Hook): void | Promise<void> => {
    const { services, viewer } = args.contextValue;
    const assumed = measured(args, {});
    costs.set(args.contextValue, assumed);
    if (assumed <= limit) return;
    return services.projectSizes(viewer.projectId).then(({ all, largest }) => {
      const under = (sizes: ListSizes): number => measured(args, { sizes });
      // Under `chips` the whole project is read, and elsewhere one chip, which may be the one where that is the most.
      const ofOne = [all, ...largest].map((chip) => under({ ...chip, chips: 0 }));
      const cost = Math.ceil(under(all) - under({ ...all, chips: 0 }) + Math.max(...ofOne));
      costs.set(args.contextValue, cost);
      if (cost > limit) setResultAndStopExecution({ errors: [tooLarge(cost, limit)] });
    });
  };
  return { onExecute: check, onSubscribe: check };
}

function tooLarge(cost: number, limit: number): GraphQLError {
  return new GraphQLError(
    `this operation costs ${cost}, counting each field and what it reads; at most ${limit} are allowed: request fewer fields or smaller pages, or send several operations`,
    { extensions: { code: 'QUERY_TOO_LARGE' } },
  );
}

/** 0 for variables that do not fit their types: execution reports them. */
function measured(
  { schema, document, operationName, variableValues }: Operation,
  ctx: Pick<GraphQLContext, 'sizes'>,
): number {
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
    const options = { schema, ctx, ...(variables !== undefined && { variables }) };
    return complexityFromQuery(chosen, options).complexity;
  } catch (error) {
    if (error instanceof GraphQLError) return 0;
    throw error;
  }
}
