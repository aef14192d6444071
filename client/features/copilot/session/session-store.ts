import type { LiveStatus } from '@qpilot/client';
import { createFrameStore, type FrameStore, type SessionView } from '@qpilot/client/view';
import type { StoredSession } from '../model/restore-session.ts';

/** What is known about a conversation besides its turns. */
export type SessionFacts = Pick<StoredSession, 'title' | 'qid' | 'taskId' | 'chip' | 'sharedBy'>;

/** A conversation as a page holds it. */
export type SessionState = {
  /** Null until it is loaded. */
  readonly view: SessionView | null;
  readonly facts: SessionFacts | null;
  readonly live: LiveStatus;
  /** It does not exist, or belongs to somebody else. */
  readonly isGone: boolean;
};

/** Holds a conversation for the components that show it. */
export type SessionStore = FrameStore<SessionState>;

const NOTHING: SessionState = { view: null, facts: null, live: 'connecting', isGone: false };

/** Makes an empty one. */
export const createSessionStore = (): SessionStore => createFrameStore(NOTHING);

/** Changes the view, if there is one. */
export const withView =
  (change: (view: SessionView) => SessionView) =>
  (state: SessionState): SessionState =>
    state.view === null ? state : { ...state, view: change(state.view) };
