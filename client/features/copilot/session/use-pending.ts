import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { isOnItsWayIn, isShownAsTurn, type Pending } from '../model/pending.ts';
import type { SessionView } from '../model/session-view.ts';

/** The message that is on its way in the open conversation, null for none, and whether its turn is shown already. */
type OnItsWay = {
  readonly pending: Pending | null;
  readonly isThere: boolean;
  readonly setPending: Dispatch<SetStateAction<Pending | null>>;
};

/** Keeps a message until its turn is shown and the server has taken it, or until the reader leaves the conversation. */
export function usePending(sessionId: string | null, view: SessionView | null): OnItsWay {
  const [latest, setPending] = useState<Pending | null>(null);
  const pending = latest && isOnItsWayIn(latest, sessionId) ? latest : null;
  const isThere = pending !== null && isShownAsTurn(pending, view);
  const isOver = latest !== null && (pending === null || (isThere && pending.sent !== null));
  useEffect(() => {
    if (isOver) setPending(null);
  }, [isOver]);
  return { pending, isThere, setPending };
}
