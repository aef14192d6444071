import { activeTurnOf, shownTurns, type SessionView } from '@qpilot/client/view';
import { useCallback, useEffect, useMemo, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import type { Message } from '../composer/composer.tsx';
import type { Subject } from '../composer/subject-picker.tsx';
import { isOnItsWayIn, isShownAsTurn, type Pending } from '../model/pending.ts';
import type { TurnActions } from '../turn/turn-actions.ts';
import { useBeginning, useRefusal } from './use-beginning.ts';
import { useCopilotActions, type Outcome } from './use-copilot-actions.ts';
import type { OpenSession, SentTurn } from './use-session.ts';

/** What a reader asks in a conversation. */
type Asking = {
  /** Words that are on their way and not shown as a turn yet; null for none. */
  readonly pending: string | null;
  /** The conversation that began here with what was sent last; null for none. */
  readonly begunId: string | null;
  /** A message is on its way, or a turn runs: nothing can be asked. */
  readonly isBusy: boolean;
  /** A turn runs, and a message can be sent for it. */
  readonly canSteer: boolean;
  /** Resolves with whether the message was taken. */
  readonly send: (message: Message) => Promise<boolean>;
  readonly stop: () => void;
  readonly turnActions: TurnActions;
};

/** Asks in `session`; `onBegun` gets a conversation that a message began, unless the reader has left it. */
export function useAsking(
  sessionId: string | null,
  session: OpenSession,
  subject: Subject,
  onBegun: (sessionId: string) => void,
): Asking {
  const { peek, showBranch, rated } = session;
  const { view, facts } = session.state;
  const mayWrite = !facts?.sharedBy;
  const actions = useCopilotActions();
  const refuse = useRefusal();
  const begin = useBeginning(sessionId, session, refuse);
  const { pending, isThere, setPending } = usePending(sessionId, view);
  const [begunId, setBegunId] = useState<string | null>(null);

  // A message that is on its way is stopped once its turn is known.
  const isStopWanted = useRef(false);
  const stopTurn = useCallback(
    (turnId: string) =>
      void actions.stop(turnId).then((outcome) => 'refused' in outcome && refuse(outcome.refused)),
    [actions, refuse],
  );
  const stop = useCallback(() => {
    const known = peek().view;
    const turnId = (known && activeTurnOf(known)?.id) ?? pending?.sent?.turnId;
    if (turnId === undefined) isStopWanted.current = true;
    else stopTurn(turnId);
  }, [peek, pending, stopTurn]);

  const send = useCallback(
    async ({ content, images, model, effort, isForRunning = false }: Message): Promise<boolean> => {
      const place = sessionId === null ? subject : { sessionId };
      const files = images.map((file) => ({ file }));
      const input = { ...place, content, model, effort, images: files.length > 0 ? files : null };
      const steering = isForRunning ? ({ whenBusy: 'STEER' } as const) : {};
      const ask = (): Promise<Outcome<SentTurn>> => {
        const known = peek().view;
        const after = known === null ? null : (shownTurns(known).at(-1)?.id ?? null);
        isStopWanted.current = false;
        setPending({ content, from: sessionId, after, sent: null });
        return actions.send({ ...input, ...steering }, crypto.randomUUID());
      };
      const settled = (taken: SentTurn | null): void => {
        setPending((now) => now && taken && { ...now, sent: placeOf(taken) });
        if (taken === null || sessionId !== null) return;
        setBegunId(taken.session.id);
        onBegun(taken.session.id);
      };
      const sent = await begin(ask, settled, isForRunning);
      if (sent !== null && isStopWanted.current) stopTurn(sent.turn.id);
      return sent !== null;
    },
    [actions, begin, onBegun, peek, sessionId, setPending, stopTurn, subject],
  );

  const turnActions = useMemo<TurnActions>(
    () => ({
      mayWrite,
      edit: async (messageId, content) => (await begin(() => actions.edit(messageId, content))) !== null,
      retry: (turnId) => void begin(() => actions.retry(turnId)),
      dispute: (messageId, note) => void begin(() => actions.dispute(messageId, note)),
      showBranch: (turnId) => void showBranch(turnId),
      rate: (input) =>
        void actions.rate(input).then((outcome) => {
          if ('done' in outcome) rated(input.messageId, outcome.done);
          else refuse(outcome.refused);
        }),
    }),
    [actions, begin, mayWrite, rated, refuse, showBranch],
  );
  return {
    pending: isThere ? null : (pending?.content ?? null),
    begunId,
    isBusy: pending !== null || (view !== null && activeTurnOf(view) !== null),
    canSteer: pending === null && view !== null && activeTurnOf(view) !== null,
    send,
    stop,
    turnActions,
  };
}

const placeOf = ({ session, turn }: SentTurn) => ({ sessionId: session.id, turnId: turn.id });

/** The message that is on its way in the open conversation, null for none, and whether its turn is shown already. */
type OnItsWay = {
  readonly pending: Pending | null;
  readonly isThere: boolean;
  readonly setPending: Dispatch<SetStateAction<Pending | null>>;
};

/** Keeps a message until its turn is shown and the server has taken it, or until the reader leaves the conversation. */
function usePending(sessionId: string | null, view: SessionView | null): OnItsWay {
  const [latest, setPending] = useState<Pending | null>(null);
  const pending = latest && isOnItsWayIn(latest, sessionId) ? latest : null;
  const isThere = pending !== null && isShownAsTurn(pending, view);
  const isOver = latest !== null && (pending === null || (isThere && pending.sent !== null));
  useEffect(() => {
    if (isOver) setPending(null);
  }, [isOver]);
  return { pending, isThere, setPending };
}
