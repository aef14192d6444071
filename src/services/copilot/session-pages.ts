/** Pages of conversations, and of the messages and turns of one branch of a conversation. */
import { z } from 'zod';
import { MESSAGE_ROLES } from '../../domain/conversation/session.ts';
import type { Message, Session, Turn, Viewer } from '../../domain/conversation/session.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { listMessages, listTurns } from '../../stores/pg/branches.ts';
import type { Db } from '../../stores/pg/database.ts';
import type { Whose } from '../../stores/pg/ids.ts';
import { findSessions, listSessions } from '../../stores/pg/sessions.ts';
import { decodeCursor, encodeCursor, rowsToRead, toPage } from '../page-cursor.ts';
import type { Page, PageRequest } from '../page-cursor.ts';
import { MAX_TITLE_LENGTH } from './change-session.ts';
import { unknownSession } from './start-turn.ts';

type Deps = { readonly db: Db };

/** Conversations whose titles contain all words of `search`, in any case and order; all without one. */
export type SessionsRequest = PageRequest & {
  readonly whose?: Whose;
  readonly search?: string | null | undefined;
};

/** A page of the newest branch of a session, or of the newest branch through a given turn. */
export type BranchRequest = PageRequest & { readonly throughTurnId?: string | null | undefined };

const sessionPosition = z.tuple([z.number(), z.uuid()]);

/**
 * Conversations by their newest message. @throws InvalidInputError for a bad cursor or a search longer than any
 * title.
 */
export async function pageOfSessions(
  { db }: Deps,
  viewer: Viewer,
  { whose = 'own', first, after, search }: SessionsRequest,
): Promise<Page<Session>> {
  const position = decodeCursor(after, sessionPosition);
  const sessions = await listSessions(db, viewer, {
    whose,
    kind: 'COPILOT',
    words: wordsOf(search ?? ''),
    limit: rowsToRead(first),
    after: position && { updatedAt: new Date(position[0]), id: position[1] },
  });
  return toPage(sessions, first, (item) => ({
    item,
    cursor: encodeCursor([item.updatedAt.getTime(), item.id]),
  }));
}

function wordsOf(search: string): readonly string[] {
  if (search.length > MAX_TITLE_LENGTH) {
    const message = `has ${search.length} characters; no title has more than ${MAX_TITLE_LENGTH}`;
    throw InvalidInputError.at(['search'], message);
  }
  return toStoredText(search).split(/\s+/u).filter(Boolean);
}

const messagePosition = z.tuple([z.uuid(), z.enum(MESSAGE_ROLES)]);

/** Messages, newest first. @throws NotFoundError, InvalidInputError for a bad cursor. */
export async function pageOfMessages(
  { db }: Deps,
  viewer: Viewer,
  sessionId: string,
  { first, after, throughTurnId = null }: BranchRequest,
): Promise<Page<Message>> {
  const position = decodeCursor(after, messagePosition);
  const session = await readableSession(db, viewer, sessionId);
  const messages = await listMessages(db, session.id, {
    limit: rowsToRead(first),
    after: position && { turnId: position[0], role: position[1] },
    throughTurnId,
  });
  return toPage(messages, first, ({ message, position: { turnId, role } }) => ({
    item: message,
    cursor: encodeCursor([turnId, role]),
  }));
}

/** Turns, newest first, including those without an answer. Errors as {@link pageOfMessages}. */
export async function pageOfTurns(
  { db }: Deps,
  viewer: Viewer,
  sessionId: string,
  { first, after, throughTurnId = null }: BranchRequest,
): Promise<Page<Turn>> {
  const turnId = decodeCursor(after, z.uuid());
  const session = await readableSession(db, viewer, sessionId);
  const turns = await listTurns(db, session.id, {
    limit: rowsToRead(first),
    after: turnId === null ? null : { turnId },
    throughTurnId,
  });
  return toPage(turns, first, (item) => ({ item, cursor: encodeCursor(item.id) }));
}

/** A session that the viewer may read, of any kind. @throws NotFoundError */
export async function readableSession(db: Db, viewer: Viewer, sessionId: string): Promise<Session> {
  const [session] = await findSessions(db, viewer, [sessionId]);
  if (!session) throw unknownSession(sessionId);
  return session;
}
