/** Answers that are shared alone. Only their owner shares them, and only copies of what belongs to the answer leave. */
import { sql } from 'kysely';
import type { Message, Viewer } from '../../domain/conversation/session.ts';
import type { SharedAnswer, SharedVisibility, Visibility } from '../../domain/members/sharing.ts';
import type { Db, Tx } from './database.ts';
import { notify } from './events.ts';
import { inOrderOf, isOneOf, isOwnedBy } from './ids.ts';
import { rowToMessage } from './messages.ts';
import { newShareKey } from './sharing.ts';

/** Says that answers of a session are shared, or not any more. */
export const SHARES_CHANNEL = 'qpilot_shares';

/** Who may read an answer alone, and the key of its link. */
export type AnswerShare = { readonly visibility: SharedVisibility; readonly key: string };

/** How each of the viewer's own answers is shared; null for those that are not, and for those of others. */
export async function findAnswerShares(
  db: Db,
  viewer: Viewer,
  messageIds: readonly string[],
): Promise<(AnswerShare | null)[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('shared_answers', (join) =>
      join
        .onRef('shared_answers.session_id', '=', 'messages.session_id')
        .onRef('shared_answers.message_id', '=', 'messages.id'),
    )
    .select(['messages.id', 'shared_answers.visibility', 'shared_answers.share_key as key'])
    .where(isOneOf('messages.id', messageIds))
    .where(isOwnedBy(viewer, 'messages'))
    .execute();
  return inOrderOf(messageIds, rows, ({ id }) => id);
}

/**
 * Changes who may read an answer of the viewer alone; the row of its session must be locked. Each change ends the
 * earlier link.
 */
export async function setAnswerVisibility(
  tx: Tx,
  viewer: Viewer,
  { id, sessionId }: Pick<Message, 'id' | 'sessionId'>,
  visibility: Visibility,
): Promise<void> {
  await notify(tx, SHARES_CHANNEL, sessionId);
  if (visibility === 'PRIVATE') {
    await tx
      .deleteFrom('shared_answers')
      .where('session_id', '=', sessionId)
      .where('message_id', '=', id)
      .execute();
    return;
  }
  const share = { visibility, share_key: newShareKey(), shared_at: sql<Date>`now()` };
  await tx
    .insertInto('shared_answers')
    .values({
      session_id: sessionId,
      message_id: id,
      project_id: viewer.projectId,
      viewer_id: viewer.id,
      ...share,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'message_id'])
        .doUpdateSet(share)
        .where('shared_answers.visibility', '<>', visibility),
    )
    .execute();
}

/** An answer by the key of its link; null for an unknown key, and for one of another project. */
export async function findSharedAnswer(db: Db, viewer: Viewer, key: string): Promise<SharedAnswer | null> {
  const [found] = await sharedAnswers(db, viewer, (query) => query.where('share_key', '=', key));
  return found ?? null;
}

/** A place in a list of shared answers. */
export type SharedAnswerPosition = { readonly sharedAt: Date; readonly id: string };

/** Up to `limit` answers that others share with the project, the one shared last first. */
export function listSharedAnswers(
  db: Db,
  viewer: Viewer,
  { limit, after }: { readonly limit: number; readonly after: SharedAnswerPosition | null },
): Promise<SharedAnswer[]> {
  return sharedAnswers(db, viewer, (query) => {
    const page = query
      .where('visibility', '=', 'PROJECT')
      .where('viewer_id', '<>', viewer.id)
      .orderBy('shared_at', 'desc')
      .orderBy('message_id', 'desc')
      .limit(limit);
    if (after === null) return page;
    return page.where((eb) =>
      eb(eb.refTuple('shared_at', 'message_id'), '<', eb.tuple(after.sharedAt, after.id)),
    );
  });
}

type Shares = ReturnType<typeof sharesOf>;
const sharesOf = (db: Db, { projectId }: Viewer) =>
  db.selectFrom('shared_answers').selectAll().where('project_id', '=', projectId);

/** The shares that `narrow` leaves, in its order, with their messages. Three queries. */
async function sharedAnswers(
  db: Db,
  viewer: Viewer,
  narrow: (shares: Shares) => Shares,
): Promise<SharedAnswer[]> {
  const shares = await narrow(sharesOf(db, viewer)).execute();
  if (shares.length === 0) return [];
  const rows = await db
    .selectFrom('messages')
    .innerJoin('turns', 'turns.id', 'messages.turn_id')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .selectAll('messages')
    .select(['turns.status', 'turns.question_id', 'sessions.chip_id'])
    .where(
      isOneOf(
        'messages.id',
        shares.map(({ message_id }) => message_id),
      ),
    )
    .execute();
  const questions = await db
    .selectFrom('messages')
    .selectAll()
    .where(
      isOneOf(
        'id',
        rows.map(({ question_id }) => question_id),
      ),
    )
    .execute();
  return shares.flatMap((share) => {
    const row = rows.find(({ id }) => id === share.message_id);
    const question = questions.find(({ id }) => id === row?.question_id);
    if (row === undefined || question === undefined) return [];
    const { status, question_id: _question, chip_id: chipId, ...answer } = row;
    return {
      key: share.share_key,
      visibility: share.visibility,
      projectId: share.project_id,
      viewerId: share.viewer_id,
      sharedAt: share.shared_at,
      chipId,
      status,
      question: rowToMessage(question),
      answer: rowToMessage(answer),
    };
  });
}
