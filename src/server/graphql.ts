import { createYoga } from 'graphql-yoga';
import { schema } from '../../schema/index.ts';
import type { Logger } from '../base/log.ts';
import type { RateLimits } from '../services/rate-limits.ts';
import { useClosedRequests } from './closed-requests.ts';
import { isCompilable } from './compilable.ts';
import { useEventStreams } from './event-streams.ts';
import { useFairShare, type Places } from './fair-share.ts';
import { createGraphiql, graphiqlOptions } from './graphiql.ts';
import { useHeldAnswers, type HeldAnswersOptions } from './held-answers.ts';
import type { OperationContext, TransportContext } from './operation-context.ts';
import { usePersistedDocuments, type FindDocument } from './persisted-documents.ts';
import { COST_LIMIT, useCostLimit } from './query-cost.ts';
import { QUERY_LIMITS, useQueryLimits } from './query-limits.ts';
import { newRequestId } from './request-id.ts';
import { toSafeError, useSafeErrors } from './safe-errors.ts';
import { useTracing } from './traced-requests.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import { useSubscriberScope } from './subscriber-scope.ts';

/** Where operations are served, over HTTP and over WebSocket. */
export const GRAPHQL_PATH = '/graphql';

/** Largest body of JSON, in bytes, and what a form may have beside its file. 8,000 characters fit many times over. */
const MAX_BODY_BYTES = 1_000_000;

/** Dependencies of executing operations. */
export type GraphqlDeps = {
  readonly production: boolean;
  /** Whether to compile documents: twice as fast, otherwise the same. */
  readonly jit: boolean;
  readonly log: Logger;
  readonly tracing: Tracing;
  /** Largest file of an operation sent as a form; null for operations sent as JSON. */
  readonly maxFileBytes: number | null;
  readonly heldAnswers: HeldAnswersOptions;
  /** Finds known operations on servers that only run those; null to run any. */
  readonly findDocument: FindDocument | null;
  /** What is open, shared by all engines of a server. */
  readonly places: Places;
  /** How much viewers may ask of all servers; null without sign-in. */
  readonly rates: RateLimits | null;
  /** How often the rights of subscribers are checked, in milliseconds; null without sign-in. */
  readonly recheckMs: number | null;
  readonly createContext: (transport: TransportContext) => Promise<OperationContext>;
};

/** The GraphQL engine of both transports: parsing, limits, execution, safe errors, and HTTP with SSE. */
export async function createGraphql(deps: GraphqlDeps) {
  const { production, jit, log, tracing, maxFileBytes, findDocument, createContext } = deps;
  const graphiql = createGraphiql();
  return createYoga<object, OperationContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: createContext,
    // A plugin below logs failures; yoga would log them again.
    logging: false,
    cors: false,
    multipart: maxFileBytes !== null,
    batching: false,
    landingPage: false,
    maxRequestBodySize: MAX_BODY_BYTES + (maxFileBytes ?? 0),
    graphiql: production ? false : graphiqlOptions,
    renderGraphiQL: (options) => graphiql.render(options),
    maskedErrors: { maskError: (error) => toSafeError(error, newRequestId(), log) },
    plugins: [
      graphiql.plugin,
      ...(findDocument === null ? [] : [usePersistedDocuments(findDocument)]),
      useQueryLimits(QUERY_LIMITS, { production }),
      useCostLimit(COST_LIMIT),
      useSafeErrors(log),
      useSubscriberScope(log, deps.recheckMs),
      useEventStreams(),
      ...(jit ? [await compiled(log)] : []),
      useClosedRequests(),
      // After the compiler, whose executions it saves, and the end of reads, which others may wait for.
      useHeldAnswers(deps.heldAnswers),
      useFairShare(deps.places, deps.rates, log),
      // Last, so that it measures the execution as changed by the others.
      ...(tracing.isOn ? [useTracing(tracing)] : []),
    ],
  });
}

/** The engine that {@link createGraphql} makes. */
export type Graphql = Awaited<ReturnType<typeof createGraphql>>;

/** Loaded on demand: the compiler is a large part of what a start has to read. */
async function compiled(log: Logger) {
  const { useGraphQlJit } = await import('@envelop/graphql-jit');
  return useGraphQlJit(
    {},
    {
      enableIf: ({ document }) => isCompilable(document),
      onError: ({ errors }) => log.debug({ errors }, 'a document could not be compiled'),
    },
  );
}
