import type { LiveStatus } from '../../../lib/live/follow-log.ts';
import type { StoredSession } from '../model/restore-session.ts';
import type { SessionView } from '../model/session-view.ts';

/** What is known of a conversation beside its turns. */
export type SessionFacts = Pick<StoredSession, 'title' | 'qid' | 'taskId' | 'chip'>;

/** A conversation as a page holds it. */
export type SessionState = {
  /** Null until it is loaded. */
  readonly view: SessionView | null;
  readonly facts: SessionFacts | null;
  readonly live: LiveStatus;
  /** It does not exist, or belongs to somebody else. */
  readonly isGone: boolean;
};

/** Holds a state; readers learn of changes at most once a frame, however many events come. */
export type SessionStore = {
  /** What readers were shown last. */
  readonly get: () => SessionState;
  /** What they will be shown. */
  readonly peek: () => SessionState;
  readonly update: (change: (state: SessionState) => SessionState) => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

const NOTHING: SessionState = { view: null, facts: null, live: 'connecting', isGone: false };

/** Time between two pictures where nobody looks. */
const HIDDEN_MS = 100;

/** Makes an empty one. */
export function createSessionStore(): SessionStore {
  let state = NOTHING;
  let shown = NOTHING;
  let isPlanned = false;
  const listeners = new Set<() => void>();
  const show = (): void => {
    isPlanned = false;
    shown = state;
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    peek: () => state,
    update(change) {
      state = change(state);
      if (isPlanned || state === shown) return;
      isPlanned = true;
      // A hidden page gets no frames, and still has to be right when it is looked at.
      if (document.hidden) setTimeout(show, HIDDEN_MS);
      else requestAnimationFrame(show);
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}

/** Changes the view, if there is one. */
export const withView =
  (change: (view: SessionView) => SessionView) =>
  (state: SessionState): SessionState =>
    state.view === null ? state : { ...state, view: change(state.view) };
