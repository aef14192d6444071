import { applyEvent, EMPTY_SESSION, withSentTurn, type TurnPlace } from '@qpilot/client/view';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useClient, type Client, type CombinedError } from 'urql';
import {
  CopilotEventsDocument,
  CopilotSessionDocument,
  type CopilotRatingFragment,
  type CopilotSessionQueryVariables,
} from '../../../gql/graphql.ts';
import { follow } from '../../../lib/live/follow.ts';
import { restoreSession, withBranch, withOlder, type StoredSession } from '../model/restore-session.ts';
import { createSessionStore, withView, type SessionState, type SessionStore } from './session-store.ts';
import { useSharedRatings } from './use-shared-ratings.ts';

/** Turns that are read at once. */
const PAGE_TURNS = 15;

/** A turn that a mutation of this page began. */
export type SentTurn = {
  readonly session: { readonly id: string };
  readonly turn: TurnPlace;
  readonly lastSeq: number;
};

/** A conversation, followed while the component is there. */
export type OpenSession = {
  readonly state: SessionState;
  /** What is known already and drawn with the next picture. */
  readonly peek: () => SessionState;
  readonly error: CombinedError | null;
  readonly reload: () => void;
  readonly loadOlder: () => void;
  /** Shows the newest branch through a turn; resolves once it is read. */
  readonly showBranch: (turnId: string) => Promise<void>;
  /** Shows at once what was sent, also where it began the conversation that is opened next. */
  readonly adopt: (sent: SentTurn) => void;
  /** Shows what the viewer thinks of an answer now, here and in the other tabs. */
  readonly rated: (messageId: string, rating: CopilotRatingFragment | null) => void;
};

/** Reads a conversation and follows it; `sessionId` null is one that has not started. */
export function useSession(sessionId: string | null): OpenSession {
  const client = useClient();
  const [attempt, setAttempt] = useState(0);
  const [error, setError] = useState<CombinedError | null>(null);
  const begun = useRef<SentTurn | null>(null);
  const store = useMemo(() => {
    void [sessionId, attempt];
    return createSessionStore();
  }, [sessionId, attempt]);
  const state = useSyncExternalStore(store.subscribe, store.get);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  useEffect(() => {
    if (sessionId === null) return;
    const left = new AbortController();
    setError(null);
    const begin = (): void => followSession(store, sessionId, left.signal, reload);
    const sent = begun.current;
    if (sent?.session.id === sessionId) {
      store.update((state) => ({
        ...state,
        view: withSentTurn({ ...EMPTY_SESSION, seq: sent.lastSeq }, sent.turn),
      }));
      begun.current = null;
      begin();
    } else {
      void read(client, { id: sessionId }).then(({ stored, error: failure }) => {
        if (left.signal.aborted) return;
        if (failure) return setError(failure);
        store.update((state) => loaded(state, stored));
        if (stored) begin();
      });
    }
    return () => left.abort();
  }, [client, sessionId, store, reload]);

  const wantedBranch = useRef<string | null>(null);
  const showBranch = useCallback(
    async (turnId: string): Promise<void> => {
      if (sessionId === null) return;
      wantedBranch.current = turnId;
      const { stored } = await read(client, { id: sessionId, throughTurnId: turnId });
      // Answers may overtake each other.
      if (stored && wantedBranch.current === turnId)
        store.update(withView((view) => withBranch(view, stored)));
    },
    [client, sessionId, store],
  );
  const loadOlder = useCallback(() => {
    const after = store.get().view?.olderCursor;
    if (sessionId === null || !after) return;
    void read(client, { id: sessionId, after }).then(({ stored }) => {
      if (stored)
        store.update(withView((view) => (view.olderCursor === after ? withOlder(view, stored) : view)));
    });
  }, [client, sessionId, store]);
  const adopt = useCallback(
    (sent: SentTurn) => {
      if (sent.session.id === sessionId) store.update(withView((view) => withSentTurn(view, sent.turn)));
      else begun.current = sent;
    },
    [sessionId, store],
  );

  const rated = useSharedRatings(store);

  const isBehind = state.view?.isBehind === true;
  const newest = state.view && Object.values(state.view.turns).at(-1)?.id;
  useEffect(() => {
    if (isBehind && newest) void showBranch(newest);
  }, [isBehind, newest, showBranch]);

  return { state, peek: store.peek, error, reload, loadOlder, showBranch, adopt, rated };
}

const loaded = (state: SessionState, stored: StoredSession | null): SessionState =>
  stored === null ? { ...state, isGone: true } : { ...state, view: restoreSession(stored), facts: stored };

async function read(client: Client, variables: Omit<CopilotSessionQueryVariables, 'first'>) {
  const { data, error } = await client
    .query(CopilotSessionDocument, { ...variables, first: PAGE_TURNS }, { requestPolicy: 'network-only' })
    .toPromise();
  return { stored: data?.copilotSession ?? null, error: error ?? null };
}

function followSession(
  store: SessionStore,
  sessionId: string,
  signal: AbortSignal,
  reload: () => void,
): void {
  follow({
    document: CopilotEventsDocument,
    variables: { sessionId },
    after: store.peek().view?.seq ?? 0,
    onEvent: (event) => store.update(withView((view) => applyEvent(view, event))),
    onStatus: (live) => store.update((state) => ({ ...state, live })),
    onRefused: (code) => {
      if (code === 'CURSOR_AHEAD') reload();
      else store.update((state) => ({ ...state, isGone: code === 'NOT_FOUND' }));
    },
    signal,
  });
}
