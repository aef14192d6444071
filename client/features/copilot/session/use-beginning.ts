/** One turn begins at a time, also for a hurried reader of a slow page. */
import { notifications } from '@mantine/notifications';
import { activeTurnOf } from '@qpilot/client/view';
import { useCallback, useEffect, useRef } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { Outcome } from './use-copilot-actions.ts';
import type { OpenSession, SentTurn } from './use-session.ts';

/** `onSettled` gets the turn, null if it was refused; not called if the reader has left the conversation. */
type Begin = (
  act: () => Promise<Outcome<SentTurn>>,
  onSettled?: (taken: SentTurn | null) => void,
  /** Whether it may be sent while a turn runs. */
  joins?: boolean,
) => Promise<SentTurn | null>;

/** Starts a turn if none is running or starting, unless it joins that one, and shows it; notifies why if the server refuses. */
export function useBeginning(
  sessionId: string | null,
  { peek, adopt }: OpenSession,
  refuse: (reason: string) => void,
): Begin {
  const visit = useRef({ isOpen: false, isBeginning: false });
  useEffect(() => {
    const current = { isOpen: true, isBeginning: false };
    visit.current = current;
    return () => {
      current.isOpen = false;
    };
  }, [sessionId]);
  return useCallback(
    async (act, onSettled, joins = false) => {
      const { view } = peek();
      const { current } = visit;
      // A turn may already run that the reader does not see yet.
      if (current.isBeginning || (!joins && view !== null && activeTurnOf(view) !== null)) return null;
      current.isBeginning = true;
      const outcome = await act().finally(() => {
        current.isBeginning = false;
      });
      const taken = 'done' in outcome ? outcome.done : null;
      if ('refused' in outcome) refuse(outcome.refused);
      if (current.isOpen) {
        if (taken !== null) adopt(taken);
        onSettled?.(taken);
      }
      return taken;
    },
    [adopt, peek, refuse],
  );
}

/** Says why something was not done; the reason is empty where no server answered. */
export function useRefusal() {
  const { common } = useWords();
  return useCallback(
    (reason: string): void => {
      notifications.show({ color: 'red', message: reason || common.noServer });
    },
    [common],
  );
}
