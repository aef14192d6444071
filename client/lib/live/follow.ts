import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { RefusedError, UnauthenticatedError, type LiveStatus } from '@qpilot/client';
import { openSignIn } from '../auth/auth.ts';
import { asOperation, pageConnection } from './connection.ts';

/** The event of a subscription. */
type EventOf<Data> = Data[Exclude<keyof Data, '__typename'>];

/** What to follow, and whom to tell. */
type Following<Data, Variables> = {
  /** A subscription to a log, which takes its cursor as `$afterSeq`. */
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: Omit<Variables, 'afterSeq'>;
  /** The last event that is known already. */
  readonly after: number;
  readonly onEvent: (event: EventOf<Data>) => void;
  readonly onStatus: (status: LiveStatus) => void;
  /** The log cannot be continued from here: `NOT_FOUND`, `CURSOR_AHEAD`, or another code of the server. */
  readonly onRefused: (code: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** Follows a log for as long as a page shows it, however long the server is away. Returns at once. */
export function follow<Data extends object, Variables extends Record<string, unknown>>({
  document,
  variables,
  onEvent,
  onRefused,
  ...options
}: Following<Data, Variables>): void {
  const readAll = async (): Promise<void> => {
    const events = pageConnection().followEvents(asOperation(document), variables, {
      ...options,
      patienceMs: Infinity,
    });
    try {
      for await (const event of events) onEvent(event);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error instanceof UnauthenticatedError) openSignIn();
      onRefused(error.code);
    }
  };
  void readAll();
}
