import type { DocumentNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { stringifyDocument } from 'urql';
import { persistedExtensions } from '../graphql/persisted-operations.ts';
import { chosenProject } from '../graphql/project.ts';
import type { OpenLog } from './follow-log.ts';

const PING_EACH_MS = 10_000;
const PONG_WITHIN_MS = 5_000;

/** A subscription to a log: its document, and its variables for a cursor. */
export type EventsOperation<Data, Event> = {
  readonly document: DocumentNode;
  readonly variables: (afterSeq: number) => Record<string, unknown>;
  readonly eventOf: (data: Data) => Event;
};

/**
 * Opens logs over graphql-ws, each over a socket of its own that is never retried by itself, since only the follower
 * knows the cursor to continue from. A server that answers no ping is given up.
 */
export function openEvents<Data, Event>(operation: EventsOperation<Data, Event>): OpenLog<Event> {
  return (afterSeq, sink) => {
    const projectId = chosenProject();
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const client = createClient({
      url: new URL('/graphql', location.href).href.replace(/^http/, 'ws'),
      ...(projectId !== null && { connectionParams: { projectId } }),
      retryAttempts: 0,
      keepAlive: PING_EACH_MS,
      on: {
        connected: () => sink.opened(),
        ping: (isReceived) => {
          if (!isReceived) deadline = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
        },
        pong: (isReceived) => {
          if (isReceived) clearTimeout(deadline);
        },
      },
    });
    const unsubscribe = client.subscribe<Data>(
      {
        query: stringifyDocument(operation.document),
        variables: operation.variables(afterSeq),
        extensions: persistedExtensions(operation.document) ?? {},
      },
      {
        next: ({ data, errors }) => {
          if (errors) return sink.refused(codeOf(errors));
          if (data) sink.event(operation.eventOf(data));
        },
        error: (error) => {
          if (isOperationErrors(error)) sink.refused(codeOf(error));
          else sink.dropped();
        },
        complete: () => sink.dropped(),
      },
    );
    return () => {
      clearTimeout(deadline);
      unsubscribe();
      void client.dispose();
    };
  };
}

type OperationError = { readonly extensions?: Readonly<Record<string, unknown>> };

/** The socket reports operations that were refused as a list, and everything else as one error or event. */
const isOperationErrors = (error: unknown): error is readonly OperationError[] => Array.isArray(error);

function codeOf(errors: readonly OperationError[]): string {
  const code = errors[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : 'UNKNOWN';
}
