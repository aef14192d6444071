import type { SessionKind } from '../../domain/session.ts';
import type { AnswerTurn } from './turn-run.ts';

/** Who answers the turns of each kind of session in this process. */
export type AnswersByKind = Readonly<Partial<Record<SessionKind, AnswerTurn>>>;

/** Gives each turn to the answer function of its session's kind; a kind without one is a bug of whoever started the process. */
export const answerByKind =
  (answers: AnswersByKind): AnswerTurn =>
  (run) => {
    const answer = answers[run.session.kind];
    if (answer === undefined) throw new Error(`nobody answers turns of ${run.session.kind} sessions here`);
    return answer(run);
  };
