import type { SessionKind } from '../../domain/conversation/session.ts';
import type { AnswerTurn } from './turn-run.ts';

/** Who answers the turns of each kind of session. */
export type AnswersByKind = Readonly<Record<SessionKind, AnswerTurn>>;

/** Gives each turn to the answer function of its session's kind. */
export const answerByKind =
  (answers: AnswersByKind): AnswerTurn =>
  (run) =>
    answers[run.session.kind](run);
