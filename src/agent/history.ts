import type { EarlierTurn } from '../stores/session-store.ts';
import type { ModelInput } from './model.ts';

/** Stands for an answer that never came, so that questions and answers keep alternating. */
const NO_ANSWER = '(This question was not answered.)';

/**
 * What a model is sent of a conversation: the newest earlier turns that fit `maxCharacters`, whole, oldest first, then
 * the question, which is always sent. Answers are sent as their text, without charts; tool calls stay in their turn, so
 * that none is ever sent without its output.
 */
export function buildHistory(
  earlier: readonly EarlierTurn[],
  question: string,
  maxCharacters: number,
): readonly ModelInput[] {
  const kept: ModelInput[][] = [];
  let left = maxCharacters - question.length;
  for (const turn of earlier.toReversed()) {
    const answer = turn.answer === null || turn.answer.text === '' ? NO_ANSWER : turn.answer.text;
    left -= turn.question.text.length + answer.length;
    if (left < 0) break;
    kept.push([
      { type: 'user', text: turn.question.text },
      { type: 'assistant', text: answer },
    ]);
  }
  return [...kept.toReversed().flat(), { type: 'user', text: question }];
}
