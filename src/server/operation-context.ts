import type { IncomingMessage } from 'node:http';
import type { YogaInitialContext } from 'graphql-yoga';
import type { GraphQLContext, GraphQLServices } from '../../schema/context.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import { createConversationLoaders } from '../services/loaders/conversation-loaders.ts';
import { createLoaders } from '../services/loaders/loaders.ts';
import { newRequestId } from './request-id.ts';

/** The context as the server sees it: what resolvers get, and what the plugins here need to look after it. */
export type OperationContext = GraphQLContext & {
  /** Lets {@link GraphQLContext.loaders} forget what they hold. */
  readonly renewLoaders: () => void;
  /** Tells a masked error's line in the log. */
  readonly requestId: string;
  /** Fires the operation's signal. */
  readonly leave: () => void;
};

/** What the two transports know of an operation: yoga's request over HTTP, graphql-ws's parameters over WebSocket. */
export type TransportContext = Partial<YogaInitialContext> & {
  readonly req?: IncomingMessage;
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
};

/** The viewer while there is no sign-in: whoever reaches the loopback address. */
export const localViewer = (projectId: string): Viewer => ({ id: 'local', name: 'local', projectId });

/**
 * Makes the context of an operation; `stopping` ends all operations.
 * @throws InvalidInputError, NotFoundError when the request does not say which project, or names an unknown one.
 */
export function contextFactory(options: {
  readonly services: GraphQLServices;
  readonly now: () => Date;
  readonly stopping: AbortSignal;
}): (transport: TransportContext) => Promise<OperationContext> {
  const { services, now, stopping } = options;
  return async (transport) => {
    const { projectId } = await services.projects.resolve(requestedProject(transport));
    const viewer = localViewer(projectId);
    const left = new AbortController();
    const signals = [left.signal, stopping, ...(transport.request ? [transport.request.signal] : [])];
    const { loaders, renew } = renewable(() => ({
      ...createLoaders(services, viewer),
      ...createConversationLoaders(services, viewer),
    }));
    return {
      viewer,
      services,
      now,
      loaders,
      renewLoaders: renew,
      requestId: newRequestId(),
      signal: AbortSignal.any(signals),
      leave: () => left.abort(),
    };
  };
}

/**
 * Loaders that are made when one is first asked for, and again after `renew`: most events of a subscription need none.
 * Yoga copies the members of a context, so a getter would not do.
 */
function renewable<Loaders extends object>(create: () => Loaders) {
  let made: Loaders | undefined;
  const loaders = new Proxy({} as Loaders, {
    get: (_target, name): unknown => Reflect.get((made ??= create()), name),
  });
  return { loaders, renew: () => void (made = undefined) };
}

function requestedProject({ request, connectionParams }: TransportContext): string | null {
  const named = request?.headers.get('x-project-id') ?? connectionParams?.['projectId'];
  return typeof named === 'string' && named !== '' ? named : null;
}
