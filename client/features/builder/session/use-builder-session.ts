import type { LiveStatus } from '@qpilot/client';
import { createFrameStore, withSentTurn, type FrameStore, type TurnPlace } from '@qpilot/client/view';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useClient, type Client, type CombinedError } from 'urql';
import {
  BuilderEventsDocument,
  BuilderSessionDocument,
  type BuilderSessionQuery,
  type BuilderStateFragment,
} from '../../../gql/graphql.ts';
import { follow } from '../../../lib/live/follow.ts';
import { applyBuilderEvent } from '../model/apply-builder-event.ts';
import {
  beginNewView,
  beginView,
  isBehind,
  withStored,
  type BuilderEvent,
  type BuilderView,
} from '../model/builder-view.ts';

/** A builder session as it was read last. */
export type StoredBuilder = NonNullable<BuilderSessionQuery['builderSession']>;

/** A builder session as a page holds it. */
export type BuilderState = {
  /** Null until it is loaded. */
  readonly view: BuilderView | null;
  readonly stored: (BuilderStateFragment & Partial<Pick<StoredBuilder, 'job' | 'expert'>>) | null;
  readonly live: LiveStatus;
  /** It does not exist, or belongs to somebody else. */
  readonly isGone: boolean;
};

/** What a mutation returned about a session. */
export type SessionUpdate = { readonly session: BuilderStateFragment; readonly turn?: TurnPlace };

/** A builder session, followed while the component is there. */
export type OpenBuilderSession = {
  readonly state: BuilderState;
  readonly error: CombinedError | null;
  /** Reads the session again. */
  readonly refresh: () => void;
  /** Applies what a mutation returned, also for a session that it started and that is opened next. */
  readonly adopt: (update: SessionUpdate) => void;
};

const NOTHING: BuilderState = { view: null, stored: null, live: 'connecting', isGone: false };

/**
 * Reads a session and follows it from its first event on: the outcome of each edit is only in the events. `sessionId`
 * null is one that has not started.
 */
export function useBuilderSession(sessionId: string | null): OpenBuilderSession {
  const client = useClient();
  const [error, setError] = useState<CombinedError | null>(null);
  const begun = useRef<SessionUpdate | null>(null);
  const store = useMemo(() => {
    void sessionId;
    return createFrameStore(NOTHING);
  }, [sessionId]);
  const state = useSyncExternalStore(store.subscribe, store.get);

  const refresh = useCallback(() => {
    if (sessionId === null) return;
    void read(client, sessionId).then(({ stored, error: failure }) => {
      if (stored) store.update((now) => withUpdate(now, { session: stored }));
      setError(failure);
    });
  }, [client, sessionId, store]);

  useEffect(() => {
    if (sessionId === null) return;
    const left = new AbortController();
    const begin = (update: SessionUpdate, view: BuilderView): void => {
      store.update((now) => withUpdate({ ...now, view: now.view ?? view }, update));
      followSession(store, sessionId, left.signal, refresh);
    };
    setError(null);
    const update = begun.current;
    begun.current = null;
    if (update?.session.id === sessionId) {
      begin(update, beginNewView(update.session));
    } else {
      void read(client, sessionId).then(({ stored, error: failure }) => {
        if (left.signal.aborted) return;
        setError(failure);
        if (stored) begin({ session: stored }, beginView(stored));
        else if (!failure) store.update((now) => ({ ...now, isGone: true }));
      });
    }
    return () => left.abort();
  }, [client, sessionId, store, refresh]);

  const adopt = useCallback(
    (update: SessionUpdate) => {
      if (update.session.id === sessionId) store.update((now) => withUpdate(now, update));
      else begun.current = update;
    },
    [sessionId, store],
  );

  const missing = state.view && isBehind(state.view) ? state.view.state.newest : null;
  useEffect(() => {
    if (missing !== null) refresh();
  }, [missing, refresh]);

  return { state, error, refresh, adopt };
}

async function read(client: Client, id: string) {
  const { data, error } = await client
    .query(BuilderSessionDocument, { id, jobId: null }, { requestPolicy: 'network-only' })
    .toPromise();
  return { stored: data?.builderSession ?? null, error: error ?? null };
}

function withUpdate(state: BuilderState, { session, turn }: SessionUpdate): BuilderState {
  const known = state.view === null ? beginView(session) : withStored(state.view, session);
  const conversation = turn ? withSentTurn(known.conversation, turn) : known.conversation;
  return { ...state, view: { ...known, conversation }, stored: { ...state.stored, ...session } };
}

/** Starting and finishing turns may change what events do not contain: edits by hand, proposals, the summary. */
const CHANGES_MORE = new Set<BuilderEvent['__typename']>(['TurnStartedEvent', 'TurnFinishedEvent']);

function followSession(
  store: FrameStore<BuilderState>,
  sessionId: string,
  signal: AbortSignal,
  refresh: () => void,
): void {
  const readSeq = store.peek().stored?.lastSeq ?? 0;
  follow({
    document: BuilderEventsDocument,
    variables: { sessionId },
    after: 0,
    onEvent: (event) => {
      store.update((state) => ({ ...state, view: state.view && applyBuilderEvent(state.view, event) }));
      if (event.seq > readSeq && CHANGES_MORE.has(event.__typename)) refresh();
    },
    onStatus: (live) => store.update((state) => ({ ...state, live })),
    onRefused: (code) => store.update((state) => ({ ...state, isGone: code === 'NOT_FOUND' })),
    signal,
  });
}
