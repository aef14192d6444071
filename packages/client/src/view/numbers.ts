import type { CopilotNumberFragment } from '../gql/graphql.ts';

/** A number of an answer, with where it is from. */
export type AnswerNumber = CopilotNumberFragment;

/** A piece of a text: a number of the answer, or what is between two. */
export type Piece = { readonly text: string; readonly number: AnswerNumber | null };

/**
 * Cuts a piece of an answer at its numbers; `offset` is where it begins in the text of the whole answer. A number that is
 * not there as it is written is left out.
 */
export function cutAtNumbers(
  text: string,
  offset: number,
  numbers: readonly AnswerNumber[],
): readonly Piece[] {
  const pieces: Piece[] = [];
  let read = 0;
  for (const number of numbers) {
    const at = number.offset - offset;
    if (at < read || !text.startsWith(number.text, at)) continue;
    if (at > read) pieces.push({ text: text.slice(read, at), number: null });
    pieces.push({ text: number.text, number });
    read = at + number.text.length;
  }
  if (read < text.length) pieces.push({ text: text.slice(read), number: null });
  return pieces;
}
