import { type Selectable, sql } from 'kysely';
import { validate } from 'uuid';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import { readOne, type Tx } from './database.ts';
import { rowToSession } from './sessions.ts';
import type { Database } from './tables.ts';
import type { Activity } from './usage.ts';

/** What a message finds. */
export type OpenedMessage =
  /** The client's id started a turn before. */
  | { readonly isNew: false }
  /** The session is locked; null where the viewer has none of this id, or the message names none. */
  | { readonly isNew: true; readonly session: Session | null; readonly activity: Activity };

type Row = Selectable<Database['sessions']> & {
  readonly started_id: string | null;
  readonly activity: Activity;
};

/** Begins a transaction of `messageTransaction`: reads what decides over a message, in one round trip. */
export async function openMessage(
  tx: Tx,
  { id, projectId }: Viewer,
  message: { readonly clientMessageId: string; readonly sessionId: string | null },
): Promise<OpenedMessage> {
  const sessionId = message.sessionId !== null && validate(message.sessionId) ? message.sessionId : null;
  const {
    started_id: startedId,
    activity,
    ...session
  } = await readOne(
    sql<Row>`
      select started_id, (opened.session).*, activity
      from open_message(${id}, ${projectId}, ${message.clientMessageId}, ${sessionId}) as opened`,
    tx,
  );
  if (startedId !== null) return { isNew: false };
  return { isNew: true, session: session.id === null ? null : rowToSession(session), activity };
}
