import { backgroundViewer, type Message, type Viewer } from '../../domain/conversation/session.ts';
import type { Db } from './database.ts';
import { isOneOf } from './ids.ts';
import { findMessages } from './messages.ts';
import { findSessions } from './sessions.ts';
import { readStepRecords, type RecordedSteps } from './step-records.ts';
import type { StartedTurn } from './turn-start.ts';
import { findTurns } from './turns.ts';

/** A turn, running or ended, with its records. */
export type RecordedTurn = Omit<StartedTurn, 'traceparent'> &
  RecordedSteps & {
    /** The viewer who asked; only the id is known, not the name. */
    readonly viewer: Viewer;
    /** Null if the turn has none. */
    readonly answer: Message | null;
    /** Messages of the user that joined it. */
    readonly joined: readonly Message[];
  };

/** A turn of any viewer by its id; for operators, never for requests. Null for an unknown one. */
export async function readRecordedTurn(db: Db, turnId: string): Promise<RecordedTurn | null> {
  const owner = await db
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['turns.viewer_id', 'turns.project_id', 'sessions.kind'])
    .where(isOneOf('turns.id', [turnId]))
    .executeTakeFirst();
  if (owner === undefined) return null;
  const viewer = backgroundViewer(owner.viewer_id, owner.project_id, owner.kind);
  const [turn] = await findTurns(db, viewer, [turnId]);
  if (!turn) return null;
  const [session] = await findSessions(db, viewer, [turn.sessionId]);
  const [question] = await findMessages(db, viewer, [turn.questionId]);
  if (!session || !question) return null; // deleted in the meantime
  const [answer] = turn.answerId === null ? [] : await findMessages(db, viewer, [turn.answerId]);
  const joinedIds = (answer?.blocks ?? []).flatMap((block) =>
    block.type === 'message' ? [block.messageId] : [],
  );
  const joined = (await findMessages(db, viewer, joinedIds)).filter((message) => message !== null);
  const steps = await readStepRecords(db, turnId);
  return { viewer, session, turn, question, answer: answer ?? null, joined, ...steps };
}
