/** Changes of artifacts that the user makes: by hand, by reverting, and by deciding about a proposal. */
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
import { type Db, type Tx, transact } from '../../stores/pg/database.ts';
import { touchSession } from '../../stores/pg/sessions.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { artifactsInput, isSameArtifacts, revisionNumber, withInput } from './builder-input.ts';
import { holdWritableSession, unknownBuilderSession } from './builder-link.ts';

const updateInput = z.object({
  sessionId: z.string(),
  artifacts: artifactsInput,
  baseRevision: revisionNumber,
});

/** An edit by hand, unchecked. */
export type UpdateArtifactsInput = z.input<typeof updateInput>;

/**
 * Stores an edit by hand.
 * @throws InvalidInputError, NotFoundError, TurnInProgressError, SessionLinkedError, StaleArtifactsError
 */
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

/** What to go back to, unchecked: a revision, or the one before a turn's first change. Exactly one of them. */
export type RevertArtifactInput = z.input<typeof revertInput>;

/** Goes back to an earlier state, as a new revision. Errors as {@link updateArtifacts}. */
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

/** Parts of the proposal to accept and to reject, by id; the others stay pending. */
export type ResolveHunksInput = z.input<typeof resolveInput>;

/**
 * Accepts and rejects parts of the proposal; accepted parts become a revision.
 * @throws InvalidInputError, NotFoundError, TurnInProgressError, SessionLinkedError
 */
export function resolveHunks(db: Db, viewer: Viewer, input: ResolveHunksInput): Promise<BuilderSession> {
  const { sessionId, accept, reject } = checkInput(resolveInput, input);
  return writing(db, viewer, sessionId, async (tx) => {
    const proposal = await readProposal(tx, sessionId);
    if (proposal === null) throw new NotFoundError('this session has no proposal to decide about');
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

/** @throws StaleArtifactsError unless the client's artifacts are based on the newest revision; null skips the check. */
export function assertNewest({ id, revision }: BuilderSession, baseRevision: number | null): void {
  if (baseRevision === null || baseRevision === revision) return;
  const message = `your artifacts are based on revision ${baseRevision}, and the newest is ${revision}: use that, or send yours again based on it`;
  throw new StaleArtifactsError(id, message);
}

/**
 * Stores the user's version of the artifacts if it differs from the newest one; the caller has locked the
 * session's row.
 * @throws InvalidInputError while a proposal for the newest artifacts is pending
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
    const message = 'the builder has proposed changes to these artifacts: accept or reject them first';
    throw InvalidInputError.at(['input', 'artifacts'], message);
  }
  await insertRevision(tx, { sessionId, revision: newest.revision + 1, callId: null, artifacts, ...by });
}

function assertParts(parts: readonly string[], named: readonly string[]): void {
  const twice = named.find((id, index) => named.indexOf(id) !== index);
  const unknown = named.find((id) => !parts.includes(id));
  if (twice === undefined && unknown === undefined) return;
  const message =
    twice === undefined
      ? `${unknown} is not a part of the current proposal; read it again`
      : `${twice} is named twice; accept or reject each part once`;
  throw InvalidInputError.at(['input', 'accept'], message);
}

async function writing(
  db: Db,
  viewer: Viewer,
  sessionId: string,
  write: (tx: Tx, session: BuilderSession) => Promise<void>,
): Promise<BuilderSession> {
  return transact(db, async (tx) => {
    await write(tx, await holdWritableSession(tx, viewer, sessionId));
    await touchSession(tx, sessionId);
    const [session] = await findBuilderSessions(tx, viewer, [sessionId]);
    if (!session) throw unknownBuilderSession(sessionId);
    return session;
  });
}
