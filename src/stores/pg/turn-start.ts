import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Effort, Message, Session, Turn, TurnExtra, Viewer } from '../../domain/conversation/session.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { noteIds } from './audited-act.ts';
import { PREPARED, type Db, type Tx } from './database.ts';
import { grownLog, insertEvents, ON_TOP, WAKES } from './events.ts';
import { newId } from './ids.ts';
import { copyMessageImages, insertMessageImages, type NewImage } from './message-images.ts';
import { insertMessage, rowToMessage } from './messages.ts';
import { lockSession } from './sessions.ts';
import type { Database } from './tables.ts';
import { countAhead, countAnswered, type InLine } from './turn-line.ts';
import { openTurns, rowToTurn } from './turns.ts';
import { viewerTransaction } from './viewer-transaction.ts';

/** Who runs a turn, and how long that is valid without renewal. */
export type Lease = {
  readonly owner: string;
  readonly leaseMs: number;
  /** The current time of the answer, from which it computes ages. */
  readonly asOf: Date;
};

/** A turn that its owner runs now. */
export type StartedTurn = {
  readonly session: Session;
  readonly turn: Turn;
  readonly question: Message;
  /** W3C `traceparent` of the request that asked for it; null without tracing. */
  readonly traceparent: string | null;
  /** What need not be looked for; absent: not known. */
  readonly lacks?: readonly TurnExtra[];
};

/** A new question, or a stored one that is asked again. */
export type Question = NewQuestion | { readonly type: 'again'; readonly message: Message };

type NewQuestion = {
  readonly type: 'new';
  readonly text: string;
  /** Pictures sent with it. */
  readonly images?: readonly NewImage[];
  /** The message to keep the pictures of. */
  readonly keepsImagesOf?: string;
};

/** A turn to be stored. */
export type NewTurn = {
  readonly question: Question;
  /** Unique among the viewer's turns in the project. */
  readonly clientMessageId: string;
  readonly model: string | null;
  readonly effort: Effort | null;
  /** Without NUL and lone surrogates. */
  readonly answerSchema: JsonObject | null;
  /** The turn that it replaces: it then follows that one's parent. Null: it follows the newest turn. */
  readonly replaces: Turn | null;
  /** The message to verify the values of. */
  readonly disputedId: string | null;
};

/** The place of a new turn: running at once, or queued. */
export type TurnPlace =
  | { readonly type: 'run'; readonly lease: Lease }
  | {
      readonly type: 'queue';
      /** Before the others in the queue; one that joins a turn goes behind earlier ones that do. */
      readonly first: boolean;
      /** The turn that its message joins at that one's next round; absent: it waits for its end. */
      readonly joinsId?: string;
      /** It waits for a free place rather than for an answer of its own conversation. */
      readonly inLine?: true;
    };

/**
 * Stores a turn, its question and its first event in a session whose row the caller has locked. The session
 * must be idle for a turn that is to run at once. `turn.number` follows the order of answering: a turn put
 * before others in the queue takes number and parent of the first of those, which then follows it. The session goes to
 * the top of its owner's list.
 */
export async function insertTurn(
  tx: Tx,
  viewer: Viewer,
  session: Session,
  given: NewTurn & { readonly place: TurnPlace; readonly traceparent: string | null },
): Promise<{ readonly turn: Turn; readonly question: Message; readonly lastSeq: number }> {
  const { place } = given;
  const isRunning = place.type === 'run';
  const turnId = newId();
  const questionId = given.question.type === 'new' ? newId() : given.question.message.id;
  noteIds({ sessionId: session.id, turnId });
  const { number, parentId } = await takePlace(tx, session.id, turnId, place);
  const inserted = tx
    .insertInto('turns')
    .values({
      id: turnId,
      session_id: session.id,
      project_id: viewer.projectId,
      viewer_id: viewer.id,
      number,
      parent_id: given.replaces === null ? parentId : given.replaces.parentId,
      replaces_id: given.replaces?.id ?? null,
      disputed_id: given.disputedId,
      joins_id: (!isRunning && place.joinsId) || null,
      status: isRunning ? 'RUNNING' : 'QUEUED',
      question_id: questionId,
      client_message_id: given.clientMessageId,
      model: given.model,
      effort: given.effort,
      answer_schema: given.answerSchema && JSON.stringify(given.answerSchema),
      before_seq: session.lastSeq,
      traceparent: given.traceparent,
      ...(isRunning ? leaseColumns(place.lease) : {}),
    })
    .returningAll();
  const { question } = given;
  const ids = { id: questionId, sessionId: session.id, turnId };
  const owner = { projectId: viewer.projectId, viewerId: viewer.id };
  const asked = question.type === 'new' ? newMessage(question.text, ids) : question.message;
  const started = { type: 'TurnStartedEvent', payload: { messageId: questionId } } as const;
  const { rows } = await sql<Selectable<Database['turns']>>`${PREPARED}
    with turn as (${inserted})
    ${question.type === 'new' ? sql`, question as (${insertMessage(tx, { ...asked, ...owner, turnId })})` : sql``}
    ${isRunning ? sql`, ${grownLog(session.id, turnId, [started], ON_TOP)}` : sql``}
    select turn.* ${isRunning ? sql`, ${WAKES} from turn, log` : sql`from turn`}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error(`Postgres did not store the turn ${turnId}`);
  if (question.type === 'new') await insertImages(tx, viewer, question, ids);
  if (!isRunning) {
    const text = await waitingText(tx, viewer, { id: turnId, place });
    await insertEvents(
      tx,
      session.id,
      turnId,
      [{ type: 'StatusEvent', payload: { phase: 'QUEUED', text } }],
      ON_TOP,
    );
  }
  return {
    turn: rowToTurn(row),
    question: question.type === 'new' ? { ...asked, createdAt: row.created_at } : question.message,
    lastSeq: session.lastSeq,
  };
}

/**
 * Starts the first turn in the queue of a session for the owner of `lease`; null if the session is busy, nothing waits
 * in it, or `turnsPerUser` conversations of its viewer are being answered. Of several concurrent attempts one succeeds.
 */
export function startNextTurn(
  db: Db,
  { sessionId, viewerId, turnsPerUser }: InLine & { readonly turnsPerUser: number },
  lease: Lease,
): Promise<StartedTurn | null> {
  const start = async (tx: Tx): Promise<StartedTurn | null> => {
    const session = await lockSession(tx, sessionId);
    const [next] = await openTurns(tx, sessionId);
    if (session === null || next === undefined || next.status === 'RUNNING') return null;
    if ((await countAnswered(tx, viewerId)) >= turnsPerUser) return null;
    const row = await tx
      .updateTable('turns')
      .set({ status: 'RUNNING', ...leaseColumns(lease) })
      .where('id', '=', next.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const question = await tx
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', next.questionId)
      .executeTakeFirstOrThrow();
    await insertEvents(tx, sessionId, next.id, [
      { type: 'TurnStartedEvent', payload: { messageId: next.questionId } },
    ]);
    return {
      session,
      turn: rowToTurn(row),
      question: rowToMessage(question),
      traceparent: row.traceparent,
    };
  };
  return viewerTransaction(db, { id: viewerId }, start, 'waiting');
}

async function waitingText(
  tx: Tx,
  viewer: Viewer,
  { id, place }: { readonly id: string; readonly place: Extract<TurnPlace, { type: 'queue' }> },
): Promise<string> {
  if (place.joinsId !== undefined) return 'Joins the answer at its next step';
  const [ahead] = place.inLine === true ? await countAhead(tx, viewer, [id]) : [];
  if (ahead == null) return 'Waiting for the answer before this one';
  return `Waiting in line; ahead of it: ${ahead}`;
}

const leaseColumns = ({ owner, leaseMs, asOf }: Lease) => ({
  owner,
  as_of: asOf,
  lease_expires_at: sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`,
  started_at: sql<Date>`now()`,
});

async function takePlace(
  tx: Tx,
  sessionId: string,
  turnId: string,
  place: TurnPlace,
): Promise<{
  readonly number: number | RawBuilder<number>;
  readonly parentId: string | null | RawBuilder<string | null>;
}> {
  if (place.type === 'queue' && place.first) {
    let later = tx
      .updateTable('turns')
      .set((eb) => ({ number: eb('number', '+', 1) }))
      .where('session_id', '=', sessionId)
      .where('status', '=', 'QUEUED');
    // A turn that its message is to join may itself be waiting: it stays ahead.
    if (place.joinsId !== undefined)
      later = later.where('joins_id', 'is', null).where('id', '!=', place.joinsId);
    const moved = await later.returning(['id', 'number', 'parent_id']).execute();
    const [first] = moved.toSorted((a, b) => a.number - b.number);
    if (first) {
      await tx.updateTable('turns').set({ parent_id: turnId }).where('id', '=', first.id).execute();
      return { number: first.number - 1, parentId: first.parent_id };
    }
  }
  const newest = (column: string) =>
    sql`(select ${sql.ref(column)} from turns where session_id = ${sessionId} order by number desc limit 1)`;
  return {
    number: sql<number>`coalesce(${newest('number')}, 0) + 1`,
    parentId: sql<string | null>`${newest('id')}`,
  };
}

const newMessage = (
  text: string,
  ids: { readonly id: string; readonly sessionId: string; readonly turnId: string },
): Omit<Message, 'createdAt'> => ({
  ...ids,
  role: 'USER',
  text,
  blocks: [{ type: 'text', text }],
  freshness: [],
  model: null,
  assessment: null,
  strippedTables: 0,
  unverifiedTable: false,
});

async function insertImages(
  tx: Tx,
  viewer: Viewer,
  { images, keepsImagesOf }: NewQuestion,
  message: Pick<Message, 'id' | 'sessionId'>,
): Promise<void> {
  if (images) await insertMessageImages(tx, viewer, message, images);
  if (keepsImagesOf) await copyMessageImages(tx, keepsImagesOf, message);
}
