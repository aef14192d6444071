/** Changes of artifacts that the user makes: by hand, by reverting, and by deciding about a proposal. */
import { z } from 'zod';
import {
  applyParts,
  diffArtifacts,
  partsOf,
  type ArtifactDiff,
} from '../../domain/artifacts/artifact-diff.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { takeBack, type OverlapChoice, type OverlapChoices } from '../../domain/artifacts/take-back.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  StaleArtifactsError,
  UserError,
} from '../../base/errors.ts';
import {
  decideEdit,
  insertRevision,
  listRevisions,
  type NewRevision,
  readArtifacts,
  readFollowedEdits,
  readGoingsBack,
  readProposal,
  readRevision,
  replaceProposal,
  revisionsOfTurn,
} from '../../stores/pg/builder-artifacts.ts';
import { findBuilderSessions } from '../../stores/pg/builder-sessions.ts';
import { type Db, type Tx, transact } from '../../stores/pg/database.ts';
import { touchSession } from '../../stores/pg/sessions.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import { decisionOn, MOST_FOLLOWED, pathOf } from './followed-edits.ts';
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

const overlapIds = z
  .array(z.string())
  .nullish()
  .transform((ids) => ids ?? []);

const revertInput = z
  .object({
    sessionId: z.string(),
    revision: revisionNumber.nullish(),
    turnId: z.string().nullish(),
    baseRevision: revisionNumber.nullish(),
    keep: overlapIds,
    discard: overlapIds,
  })
  .refine(({ revision, turnId }) => (revision == null) !== (turnId == null), {
    path: ['revision'],
    message: 'give either the revision to go back to, or the turn to undo',
  })
  .refine(({ keep, discard }) => !keep.some((id) => discard.includes(id)), {
    path: ['keep'],
    message: 'names an overlap that discard names, too',
  });

/** What to go back to, unchecked: a revision, or the artifacts without what a turn changed. Exactly one of them. */
export type RevertArtifactInput = z.input<typeof revertInput>;

/**
 * Goes back to an earlier revision, or takes back what one turn changed and keeps everything later; either is a new
 * revision.
 * @throws as {@link updateArtifacts}; for a turn also UndoOverlapError, and ConflictError where nothing of it is left
 */
export function revertArtifact(db: Db, viewer: Viewer, input: RevertArtifactInput): Promise<BuilderSession> {
  const { sessionId, revision, turnId, baseRevision, keep, discard } = checkInput(revertInput, input);
  return writing(db, viewer, sessionId, async (tx, session) => {
    assertNewest(session, baseRevision ?? null);
    if (turnId != null) {
      await assertNoProposal(tx, sessionId);
      const choices = new Map<string, OverlapChoice>();
      for (const id of keep) choices.set(id, 'KEEP');
      for (const id of discard) choices.set(id, 'DISCARD');
      await undoTurn(tx, session, { turnId, choices });
      return;
    }
    const earlier = await readRevision(tx, sessionId, revision ?? 0);
    if (earlier === null) {
      throw new NotFoundError(`this session has no revision ${revision}; its newest is ${session.revision}`);
    }
    const by = { author: 'REVERT', turnId: null, restoredRevision: earlier.revision } as const;
    await writeRevision(tx, sessionId, earlier.artifacts, by);
  });
}

/** Undoing a turn would take later changes along, which nobody has agreed to. */
export class UndoOverlapError extends UserError {
  readonly code = 'UNDO_OVERLAP';
  readonly sessionId: string;
  /** From the artifacts as they are to what undoing would leave in these places. */
  readonly overlaps: ArtifactDiff;
  constructor(sessionId: string, overlaps: ArtifactDiff) {
    super(
      `later changes lie in the same places as those of this turn: ${namesOf(overlaps)}. Name each by its id in discard, to lose it, or in keep, to undo only the rest`,
    );
    this.sessionId = sessionId;
    this.overlaps = overlaps;
  }
}

async function undoTurn(
  tx: Tx,
  session: BuilderSession,
  { turnId, choices }: { readonly turnId: string; readonly choices: OverlapChoices },
): Promise<void> {
  const { id: sessionId, revision: newest } = session;
  const made = await revisionsOfTurn(tx, sessionId, turnId);
  if (made.length === 0) {
    throw new NotFoundError(`turn ${turnId} changed nothing in this session, so there is nothing to undo`);
  }
  const path = pathOf(await readGoingsBack(tx, sessionId), newest);
  const left = made.filter(path.includes);
  if (path.undoneTurns.has(turnId)) {
    throw new ConflictError('this turn was undone before; nothing of it is left');
  }
  if (left.length === 0) {
    throw new ConflictError('you went back to before this turn; nothing of it is left');
  }
  const current = (await readArtifacts(tx, sessionId)).artifacts;
  let artifacts = current;
  const overlaps: ArtifactDiff[] = [];
  for (const { first, last } of runsOf(left).toReversed()) {
    const [before, after] = [
      await readRevision(tx, sessionId, first - 1),
      await readRevision(tx, sessionId, last),
    ];
    if (before === null || after === null) throw new NotFoundError(`revision ${first} is missing`);
    const change = { before: before.artifacts, after: after.artifacts };
    const since = await artifactsSince(tx, sessionId, { after: last, includes: path.includes });
    const taken = takeBack(change, [...since, artifacts], choices);
    artifacts = taken.artifacts;
    overlaps.push(taken.overlaps);
  }
  const open = {
    instructions: overlaps.flatMap(({ instructions }) => instructions),
    config: overlaps.flatMap(({ config }) => config),
    description: overlaps.find(({ description }) => description !== null)?.description ?? null,
  };
  if (partsOf(open).length > 0) throw new UndoOverlapError(sessionId, open);
  if (isSameArtifacts(current, artifacts)) {
    throw new ConflictError('nothing of what this turn changed is left, so there is nothing to undo');
  }
  // What was kept is still to be undone.
  const isWhole = ![...choices.values()].includes('KEEP');
  const by = { author: 'REVERT', turnId: null, undoneTurnId: isWhole ? turnId : null } as const;
  await writeRevision(tx, sessionId, artifacts, by);
}

/** Steps that a change is followed through; what lies further back than these is taken as one step. */
const MOST_STEPS = 100;

async function artifactsSince(
  tx: Tx,
  sessionId: string,
  { after, includes }: { readonly after: number; readonly includes: (revision: number) => boolean },
): Promise<readonly Artifacts[]> {
  const newest = await listRevisions(tx, sessionId, { limit: MOST_STEPS, before: null });
  return newest
    .filter(({ revision }) => revision > after && includes(revision))
    .map(({ artifacts }) => artifacts)
    .toReversed();
}

/** Runs of numbers without a gap. */
function runsOf(numbers: readonly number[]): readonly { readonly first: number; readonly last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const open = runs.at(-1);
    if (open?.last === number - 1) open.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs;
}

/** Longest passage that a refusal repeats. */
const MAX_NAME_LENGTH = 120;

/** What would go, in words. */
function namesOf({ instructions, config, description }: ArtifactDiff): string {
  const quoted = (text: unknown): string =>
    `“${shorten(typeof text === 'string' ? text : JSON.stringify(text), MAX_NAME_LENGTH)}”`;
  const lines = instructions.map(({ fromLine, lines: around }) => {
    const gone = around.filter(({ kind }) => kind === 'REMOVED').map(({ text }) => text);
    return gone.length === 0
      ? `what was removed from the instructions before line ${fromLine}`
      : `the instructions from line ${fromLine} on, ${quoted(gone.join('\n'))}`;
  });
  const settings = config.map(({ path, before }) => `the setting ${path.join('.')}, ${quoted(before)}`);
  const line = description === null ? [] : [`the description, ${quoted(description.before ?? '')}`];
  return [...line, ...lines, ...settings].join('; ');
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
    const revision = await writeRevision(tx, sessionId, taken, { author: 'AI', turnId: proposal.turnId });
    const isSettled = isSameArtifacts(taken, left);
    await replaceProposal(tx, sessionId, isSettled ? null : { ...proposal, artifacts: left });
    const pending = await readFollowedEdits(tx, sessionId, { limit: MOST_FOLLOWED, isPending: true });
    for (const edit of pending) {
      const decision = decisionOn(edit, { proposed: proposal.artifacts, left, taken });
      if (decision !== null) await decideEdit(tx, edit, decision, revision);
    }
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

/** Returns the number of the newest revision, which is a new one if the artifacts differ. */
async function writeRevision(
  tx: Tx,
  sessionId: string,
  artifacts: Artifacts,
  by: Omit<NewRevision, 'sessionId' | 'revision' | 'callId' | 'artifacts'>,
): Promise<number> {
  const newest = await readArtifacts(tx, sessionId);
  if (isSameArtifacts(newest.artifacts, artifacts)) return newest.revision;
  if (by.author !== 'AI') await assertNoProposal(tx, sessionId);
  const revision = newest.revision + 1;
  await insertRevision(tx, { sessionId, revision, callId: null, artifacts, ...by });
  return revision;
}

async function assertNoProposal(tx: Tx, sessionId: string): Promise<void> {
  if ((await readProposal(tx, sessionId)) === null) return;
  const message = 'the builder has proposed changes to these artifacts: accept or reject them first';
  throw InvalidInputError.at(['input', 'artifacts'], message);
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
