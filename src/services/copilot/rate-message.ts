import { z } from 'zod';
import { RATING_KINDS, type Message, type Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { putRating } from '../../stores/pg/ratings.ts';
import { checkInput, toKeptWords } from './copilot-input.ts';
import { ownMessage } from './own-message.ts';
import { holdSession } from './start-turn.ts';

/** Longest comment and corrected answer, in characters. */
const MAX_TEXT_LENGTH = 8_000;

const optionalWords = z
  .string()
  .trim()
  .max(MAX_TEXT_LENGTH, `must have at most ${MAX_TEXT_LENGTH} characters`)
  .nullish()
  .transform((text) => (text ? toKeptWords(text) : null));

const rateMessageInput = z.object({
  messageId: z.string(),
  rating: z.int('must be a whole number').min(1, 'must be 1 to 5').max(5, 'must be 1 to 5'),
  kind: z
    .enum(RATING_KINDS)
    .nullish()
    .transform((kind) => kind ?? null),
  comment: optionalWords,
  correctedAnswer: optionalWords,
});

/** Stores the viewer's rating of an answer, replacing an earlier one. @throws InvalidInputError, NotFoundError */
export async function rateMessage(
  { db }: { readonly db: Db },
  viewer: Viewer,
  input: z.input<typeof rateMessageInput>,
): Promise<Message> {
  const { messageId, ...rating } = checkInput(rateMessageInput, input);
  return transact(db, async (tx) => {
    const { message } = await ownMessage(tx, viewer, messageId);
    await holdSession(tx, viewer, message.sessionId);
    if (message.role !== 'ASSISTANT') {
      throw InvalidInputError.at(['input', 'messageId'], 'is a question; only answers are rated');
    }
    await putRating(tx, viewer, message.id, rating);
    return message;
  });
}
