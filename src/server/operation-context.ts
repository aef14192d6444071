import type { IncomingMessage } from 'node:http';
import { getOperationAST, type ExecutionArgs } from 'graphql';
import type { YogaInitialContext } from 'graphql-yoga';
import type { GraphQLContext, GraphQLServices } from '../../schema/context.ts';
import { ForbiddenError, UserError } from '../base/errors.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { TakePlace } from '../base/places.ts';
import { SignedOutError } from '../identity/identity.ts';
import { createConversationLoaders } from '../services/loaders/conversation-loaders.ts';
import { createLoaders } from '../services/loaders/loaders.ts';
import type { Caller } from '../services/members/access.ts';
import { newRequestId } from './request-id.ts';

/** The context of resolvers, with what the plugins of the server need. */
export type OperationContext = GraphQLContext & {
  /** Discards everything that {@link GraphQLContext.loaders} hold. */
  readonly renewLoaders: () => void;
  /** Identifies the log line of a masked error. */
  readonly requestId: string;
  /** Why the viewer may not go on as they began, by what is known now; null if they may. */
  readonly revoked: () => Promise<Error | null>;
  /** Fires when the client closes its request or socket; null for operations of the server's own. */
  readonly gone: AbortSignal | null;
  /** Fires the operation's signal. */
  readonly leave: () => void;
};

/** What the transports provide: yoga's request over HTTP, graphql-ws's parameters over WebSocket. */
export type TransportContext = Partial<YogaInitialContext> & {
  readonly req?: IncomingMessage;
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
  /** Fires when the WebSocket closes. */
  readonly closed?: AbortSignal | undefined;
};

/** Recognises who sends a request; rejects whom it does not know. */
export type Identify = (request: Pick<TransportContext, 'req' | 'connectionParams'>) => Promise<Caller>;

/**
 * Returns a function that makes the context of an operation; `stopping` ends all operations.
 * @throws what `identify`, `arriving` and `access.viewer` throw
 */
export function contextFactory(options: {
  readonly services: GraphQLServices;
  readonly identify: Identify;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly now: () => Date;
  readonly stopping: AbortSignal;
  /** Counts operations whose context is being made. */
  readonly arriving: TakePlace;
}): (transport: TransportContext) => Promise<OperationContext> {
  const { services, identify, addressOf, now, stopping, arriving } = options;
  return async (transport) => {
    const caller = await identify(transport);
    const leave = arriving(caller.id);
    const viewer = await services.access.viewer(caller, requestedProject(transport)).finally(leave);
    const checks: (() => Promise<void>)[] = [];
    const actor: Actor = {
      personId: viewer.id,
      personName: viewer.name,
      keyId: caller.keyId,
      address: transport.req ? addressOf(transport.req) : null,
      projectId: viewer.projectId,
    };
    const revoked = async (): Promise<Error | null> => {
      try {
        const { role } = await services.access.viewer(await identify(transport), viewer.projectId);
        if (role !== viewer.role) return new ForbiddenError('your role has changed; start again');
        for (const check of checks) await check();
        return null;
      } catch (error) {
        // While the database is away nobody's rights change.
        if (error instanceof SignedOutError || error instanceof UserError) return error;
        return null;
      }
    };
    const left = new AbortController();
    const gone = transport.request?.signal ?? transport.closed ?? null;
    const signals = [left.signal, stopping, ...(gone === null ? [] : [gone])];
    const { loaders, renew } = renewable(() => ({
      ...createLoaders(services, viewer),
      ...createConversationLoaders(services, viewer),
    }));
    return {
      viewer,
      caller,
      actor,
      services,
      now,
      loaders,
      renewLoaders: renew,
      revoked,
      endUnless: (check) => void checks.push(check),
      requestId: newRequestId(),
      signal: AbortSignal.any(signals),
      gone,
      leave: () => left.abort(),
    };
  };
}

/**
 * Loaders that are created on first use, and again after `renew`: most events of a subscription need none. Yoga
 * copies the members of a context, so a getter would not work.
 */
function renewable<Loaders extends object>(create: () => Loaders) {
  let made: Loaders | undefined;
  const loaders = new Proxy({} as Loaders, {
    get: (_target, name): unknown => Reflect.get((made ??= create()), name),
  });
  return { loaders, renew: () => void (made = undefined) };
}

/** Whether the operation that runs changes something. */
export const isMutation = ({ document, operationName }: ExecutionArgs): boolean =>
  getOperationAST(document, operationName)?.operation === 'mutation';

function requestedProject({ request, connectionParams }: TransportContext): string | null {
  const named = request?.headers.get('x-project-id') ?? connectionParams?.['projectId'];
  return typeof named === 'string' && named !== '' ? named : null;
}
