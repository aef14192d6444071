import type { EarlierTurn } from '../../stores/session-store.ts';

/**
 * An earlier turn as the model is reminded of it: what its calls came to stands behind its words, a line each. What the
 * calls wrote is left out, for the artifacts themselves stand in the prompt as they are now.
 */
export function withCalls(turn: EarlierTurn, calls: readonly string[]): EarlierTurn {
  if (turn.answer === null || calls.length === 0) return turn;
  const lines = calls.map((call) => `- ${call}`).join('\n');
  return { ...turn, answer: { ...turn.answer, text: `${turn.answer.text}\n\nTools used:\n${lines}` } };
}
