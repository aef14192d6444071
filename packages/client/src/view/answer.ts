import { untilAnswered, type Asked, type QPilot } from '../client.ts';
import type { FollowOptions } from '../follow-log.ts';
import { applyEvent } from './apply-event.ts';
import { EMPTY_SESSION, isFinal, type SessionView, type TurnView } from './session-view.ts';

/** What is known of an answer before its first event. */
export const beginAnswer = ({ fromSeq }: Asked): SessionView => ({ ...EMPTY_SESSION, seq: fromSeq });

/** The turn that answers a question: its own, or the one that it joined. Null until the log has told of it. */
export function answerIn({ turns }: SessionView, { turnId, joinsId }: Asked): TurnView | null {
  const own = turns[turnId] ?? null;
  return own?.status === 'JOINED' && joinsId !== null ? (turns[joinsId] ?? own) : own;
}

/**
 * The view of an answer, anew after each of its events, until it is complete. `view` is where it goes on from: what was
 * seen of it last, by default nothing.
 */
export async function* viewAnswer(
  qpilot: Pick<QPilot, 'follow'>,
  asked: Asked,
  {
    view: known = beginAnswer(asked),
    ...options
  }: Omit<FollowOptions, 'after'> & { readonly view?: SessionView } = {},
): AsyncGenerator<SessionView, void, undefined> {
  let view = known;
  const turn = answerIn(view, asked);
  if (turn !== null && turn.status !== 'JOINED' && isFinal(turn)) return;
  const events = qpilot.follow(asked.sessionId, { ...options, after: view.seq });
  const turnId =
    view.turns[asked.turnId]?.status === 'JOINED' ? (asked.joinsId ?? asked.turnId) : asked.turnId;
  for await (const event of untilAnswered({ ...asked, turnId }, events, (each) =>
    each.__typename === 'TurnFinishedEvent' ? each.turnStatus : null,
  )) {
    view = applyEvent(view, event);
    yield view;
  }
}
