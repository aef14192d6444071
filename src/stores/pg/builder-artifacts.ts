import { newId } from './ids.ts';
import type { Selectable } from 'kysely';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import {
  NO_ARTIFACTS,
  type ArtifactProposal,
  type ArtifactRevision,
  type EditDecision,
  type FollowedEdit,
} from '../../domain/conversation/builder-session.ts';
import type { Db, Tx } from './database.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** A revision to be stored. */
export type NewRevision = Omit<ArtifactRevision, 'createdAt' | keyof GoesBack> & Partial<GoesBack>;
type GoesBack = Pick<ArtifactRevision, 'undoneTurnId' | 'restoredRevision'>;

/** The artifacts with their number. */
export type NumberedArtifacts = { readonly revision: number; readonly artifacts: Artifacts };

/** Stored with a batch of events: revisions and edits in order, and the pending proposal after them. */
export type ArtifactWrites = {
  readonly revisions: readonly NewRevision[];
  readonly proposal: ArtifactProposal | null;
  readonly edits?: readonly FollowedEdit[];
};

/** Stores a revision of a session; its row must be locked. */
export async function insertRevision(tx: Tx, revision: NewRevision): Promise<ArtifactRevision> {
  const { config } = revision.artifacts;
  const row = await tx
    .insertInto('builder_artifact_revisions')
    .values({ ...revisionToRow(revision), config: config && JSON.stringify(config) })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToRevision(row);
}

/** A revision as a row for `json_populate_recordset`; its time is the database's. */
export const revisionToRow = ({ artifacts, ...rest }: NewRevision) => ({ ...snakeKeys(rest), ...artifacts });

/** A proposal as a row for `json_populate_recordset`. */
export const proposalToRow = ({ artifacts, ...rest }: ArtifactProposal) => ({
  ...snakeKeys(rest),
  ...artifacts,
});

/** A followed edit as a row for `json_populate_recordset`. */
export const editToRow = (edit: FollowedEdit) => ({ id: newId(), ...snakeKeys(edit) });

/** The newest artifacts of a session; the caller has checked access to it. */
export async function readArtifacts(db: Db, sessionId: string): Promise<NumberedArtifacts> {
  const row = await db
    .selectFrom('builder_artifact_revisions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? rowToRevision(row) : { revision: 0, artifacts: NO_ARTIFACTS };
}

/** One revision of a session; null for a number that it does not have. Number 0 has no row. */
export async function readRevision(
  db: Db,
  sessionId: string,
  revision: number,
): Promise<NumberedArtifacts | null> {
  if (revision === 0) return { revision, artifacts: NO_ARTIFACTS };
  const row = await db
    .selectFrom('builder_artifact_revisions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return row ? rowToRevision(row) : null;
}

/** Numbers of the revisions that a turn made, in their order. */
export async function revisionsOfTurn(db: Db, sessionId: string, turnId: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('builder_artifact_revisions')
    .select('revision')
    .where('session_id', '=', sessionId)
    .where('turn_id', '=', turnId)
    .where('author', '=', 'AI')
    .orderBy('revision')
    .execute();
  return rows.map(({ revision }) => revision);
}

/** Revisions by which the user went back, and to what. */
export type GoingBack = GoesBack & Pick<ArtifactRevision, 'revision'>;

/** All of a session, newest first. */
export async function readGoingsBack(db: Db, sessionId: string): Promise<readonly GoingBack[]> {
  const rows = await db
    .selectFrom('builder_artifact_revisions')
    .select(['revision', 'undone_turn_id', 'restored_revision'])
    .where('session_id', '=', sessionId)
    .where('author', '=', 'REVERT')
    .orderBy('revision', 'desc')
    .execute();
  return rows.map(camelKeys);
}

/** The newest followed edits of a session, newest first; only the pending ones with `isPending`. */
export async function readFollowedEdits(
  db: Db,
  sessionId: string,
  wanted: { readonly limit: number; readonly isPending?: boolean },
): Promise<readonly FollowedEdit[]> {
  let query = db
    .selectFrom('builder_edits')
    .select(['session_id', 'turn_id', 'call_id', 'artifact', 'trace', 'is_proposal', 'decision', 'revision'])
    .where('session_id', '=', sessionId)
    .orderBy('id', 'desc')
    .limit(wanted.limit);
  if (wanted.isPending) query = query.where('is_proposal', '=', true).where('decision', 'is', null);
  return (await query.execute()).map(camelKeys);
}

/** Stores how the user decided about a proposed edit, and the revision that it became a part of. */
export async function decideEdit(
  tx: Tx,
  { sessionId, turnId, callId }: FollowedEdit,
  decision: EditDecision,
  revision: number | null,
): Promise<void> {
  await tx
    .updateTable('builder_edits')
    .set({ decision, revision })
    .where('session_id', '=', sessionId)
    .where('turn_id', '=', turnId)
    .where('call_id', '=', callId)
    .execute();
}

/** Up to `limit` revisions below `before`, newest first; null: from the newest. */
export async function listRevisions(
  db: Db,
  sessionId: string,
  page: { readonly limit: number; readonly before: number | null },
): Promise<ArtifactRevision[]> {
  let query = db
    .selectFrom('builder_artifact_revisions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('revision', 'desc')
    .limit(page.limit);
  if (page.before !== null) query = query.where('revision', '<', page.before);
  return (await query.execute()).map(rowToRevision);
}

/** The proposal that waits for the user's decision; null for none. */
export async function readProposal(db: Db, sessionId: string): Promise<ArtifactProposal | null> {
  const row = await db
    .selectFrom('builder_proposals')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (!row) return null;
  const { session_id: _session, turn_id: turnId, ...artifacts } = row;
  return { sessionId, turnId, artifacts };
}

/** Replaces the pending proposal of a session, or removes it with null; the session's row must be locked. */
export async function replaceProposal(
  tx: Tx,
  sessionId: string,
  proposal: ArtifactProposal | null,
): Promise<void> {
  await tx.deleteFrom('builder_proposals').where('session_id', '=', sessionId).execute();
  if (proposal === null) return;
  const { config } = proposal.artifacts;
  await tx
    .insertInto('builder_proposals')
    .values({ ...proposalToRow(proposal), config: config && JSON.stringify(config) })
    .execute();
}

function rowToRevision(row: Selectable<Database['builder_artifact_revisions']>): ArtifactRevision {
  const { instructions, config, description, ...rest } = row;
  return { ...camelKeys(rest), artifacts: { instructions, config, description } };
}
