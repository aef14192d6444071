import { z } from 'zod';
import { EFFORTS } from '../../domain/conversation/session.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { redactSecrets } from '../../base/redaction/redact.ts';

/** Optional text, null if absent; empty text is an error. */
export const optionalText = z
  .string()
  .min(1, 'must not be empty')
  .nullish()
  .transform((text) => text ?? null);

/** Longest message, in characters. */
export const MAX_MESSAGE_LENGTH = 8_000;

/** A user's text as it is stored: storable characters only, secrets redacted. */
export const toKeptWords = (text: string): string => redactSecrets(toStoredText(text));

/** The text of a message. */
export const messageContent = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(MAX_MESSAGE_LENGTH, `must have at most ${MAX_MESSAGE_LENGTH} characters`)
  .transform(toKeptWords);

/** The id that a client generates for a message. */
export const clientMessageId = z
  .string()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .transform(toStoredText);

/** Checks the input of a mutation. @throws InvalidInputError with the paths of GraphQL arguments. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InvalidInputError(
    parsed.error.issues.map(({ path, message }) => ({ path: ['input', ...path.map(String)], message })),
  );
}

/** How hard the model is to think about a message. */
export const messageEffort = z
  .enum(EFFORTS)
  .nullish()
  .transform((effort) => effort ?? null);
