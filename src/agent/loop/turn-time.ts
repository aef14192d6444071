import { TurnTimeUp } from './tool-call.ts';

export type TurnTimeLimits = {
  /** For tools and everything before the last answer. */
  readonly turnTimeoutMs: number;
  /** After that, for the last answer. */
  readonly lastAnswerMs: number;
};

/** Starts the time of a turn: first its tools are stopped, later its last answer. The caller closes it. */
export function openTurnTime({ turnTimeoutMs, lastAnswerMs }: TurnTimeLimits, signal: AbortSignal) {
  const tools = new AbortController();
  const answer = new AbortController();
  const toolTimer = setTimeout(() => tools.abort(new TurnTimeUp()), turnTimeoutMs);
  const answerTimer = setTimeout(() => answer.abort(new TurnTimeUp()), turnTimeoutMs + lastAnswerMs);
  return {
    /** Whether only the last answer is left. */
    get isUp() {
      return tools.signal.aborted;
    },
    /** Fires when the time is up, or with the turn's own signal. */
    toolSignal: AbortSignal.any([signal, tools.signal]),
    /** Fires when the last answer has had its time, or with the turn's own signal. */
    answerSignal: AbortSignal.any([signal, answer.signal]),
    close() {
      clearTimeout(toolTimer);
      clearTimeout(answerTimer);
    },
  };
}
