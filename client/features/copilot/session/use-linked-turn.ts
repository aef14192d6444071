import { shownTurns } from '@qpilot/client/view';
import { useEffect, useRef, useState } from 'react';
import type { OpenSession } from './use-session.ts';

/**
 * Brings a turn into the conversation that an address leads to, whatever branch it is in and however long ago it was.
 * Returns the turn that shows it once it is there: a message that joined another turn is shown within that one.
 */
export function useLinkedTurn(turnId: string | null, session: OpenSession): string | null {
  const { showBranch, loadOlder } = session;
  const { view } = session.state;
  const turn = turnId === null ? undefined : view?.turns[turnId];
  const shownId = turn?.status === 'JOINED' ? turn.joinsId : turnId;
  const isShown = view !== null && shownTurns(view).some(({ id }) => id === shownId);
  const asking = useRef<string | null>(null);
  /** Whose branch was read: from then on only what is older is missing. */
  const [asked, setAsked] = useState<string | null>(null);
  const olderCursor = view?.olderCursor ?? null;
  const first = view?.branch[0] ?? null;
  useEffect(() => {
    if (turnId === null || isShown || first === null) return;
    if (asked !== turnId) {
      if (asking.current === turnId) return;
      asking.current = turnId;
      void showBranch(turnId).then(() => setAsked(turnId));
    } else if (olderCursor !== null) loadOlder();
  }, [turnId, asked, isShown, first, olderCursor, showBranch, loadOlder]);
  return isShown ? shownId : null;
}
