import type { SessionView } from '@qpilot/client/view';
import type { CopilotRatingFragment } from '../../../gql/graphql.ts';

/** The view after the viewer rated an answer; null: without a rating. */
export function withRating(
  view: SessionView,
  messageId: string,
  rating: CopilotRatingFragment | null,
): SessionView {
  const turn = Object.values(view.turns).find(({ answer }) => answer?.id === messageId);
  if (!turn?.answer) return view;
  const rated = { ...turn, answer: { ...turn.answer, rating } };
  return { ...view, turns: { ...view.turns, [turn.id]: rated } };
}
