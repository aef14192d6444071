/**
 * Preflight calls: tool calls that the server makes before the model is asked, for lookups that must not depend on the
 * model. The model receives them as an earlier round.
 */
import type { TurnPhase } from '../../domain/conversation/session-event.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { ModelCall, ModelInput } from '../model.ts';
import type { CallEnding } from './tool-call.ts';
import type { TurnCalls } from './turn-calls.ts';

/** Preflight calls with the server's text around them. They count against the limits like any other calls. */
export type Preflight = {
  readonly phase: TurnPhase;
  /** Progress line for the user. */
  readonly status: string;
  /** Markdown shown before the calls; empty for none. */
  readonly words: string;
  readonly calls: readonly ModelCall[];
  /** Markdown shown after the calls, from how each ended, in the order of `calls`; empty for none. */
  readonly conclude: (endings: readonly CallEnding[]) => string;
};

/** The round before the model's first one. */
const SERVER_ROUND = 0;
/** Provider of the server's rounds: foreign to every model. */
export const SERVER = 'server';

/**
 * Makes the calls and returns the round to send after the user's message: nothing where there are no calls, since some
 * providers would continue an assistant message that comes last.
 * @throws the signal's reason
 */
export async function runPreflight(
  { phase, status, words, calls, conclude }: Preflight,
  turn: {
    readonly calls: Pick<TurnCalls, 'openRound'>;
    readonly emit: EmitActivity;
    readonly addParagraph: (words: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<readonly ModelInput[]> {
  if (words !== '') turn.addParagraph(words);
  if (calls.length === 0) return [];
  turn.emit({ type: 'status', phase, text: status });
  const round = turn.calls.openRound(SERVER_ROUND);
  for (const call of calls) round.start(call);
  const ended = await round.ended();
  turn.signal.throwIfAborted();
  const conclusion = conclude(ended.map(({ ending }) => ending));
  if (conclusion !== '') turn.addParagraph(conclusion);
  const text = [words, conclusion].filter((part) => part !== '').join('\n\n');
  return [
    { type: 'round', provider: SERVER, items: [], text, calls: round.calls },
    ...ended.map(({ input }) => input),
  ];
}
