import { z } from 'zod';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { Db } from '../../stores/pg/database.ts';
import { renameSession as storeTitle } from '../../stores/pg/sessions.ts';
import { checkInput, toKeptWords } from './copilot-input.ts';
import type { RenameSessionInput } from './copilot-service.ts';
import { unknownSession } from './start-turn.ts';

/** Longest title, in characters. */
export const MAX_TITLE_LENGTH = 200;

const renameSessionInput = z.object({
  sessionId: z.string(),
  title: z
    .string()
    .transform((title) => toKeptWords(title.replaceAll(/\s+/gu, ' ').trim()))
    .pipe(
      z
        .string()
        .min(1, 'must not be blank')
        .max(MAX_TITLE_LENGTH, `must have at most ${MAX_TITLE_LENGTH} characters`),
    ),
});

/** Gives a conversation another title; see `CopilotService.renameSession`. */
export async function renameSession(
  { db }: { readonly db: Db },
  viewer: Viewer,
  input: RenameSessionInput,
): Promise<Session> {
  const { sessionId, title } = checkInput(renameSessionInput, input);
  const session = await storeTitle(db, viewer, sessionId, title);
  if (session === null) throw unknownSession(sessionId);
  return session;
}
