/** What members say about answers and jobs. Whoever may read one may comment on it; models never see it. */
import { z } from 'zod';
import { ForbiddenError, InvalidInputError, NotFoundError, RateLimitedError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { atLeast } from '../../domain/members/role.ts';
import type { Comment } from '../../domain/members/sharing.ts';
import type { WakeUps } from '../../events/wake-ups.ts';
import {
  countComments,
  deleteComment,
  findComments,
  findCommentsOfSessions,
  findCommentsOnMessages,
  findMentions,
  insertComment,
} from '../../stores/pg/comments.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { findJobs } from '../../stores/pg/jobs.ts';
import type { Members } from '../../stores/pg/members.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { lockName } from '../../stores/pg/named-lock.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { checkInput, toKeptWords } from '../copilot/copilot-input.ts';
import { readAfterHints } from '../read-after-hints.ts';

const MAX_LENGTH = 2_000;
const MAX_MENTIONS = 20;
/** Of an author, in all projects. */
const PER_MINUTE = 20;
/** All are read at once. */
const PER_SESSION = 500;

const addInput = z.object({
  subject: z.object({ type: z.enum(['Message', 'Job']), id: z.string() }),
  text: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(MAX_LENGTH, `must have at most ${MAX_LENGTH.toLocaleString('en')} characters`)
    .transform(toKeptWords),
  mentions: z
    .array(z.string().max(200))
    .max(MAX_MENTIONS, `must be at most ${MAX_MENTIONS} members`)
    .transform((ids) => [...new Set(ids)]),
});

export type AddCommentInput = z.input<typeof addInput>;

export type CommentsDeps = {
  readonly db: Db;
  readonly members: Pick<Members, 'list'>;
  readonly wakeUps: Pick<WakeUps, 'onComments'>;
};

/** Comments for the schema. */
export type Comments = ReturnType<typeof createComments>;

export function createComments(deps: CommentsDeps) {
  const { db } = deps;
  return {
    add: (viewer: Viewer, input: AddCommentInput) => addComment(deps, viewer, input),
    remove: (viewer: Viewer, id: string) => removeComment(deps, viewer, id),
    byIds: (viewer: Viewer, ids: readonly string[]) => findComments(db, viewer, ids),
    ofMessages: (viewer: Viewer, ids: readonly string[]) => findCommentsOnMessages(db, viewer, ids),
    ofSessions: (viewer: Viewer, ids: readonly string[]) => findCommentsOfSessions(db, viewer, ids),
    /** The newest that name the viewer. @throws InvalidInputError */
    mentions: (viewer: Viewer, first: number) => {
      if (first < 1 || first > 100)
        throw InvalidInputError.at(['first'], `${first} is not between 1 and 100`);
      return findMentions(db, viewer, first);
    },
    /** All comments of a session that the viewer may read, now and after each change, until `signal` fires. */
    follow: (viewer: Viewer, sessionId: string, signal: AbortSignal) =>
      followComments(deps, viewer, sessionId, signal),
  };
}

/** Whether somebody may delete a comment: its author, and admins. */
export const mayDelete = ({ id, role }: Viewer, { authorId }: Comment): boolean =>
  authorId === id || atLeast(role, 'admin');

/** @throws InvalidInputError, NotFoundError for what the viewer may not read, RateLimitedError */
async function addComment({ db, members }: CommentsDeps, viewer: Viewer, input: AddCommentInput) {
  const { subject, text, mentions } = checkInput(addInput, input);
  const known = new Set(
    mentions.length === 0 ? [] : (await members.list(viewer.projectId)).map((each) => each.userId),
  );
  const unknown = mentions.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw InvalidInputError.at(['input', 'mentions'], `${unknown.join(', ')}: not a member of this project`);
  return transact(db, async (tx) => {
    await lockName(tx, `comments of ${viewer.id}`);
    const place = await placeOf(tx, viewer, subject);
    const [session] = await findSessions(tx, viewer, [place.sessionId]);
    if (!session) throw new NotFoundError(`you have no ${subject.type} ${subject.id}`);
    if (session.visibility === 'PRIVATE' && mentions.some((id) => id !== viewer.id))
      throw InvalidInputError.at(['input', 'mentions'], 'nobody else can read this; share it first');
    const { lastMinute, ofSession } = await countComments(tx, { authorId: viewer.id, sessionId: session.id });
    if (lastMinute >= PER_MINUTE)
      throw new RateLimitedError(60_000, `more than ${PER_MINUTE} comments in a minute; try again in one`);
    if (ofSession >= PER_SESSION)
      throw InvalidInputError.at(
        ['input'],
        `there are ${PER_SESSION} comments here already; delete some first`,
      );
    return insertComment(tx, viewer.projectId, { ...place, authorId: viewer.id, text, mentions });
  });
}

/** @throws NotFoundError, InvalidInputError */
async function placeOf(
  db: Db,
  viewer: Viewer,
  { type, id }: { readonly type: 'Message' | 'Job'; readonly id: string },
): Promise<Pick<Comment, 'sessionId' | 'messageId'>> {
  if (type === 'Job') {
    const [job] = await findJobs(db, viewer, [id]);
    if (!job) throw new NotFoundError(`you have no job ${id}`);
    return { sessionId: job.sessionId, messageId: null };
  }
  const [message] = await findMessages(db, viewer, [id]);
  if (!message) throw new NotFoundError(`you have no message ${id}`);
  if (message.role !== 'ASSISTANT')
    throw InvalidInputError.at(['input', 'subjectId'], 'is a question; comments are on answers and jobs');
  return { sessionId: message.sessionId, messageId: message.id };
}

/** Deletes a comment; done, too, where there is none that the viewer may read. @throws ForbiddenError */
async function removeComment({ db }: CommentsDeps, viewer: Viewer, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const [comment] = await findComments(tx, viewer, [id]);
    if (!comment) return;
    if (!mayDelete(viewer, comment))
      throw new ForbiddenError('a comment is deleted by its author, or by an admin of the project');
    await deleteComment(tx, comment);
  });
}

function followComments(
  { db, wakeUps }: CommentsDeps,
  viewer: Viewer,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Comment[], void> {
  const watch = (hint: () => void) =>
    wakeUps.onComments((changed) => {
      if (changed === null || changed === sessionId) hint();
    });
  const read = async () => (await findCommentsOfSessions(db, viewer, [sessionId]))[0] ?? [];
  return readAfterHints(watch, read, signal);
}
