/** Renames and deletes conversations. */
import { z } from 'zod';
import type { Session, Turn, Viewer } from '../../domain/conversation/session.ts';
import type { EventLog } from '../../events/event-log.ts';
import { untilTurnEnds } from '../../events/turn-end.ts';
import { type Db, type Tx, transact } from '../../stores/pg/database.ts';
import { TURNS_CHANNEL, notify } from '../../stores/pg/events.ts';
import { deleteSession as deleteRows, wasDeleted } from '../../stores/pg/session-delete.ts';
import { lockOwnSession, lockSession, renameSession as storeTitle } from '../../stores/pg/sessions.ts';
import { withdrawTurn } from '../../stores/pg/turn-finish.ts';
import { openTurns, requestCancel } from '../../stores/pg/turns.ts';
import type { Uploads } from '../uploads.ts';
import { checkInput, toKeptWords } from './copilot-input.ts';
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

/** Renames a conversation. @throws InvalidInputError, NotFoundError */
export async function renameSession(
  { db }: { readonly db: Db },
  viewer: Viewer,
  input: z.input<typeof renameSessionInput>,
): Promise<Session> {
  const { sessionId, title } = checkInput(renameSessionInput, input);
  const session = await storeTitle(db, viewer, sessionId, title);
  if (session === null) throw unknownSession(sessionId);
  return session;
}

export type DeleteSessionDeps = {
  readonly db: Db;
  readonly eventLog: EventLog;
  readonly uploads: Pick<Uploads, 'removeOrphaned'>;
};

/** How long a running turn may take to end; a slower one loses its session, and its process abandons it. */
const CANCEL_WAIT_MS = 3_000;

/**
 * Deletes a conversation with everything in it. A running turn is cancelled first, and its followers see it end.
 * Deleting again changes nothing.
 * @throws NotFoundError
 */
export async function deleteSession(
  deps: DeleteSessionDeps,
  viewer: Viewer,
  sessionId: string,
): Promise<void> {
  const stopped = await transact(deps.db, (tx) => stopTurns(tx, viewer, sessionId));
  if (stopped === null) {
    if (await wasDeleted(deps.db, viewer, sessionId)) return;
    throw unknownSession(sessionId);
  }
  const { running, lastSeq } = stopped;
  if (running) await untilTurnEnds(deps.eventLog, running, lastSeq, CANCEL_WAIT_MS);
  const uploadIds = await transact(deps.db, async (tx) => {
    const session = await lockSession(tx, sessionId);
    return session === null ? [] : deleteRows(tx, session); // null: another request was faster
  });
  await deps.uploads.removeOrphaned(uploadIds);
}

/** Withdraws queued turns and asks the running one to end; null for a conversation that the viewer does not have. */
async function stopTurns(
  tx: Tx,
  viewer: Viewer,
  sessionId: string,
): Promise<{ readonly running: Turn | null; readonly lastSeq: number } | null> {
  const session = await lockOwnSession(tx, viewer, sessionId);
  if (session?.kind !== 'COPILOT') return null;
  let running: Turn | null = null;
  for (const turn of await openTurns(tx, sessionId)) {
    if (turn.status === 'RUNNING') running = turn;
    else await withdrawTurn(tx, turn, DELETED);
  }
  if (running !== null) {
    await requestCancel(tx, running.id, DELETED);
    await notify(tx, TURNS_CHANNEL, sessionId);
  }
  return { running, lastSeq: session.lastSeq };
}

const DELETED = 'The conversation is being deleted.';
