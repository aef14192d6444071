import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import { CalibrationAwayError, UserError } from '../../base/errors.ts';
import type { LiveSource } from '../../sources/live/live-source.ts';
import { openTurnLive, type TurnLive } from '../live/turn-live.ts';
import { openTurnWatch, type TurnWatch, type TurnWatchDeps } from '../watch/turn-watch.ts';
import { failedBefore, type AnswerTurn, type TurnRun } from './turn-run.ts';

/** What is open while a turn of any kind is answered. */
export type TurnFrame = { readonly live: TurnLive; readonly watch: TurnWatch };

/**
 * The function that answers turns by `answer`, with live source and watch open around it. What `answer` rejects with for
 * a person to act on ends the turn as failed; an abort and a bug stay rejections.
 */
export function framedAnswer(
  deps: TurnWatchDeps & { readonly live: LiveSource },
  answer: (run: TurnRun, frame: TurnFrame) => Promise<TurnOutcome>,
): AnswerTurn {
  return async (run) => {
    const { question, emit, signal } = run;
    const live = openTurnLive({ source: deps.live, question: question.text, emit, signal });
    const watch = openTurnWatch(deps, run.turn);
    try {
      return await answer(run, { live, watch });
    } catch (error) {
      signal.throwIfAborted();
      const isAway = error instanceof CalibrationAwayError;
      if (!isAway && !(error instanceof UserError)) throw error;
      return failedBefore(run, { code: error.code, message: error.message, retryable: isAway });
    } finally {
      live.close();
      await watch.close();
    }
  };
}
