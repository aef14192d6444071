/**
 * The use cases of the instruction builder over Postgres. Every call is made for a viewer and sees only what that
 * viewer owns in the viewer's project: a foreign id looks like an unknown one. Builder turns are stopped and retried
 * like those of chat; the runner produces their answers.
 */
import { z } from 'zod';
import { diffArtifacts, type ArtifactDiff } from '../../domain/artifacts/artifact-diff.ts';
import type { ArtifactProposal, BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import {
  listRevisions,
  readArtifacts,
  readProposal,
  readRevision,
} from '../../stores/pg/builder-artifacts.ts';
import {
  findBuilderSessions,
  findBuilderSessionsOfJobs,
  findByClientRequest,
  insertBuilderSession,
  listBuilderSessions,
  reopenSession,
} from '../../stores/pg/builder-sessions.ts';
import { touchSession } from '../../stores/pg/sessions.ts';
import { transact } from '../../stores/pg/database.ts';
import { viewerTransaction } from '../../stores/pg/viewer-transaction.ts';
import { checkInput, clientMessageId, optionalText } from '../copilot/copilot-input.ts';
import { decodeCursor, encodeCursor, rowsToRead, toPage, type PageRequest } from '../page-cursor.ts';
import {
  resolveHunks,
  revertArtifact,
  updateArtifacts,
  type ResolveHunksInput,
  type RevertArtifactInput,
  type UpdateArtifactsInput,
} from './builder-edits.ts';
import { holdBuilderSession, unknownBuilderSession } from './builder-link.ts';
import { followEdits } from './followed-edits.ts';
import { purgeOrphans, type PurgeInput } from './builder-orphans.ts';
import {
  sendBuilderMessage,
  type SendBuilderMessageDeps,
  type SendBuilderMessageInput,
} from './send-builder-message.ts';

/** The builder for the schema. */
export type BuilderService = ReturnType<typeof createBuilderService>;

/** A pending proposal with what it would change. */
export type ProposedChanges = ArtifactProposal & { readonly diff: ArtifactDiff };

type SessionId = Pick<BuilderSession, 'id'>;

/** The builder for the schema. Writing throws StaleArtifactsError unless `baseRevision` is the newest revision. */
export function createBuilderService(deps: SendBuilderMessageDeps) {
  const { db, tracing } = deps;
  return {
    createSession: (viewer: Viewer, input: z.input<typeof createInput>) => createSession(deps, viewer, input),
    sendMessage: (viewer: Viewer, input: SendBuilderMessageInput) =>
      tracing.span('sendBuilderMessage', {}, () => sendBuilderMessage(deps, viewer, input)),
    updateArtifacts: (viewer: Viewer, input: UpdateArtifactsInput) => updateArtifacts(db, viewer, input),
    revertArtifact: (viewer: Viewer, input: RevertArtifactInput) => revertArtifact(db, viewer, input),
    resolveHunks: (viewer: Viewer, input: ResolveHunksInput) => resolveHunks(db, viewer, input),
    reopen: (viewer: Viewer, sessionId: string) => reopen(deps, viewer, sessionId),
    purgeOrphans: (viewer: Viewer, input: PurgeInput) => purgeOrphans(db, viewer, input),
    /** In the order of `ids`; null for an unknown one. */
    sessions: (viewer: Viewer, ids: readonly string[]) => findBuilderSessions(db, viewer, ids),
    /** In the order of `jobIds`; null for a job that was created without a session. */
    sessionsOfJobs: (viewer: Viewer, jobIds: readonly string[]) =>
      findBuilderSessionsOfJobs(db, viewer, jobIds),
    /** Sessions with at least one message, most recently written first. @throws InvalidInputError for a bad cursor. */
    async list(viewer: Viewer, { first, after }: PageRequest) {
      const position = decodeCursor(after, sessionPosition);
      const rows = await listBuilderSessions(db, viewer, {
        limit: rowsToRead(first),
        after: position && { updatedAt: new Date(position[0]), id: position[1] },
      });
      return toPage(rows, first, (item) => ({
        item,
        cursor: encodeCursor([item.updatedAt.getTime(), item.id]),
      }));
    },
    /** The newest artifacts of a session that was read for the viewer. */
    artifacts: async ({ id }: SessionId) => (await readArtifacts(db, id)).artifacts,
    /** The proposal that awaits the user's decision, with its diff; null without one. */
    async proposal({ id }: SessionId): Promise<ProposedChanges | null> {
      const proposal = await readProposal(db, id);
      if (proposal === null) return null;
      const { artifacts } = await readArtifacts(db, id);
      return { ...proposal, diff: diffArtifacts(artifacts, proposal.artifacts) };
    },
    /** The newest edits of the builder with what became of them, newest first. */
    edits: ({ id }: SessionId) => followEdits(db, id),
    /** Newest first. @throws InvalidInputError for a bad cursor. */
    async revisions({ id }: SessionId, { first, after }: PageRequest) {
      const before = decodeCursor(after, z.int());
      const rows = await listRevisions(db, id, { limit: rowsToRead(first), before });
      return toPage(rows, first, (item) => ({ item, cursor: encodeCursor(item.revision) }));
    },
    /** @throws NotFoundError for a revision that the session does not have. */
    async diff({ id }: SessionId, from: number, to: number) {
      const [older, newer] = await Promise.all([from, to].map((number) => readRevision(db, id, number)));
      if (!older || !newer) throw new NotFoundError(`this session has no revision ${older ? to : from}`);
      return diffArtifacts(older.artifacts, newer.artifacts);
    },
  };
}

const sessionPosition = z.tuple([z.number(), z.uuid()]);

const createInput = z.object({ expertId: optionalText, clientRequestId: clientMessageId });

/** Title of a session before its first message. */
const UNNAMED = 'New job';

/** The same `clientRequestId` returns the same session. @throws ConflictError, InvalidInputError, NotFoundError */
async function createSession(
  deps: SendBuilderMessageDeps,
  viewer: Viewer,
  input: z.input<typeof createInput>,
): Promise<BuilderSession> {
  const { expertId, clientRequestId } = checkInput(createInput, input);
  if (expertId !== null) await deps.checkExpert(viewer, expertId);
  return viewerTransaction(deps.db, viewer, async (tx) => {
    const earlier = await findByClientRequest(tx, viewer, clientRequestId);
    if (earlier !== null && earlier.expertId !== expertId) {
      const message = `clientRequestId ${clientRequestId} was used with another expert; make a new one for each session`;
      throw new ConflictError(message);
    }
    if (earlier !== null) return earlier;
    const { id } = await insertBuilderSession(tx, viewer, { title: UNNAMED, expertId, clientRequestId });
    const [session] = await findBuilderSessions(tx, viewer, [id]);
    if (!session) throw unknownBuilderSession(id);
    return session;
  });
}

/**
 * Makes a linked session writable again; its job keeps its copy. An open session stays as it is. @throws
 * NotFoundError
 */
async function reopen(
  { db }: SendBuilderMessageDeps,
  viewer: Viewer,
  sessionId: string,
): Promise<BuilderSession> {
  return transact(db, async (tx) => {
    const session = await holdBuilderSession(tx, viewer, sessionId);
    if (session.status !== 'LINKED') return session;
    await reopenSession(tx, sessionId);
    await touchSession(tx, sessionId);
    const [reopened] = await findBuilderSessions(tx, viewer, [sessionId]);
    return reopened ?? session;
  });
}
