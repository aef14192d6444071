import { shownTurns, type SessionView } from '@qpilot/client/view';

/** A message from the key that sends it until its turn is shown. */
export type Pending = {
  readonly content: string;
  /** The conversation that it was sent in; null where it begins one. */
  readonly from: string | null;
  /** The newest turn that was known before it; null for none. */
  readonly after: string | null;
  /** What it became; null until the server has taken it. */
  readonly sent: { readonly sessionId: string; readonly turnId: string } | null;
};

/** Whether a message is on its way in the conversation that is open. */
export const isOnItsWayIn = ({ from, sent }: Pending, sessionId: string | null): boolean =>
  sessionId === from || (sent !== null && sessionId === sent.sessionId);

/**
 * Whether its turn is there. Its event may arrive before the mutation's result: it is then the newest one
 * that has its words.
 */
export function isShownAsTurn({ content, after, sent }: Pending, view: SessionView | null): boolean {
  if (view === null) return false;
  if (sent !== null) return view.turns[sent.turnId] !== undefined;
  const newest = shownTurns(view).at(-1);
  return newest !== undefined && newest.id !== after && newest.question.text === content;
}
