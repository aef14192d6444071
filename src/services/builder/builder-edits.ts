/** Changes of artifacts that are not the AI's: by hand, back to an earlier revision, and decisions about a proposal. */
import { z } from 'zod';
import { applyParts, diffArtifacts, partsOf } from '../../domain/artifacts/artifact-diff.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { BuilderSession, RevisionAuthor } from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError, NotFoundError, StaleArtifactsError } from '../../base/errors.ts';
import {
  insertRevision,
  readArtifacts,
  readBaseOfTurn,
  readProposal,
  readRevision,
  replaceProposal,
} from '../../stores/pg/builder-artifacts.ts';
import { findBuilderSessions } from '../../stores/pg/builder-sessions.ts';
import type { Db, Tx } from '../../stores/pg/database.ts';
import { touchSession } from '../../stores/pg/sessions.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { artifactsInput, isSameArtifacts, revisionNumber, withInput } from './builder-input.ts';
import { holdWritableSession, unknownBuilderSession } from './builder-link.ts';
import type { ResolveHunksInput, RevertArtifactInput, UpdateArtifactsInput } from './builder-service.ts';

const updateInput = z.object({
  sessionId: z.string(),
  artifacts: artifactsInput,
  baseRevision: revisionNumber,
});

/** Stores an edit by hand; see `BuilderService.updateArtifacts`. */
export function updateArtifacts(
  db: Db,
  viewer: Viewer,
  input: UpdateArtifactsInput,
): Promise<BuilderSession> {
  const { sessionId, artifacts, baseRevision } = checkInput(updateInput, input);
  return writing(db, viewer, sessionId, async (tx, session) => {
    assertNewest(session, baseRevision);
    const newest = await readArtifacts(tx, sessionId);
    await writeByHand(tx, sessionId, withInput(newest.artifacts, artifacts));
  });
}

const revertInput = z
  .object({
    sessionId: z.string(),
    revision: revisionNumber.nullish(),
    turnId: z.string().nullish(),
    baseRevision: revisionNumber.nullish(),
  })
  .refine(({ revision, turnId }) => (revision == null) !== (turnId == null), {
    path: ['revision'],
    message: 'give either the revision to go back to, or the turn to undo',
  });

/** Goes back; see `BuilderService.revertArtifact`. */
export function revertArtifact(db: Db, viewer: Viewer, input: RevertArtifactInput): Promise<BuilderSession> {
  const { sessionId, revision, turnId, baseRevision } = checkInput(revertInput, input);
  return writing(db, viewer, sessionId, async (tx, session) => {
    assertNewest(session, baseRevision ?? null);
    const wanted = revision ?? (await readBaseOfTurn(tx, sessionId, turnId ?? ''));
    const earlier = wanted === null ? null : await readRevision(tx, sessionId, wanted);
    if (earlier === null) {
      throw new NotFoundError(
        revision == null
          ? `turn ${turnId} changed nothing in this session, so there is nothing to undo`
          : `this session has no revision ${revision}; its newest is ${session.revision}`,
      );
    }
    await writeRevision(tx, sessionId, earlier.artifacts, { author: 'REVERT', turnId: null });
  });
}

const resolveInput = z.object({
  sessionId: z.string(),
  accept: z.array(z.string()),
  reject: z.array(z.string()),
});

/** Takes and drops parts of the proposal; see `BuilderService.resolveHunks`. */
export function resolveHunks(db: Db, viewer: Viewer, input: ResolveHunksInput): Promise<BuilderSession> {
  const { sessionId, accept, reject } = checkInput(resolveInput, input);
  return writing(db, viewer, sessionId, async (tx) => {
    const proposal = await readProposal(tx, sessionId);
    if (proposal === null) throw new NotFoundError('nothing waits for a decision in this session');
    const { artifacts } = await readArtifacts(tx, sessionId);
    const parts = partsOf(diffArtifacts(artifacts, proposal.artifacts));
    assertParts(parts, [...accept, ...reject]);
    const dropped = new Set(reject);
    const taken = applyParts(artifacts, proposal.artifacts, new Set(accept));
    const left = applyParts(artifacts, proposal.artifacts, new Set(parts.filter((id) => !dropped.has(id))));
    await writeRevision(tx, sessionId, taken, { author: 'AI', turnId: proposal.turnId });
    const isSettled = isSameArtifacts(taken, left);
    await replaceProposal(tx, sessionId, isSettled ? null : { ...proposal, artifacts: left });
  });
}

/** @throws StaleArtifactsError unless the client's artifacts were made from the newest ones; null: it does not say. */
export function assertNewest({ id, revision }: BuilderSession, baseRevision: number | null): void {
  if (baseRevision === null || baseRevision === revision) return;
  const message = `your artifacts are based on revision ${baseRevision}, and the newest is ${revision}: take that over, or send yours again based on it`;
  throw new StaleArtifactsError(id, message);
}

/**
 * Stores what the user made of the artifacts of a session whose row is held, where it differs from what stands.
 * @throws InvalidInputError while a proposal waits that was made from what stands
 */
export async function writeByHand(tx: Tx, sessionId: string, artifacts: Artifacts): Promise<void> {
  await writeRevision(tx, sessionId, artifacts, { author: 'USER', turnId: null });
}

async function writeRevision(
  tx: Tx,
  sessionId: string,
  artifacts: Artifacts,
  by: { readonly author: RevisionAuthor; readonly turnId: string | null },
): Promise<void> {
  const newest = await readArtifacts(tx, sessionId);
  if (isSameArtifacts(newest.artifacts, artifacts)) return;
  if (by.author !== 'AI' && (await readProposal(tx, sessionId)) !== null) {
    const message = 'proposals of the builder wait for these artifacts: accept or reject them first';
    throw new InvalidInputError([{ path: ['input', 'artifacts'], message }]);
  }
  await insertRevision(tx, { sessionId, revision: newest.revision + 1, callId: null, artifacts, ...by });
}

function assertParts(parts: readonly string[], named: readonly string[]): void {
  const twice = named.find((id, index) => named.indexOf(id) !== index);
  const unknown = named.find((id) => !parts.includes(id));
  if (twice === undefined && unknown === undefined) return;
  const message =
    twice === undefined
      ? `${unknown} is no part of the proposal as it stands now; read it again`
      : `${twice} is named twice; accept or reject each part once`;
  throw new InvalidInputError([{ path: ['input', 'accept'], message }]);
}

async function writing(
  db: Db,
  viewer: Viewer,
  sessionId: string,
  write: (tx: Tx, session: BuilderSession) => Promise<void>,
): Promise<BuilderSession> {
  return db.transaction().execute(async (tx) => {
    await write(tx, await holdWritableSession(tx, viewer, sessionId));
    await touchSession(tx, sessionId);
    const [session] = await findBuilderSessions(tx, viewer, [sessionId]);
    if (!session) throw unknownBuilderSession(sessionId);
    return session;
  });
}
