import { useCallback, useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { z } from 'zod';
import { CopilotRatingOfDocument, type CopilotRatingFragment } from '../../../gql/graphql.ts';
import { withRating } from '../model/rating.ts';
import { withView, type SessionStore } from './session-store.ts';

/** Between the tabs of a browser; carries only which answer was rated. */
const CHANNEL = 'qpilot.rated';

const messageIdSchema = z.string();

/**
 * Keeps the viewer's ratings, which are not in the log: what is rated here is shown and sent to the other
 * tabs, and what is rated there is read again.
 */
export function useSharedRatings(
  store: SessionStore,
): (messageId: string, rating: CopilotRatingFragment | null) => void {
  const client = useClient();
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const open = new BroadcastChannel(CHANNEL);
    channel.current = open;
    open.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const { data: messageId } = messageIdSchema.safeParse(data);
      if (messageId === undefined || !showsAnswer(store, messageId)) return;
      const asked = client.query(CopilotRatingOfDocument, { messageId }, { requestPolicy: 'network-only' });
      void asked.toPromise().then(({ data: read }) => {
        if (read?.node && 'rating' in read.node) {
          const rating = read.node.rating ?? null;
          store.update(withView((view) => withRating(view, messageId, rating)));
        }
      });
    });
    return () => {
      channel.current = null;
      open.close();
    };
  }, [client, store]);
  return useCallback(
    (messageId, rating) => {
      store.update(withView((view) => withRating(view, messageId, rating)));
      channel.current?.postMessage(messageId);
    },
    [store],
  );
}

const showsAnswer = (store: SessionStore, messageId: string): boolean =>
  Object.values(store.peek().view?.turns ?? {}).some(({ answer }) => answer?.id === messageId);
