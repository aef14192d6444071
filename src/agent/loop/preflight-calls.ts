/**
 * What the server itself does before a model's first word: says something, calls tools of its own choice, and says what
 * came of it. The model gets it as an earlier round, so that what must be looked up does not depend on its mood.
 */
import type { TurnPhase } from '../../domain/conversation/session-event.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { ModelCall, ModelInput } from '../model.ts';
import type { TurnCalls } from './turn-calls.ts';

/** A preflight of a turn. Its calls count as any other; where their results are drawn, they stand between its words. */
export type Preflight = {
  readonly phase: TurnPhase;
  /** What the user is told is going on. */
  readonly status: string;
  /** Markdown, said before the calls; empty for nothing. */
  readonly words: string;
  readonly calls: readonly ModelCall[];
  /** Markdown, said after the calls, from what models read of them in the order of `calls`; empty for nothing. */
  readonly conclude: (outputs: readonly string[]) => string;
};

/** The round of the server's calls: before the model's first one. */
const SERVER_ROUND = 0;
/** Names the server where other rounds name their model's provider: to every model it is a foreign one. */
export const SERVER = 'server';

/**
 * Runs a preflight and returns what a model is to know of it, to stand behind the user's message: nothing where no tool
 * was called, since some providers take a last word of the assistant for one to be continued.
 * @throws the signal's reason
 */
export async function runPreflight(
  { phase, status, words, calls, conclude }: Preflight,
  turn: {
    readonly calls: Pick<TurnCalls, 'openRound'>;
    readonly emit: EmitActivity;
    /** Says a paragraph of the server's own. */
    readonly tell: (words: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<readonly ModelInput[]> {
  if (words !== '') turn.tell(words);
  if (calls.length === 0) return [];
  turn.emit({ type: 'status', phase, text: status });
  const round = turn.calls.openRound(SERVER_ROUND);
  for (const call of calls) round.start(call);
  const outputs = await round.outputs();
  turn.signal.throwIfAborted();
  const conclusion = conclude(outputs.flatMap((each) => (each.type === 'tool-output' ? each.output : [])));
  if (conclusion !== '') turn.tell(conclusion);
  const text = [words, conclusion].filter((part) => part !== '').join('\n\n');
  return [{ type: 'round', provider: SERVER, items: [], text, calls: round.calls }, ...outputs];
}
