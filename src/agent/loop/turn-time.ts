import { TurnTimeUp } from './tool-call.ts';

/** How long a turn may take. */
export type TurnTimeLimits = {
  /** For tools and everything before the last answer. */
  readonly turnTimeoutMs: number;
  /** After that, for the last answer. */
  readonly lastAnswerMs: number;
};

/** The time of a turn: first its tools are stopped, later its last answer. */
export type TurnTime = {
  /** Whether only the last answer is left. */
  readonly isUp: boolean;
  /** Fires when the time is up, or with the turn's own signal. */
  readonly toolSignal: AbortSignal;
  /** Fires when the last answer has had its time, or with the turn's own signal. */
  readonly answerSignal: AbortSignal;
  close(): void;
};

/** Starts the clock; the caller closes it. */
export function openTurnTime({ turnTimeoutMs, lastAnswerMs }: TurnTimeLimits, signal: AbortSignal): TurnTime {
  const tools = new AbortController();
  const answer = new AbortController();
  const toolTimer = setTimeout(() => tools.abort(new TurnTimeUp()), turnTimeoutMs);
  const answerTimer = setTimeout(() => answer.abort(new TurnTimeUp()), turnTimeoutMs + lastAnswerMs);
  return {
    get isUp() {
      return tools.signal.aborted;
    },
    toolSignal: AbortSignal.any([signal, tools.signal]),
    answerSignal: AbortSignal.any([signal, answer.signal]),
    close() {
      clearTimeout(toolTimer);
      clearTimeout(answerTimer);
    },
  };
}
