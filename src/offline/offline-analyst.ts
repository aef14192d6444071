/**
 * The deterministic model that answers where none is configured, or where it is chosen by name. It goes through the
 * same loop as any model and sees only the `ModelRequest`: chats are answered by `analyst/`, phases of jobs by `jobs/`.
 */
import type { Model } from '../agent/model.ts';
import { answerQuestion } from './analyst/answer-question.ts';
import { answerPhase } from './jobs/answer-phase.ts';
import { programModel } from './shared/stream.ts';

/** Name by which the analyst is chosen. */
export const OFFLINE_ANALYST = 'offline-analyst';

export type OfflineAnalystOptions = {
  readonly now: () => Date;
  /** Milliseconds. */
  readonly wordDelayMs?: number;
};

/** The analyst as a model. */
export const createOfflineAnalyst = ({ now, wordDelayMs = 2 }: OfflineAnalystOptions): Model =>
  programModel(
    OFFLINE_ANALYST,
    wordDelayMs,
    (request) => answerPhase(request, now()) ?? answerQuestion(request, now()),
  );
