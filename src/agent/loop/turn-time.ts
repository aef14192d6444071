import { TurnTimeUp } from './tool-call.ts';

export type TurnTimeLimits = {
  /** For tools and everything before the last answer, since the model's last sign of progress. */
  readonly turnTimeoutMs: number;
  /** For the same in all, whatever progress the model makes. */
  readonly turnCeilingMs: number;
  /** After either, for the last answer: since the last sign of progress, or after the ceiling in all. */
  readonly lastAnswerMs: number;
};

/**
 * Starts the time of a turn: first its tools are stopped, later its last answer. The caller closes it. `clock` is
 * monotonic, in milliseconds.
 */
export function openTurnTime(
  { turnTimeoutMs, turnCeilingMs, lastAnswerMs }: TurnTimeLimits,
  signal: AbortSignal,
  clock: () => number,
) {
  let startedAt = clock();
  let progressAt = startedAt;
  /** What lets the time stand still. */
  const holds = new Set<symbol>();
  let heldAt = startedAt;
  let isClosed = false;
  /** When the silence ended tool use; null before. */
  let silentAt: number | null = null;
  const tools = new AbortController();
  const answer = new AbortController();
  const endAnswer = () => answer.abort(new TurnTimeUp());
  const startSilence = () =>
    setTimeout(() => {
      silentAt = clock();
      tools.abort(new TurnTimeUp());
      silence = setTimeout(endAnswer, lastAnswerMs);
    }, turnTimeoutMs);
  const startCeiling = (ms: number) =>
    setTimeout(() => {
      tools.abort(new TurnTimeUp());
      ceiling = setTimeout(endAnswer, lastAnswerMs);
    }, ms);
  let silence = startSilence();
  let ceiling = startCeiling(turnCeilingMs);
  const release = (hold: symbol): void => {
    if (!holds.delete(hold) || holds.size > 0 || isClosed) return;
    startedAt += clock() - heldAt;
    progressAt = clock();
    silence = startSilence();
    ceiling = startCeiling(startedAt + turnCeilingMs - clock());
  };
  return {
    /** The model showed a sign of life. */
    progress: (): void => {
      progressAt = clock();
      if (holds.size === 0) silence.refresh();
    },
    /** Lets the time stand still, as while a person is asked, until what it returns is called. */
    hold: (): (() => void) => {
      const hold = Symbol('hold');
      if (tools.signal.aborted || isClosed) return () => undefined;
      if (holds.size === 0) {
        heldAt = clock();
        clearTimeout(silence);
        clearTimeout(ceiling);
      }
      holds.add(hold);
      return () => release(hold);
    },
    /** Milliseconds before the last answer ends, too, unless the model makes progress. */
    msLeft: (): number => {
      const toolsEnd = silentAt === null ? progressAt + turnTimeoutMs : Math.max(silentAt, progressAt);
      return lastAnswerMs + Math.min(toolsEnd, startedAt + turnCeilingMs) - clock();
    },
    /** Whether only the last answer is left. */
    get isUp() {
      return tools.signal.aborted;
    },
    /** Fires when the time is up, or with the turn's own signal. */
    toolSignal: AbortSignal.any([signal, tools.signal]),
    /** Fires when the last answer has had its time, or with the turn's own signal. */
    answerSignal: AbortSignal.any([signal, answer.signal]),
    close() {
      isClosed = true;
      clearTimeout(silence);
      clearTimeout(ceiling);
    },
  };
}
