/** The use cases of the instruction builder over Postgres; how a turn is answered is the runner's business. */
import { z } from 'zod';
import { diffArtifacts } from '../../domain/artifacts/artifact-diff.ts';
import type { BuilderSession } from '../../domain/conversation/builder-session.ts';
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
import { lockViewer } from '../../stores/pg/turns.ts';
import { checkInput, clientMessageId, optionalText } from '../copilot/copilot-input.ts';
import { decodeCursor, encodeCursor, rowsToRead, toPage } from '../page-cursor.ts';
import { resolveHunks, revertArtifact, updateArtifacts } from './builder-edits.ts';
import { holdBuilderSession, unknownBuilderSession } from './builder-link.ts';
import { purgeOrphans } from './builder-orphans.ts';
import type { BuilderService } from './builder-service.ts';
import { sendBuilderMessage, type SendBuilderMessageDeps } from './send-builder-message.ts';

/** The builder for the schema. */
export function createBuilderService(deps: SendBuilderMessageDeps): BuilderService {
  const { db, tracing } = deps;
  return {
    createSession: (viewer, input) => createSession(deps, viewer, input),
    sendMessage: (viewer, input) =>
      tracing.span('sendBuilderMessage', {}, () => sendBuilderMessage(deps, viewer, input)),
    updateArtifacts: (viewer, input) => updateArtifacts(db, viewer, input),
    revertArtifact: (viewer, input) => revertArtifact(db, viewer, input),
    resolveHunks: (viewer, input) => resolveHunks(db, viewer, input),
    reopen: (viewer, sessionId) => reopen(deps, viewer, sessionId),
    purgeOrphans: (viewer, input) => purgeOrphans(db, viewer, input),
    sessions: (viewer, ids) => findBuilderSessions(db, viewer, ids),
    sessionsOfJobs: (viewer, jobIds) => findBuilderSessionsOfJobs(db, viewer, jobIds),
    async list(viewer, { first, after }) {
      const place = decodeCursor(after, sessionPlace);
      const rows = await listBuilderSessions(db, viewer, {
        limit: rowsToRead(first),
        after: place && { updatedAt: new Date(place[0]), id: place[1] },
      });
      return toPage(rows, first, (item) => ({
        item,
        cursor: encodeCursor([item.updatedAt.getTime(), item.id]),
      }));
    },
    artifacts: async ({ id }) => (await readArtifacts(db, id)).artifacts,
    async proposal({ id }) {
      const proposal = await readProposal(db, id);
      if (proposal === null) return null;
      const { artifacts } = await readArtifacts(db, id);
      return { ...proposal, diff: diffArtifacts(artifacts, proposal.artifacts) };
    },
    async revisions({ id }, { first, after }) {
      const before = decodeCursor(after, z.int());
      const rows = await listRevisions(db, id, { limit: rowsToRead(first), before });
      return toPage(rows, first, (item) => ({ item, cursor: encodeCursor(item.revision) }));
    },
    async diff({ id }, from, to) {
      const [older, newer] = await Promise.all([from, to].map((number) => readRevision(db, id, number)));
      if (!older || !newer) throw new NotFoundError(`this session has no revision ${older ? to : from}`);
      return diffArtifacts(older.artifacts, newer.artifacts);
    },
  };
}

const sessionPlace = z.tuple([z.number(), z.uuid()]);

const createInput = z.object({ expertId: optionalText, clientRequestId: clientMessageId });

/** Name of a session before its first message. */
const UNNAMED = 'New job';

async function createSession(
  deps: SendBuilderMessageDeps,
  viewer: Viewer,
  input: Parameters<BuilderService['createSession']>[1],
): Promise<BuilderSession> {
  const { expertId, clientRequestId } = checkInput(createInput, input);
  if (expertId !== null) await deps.checkExpert(viewer, expertId);
  return deps.db.transaction().execute(async (tx) => {
    await lockViewer(tx, viewer);
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

/** A session that is open already stays as it is. */
async function reopen(
  { db }: SendBuilderMessageDeps,
  viewer: Viewer,
  sessionId: string,
): Promise<BuilderSession> {
  return db.transaction().execute(async (tx) => {
    const session = await holdBuilderSession(tx, viewer, sessionId);
    if (session.status !== 'LINKED') return session;
    await reopenSession(tx, sessionId);
    await touchSession(tx, sessionId);
    const [reopened] = await findBuilderSessions(tx, viewer, [sessionId]);
    return reopened ?? session;
  });
}
