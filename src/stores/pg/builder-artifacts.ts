import type { Selectable } from 'kysely';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import {
  NO_ARTIFACTS,
  type ArtifactProposal,
  type ArtifactRevision,
} from '../../domain/conversation/builder-session.ts';
import type { Db, Tx } from './database.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** A revision to be stored. */
export type NewRevision = Omit<ArtifactRevision, 'createdAt'>;

/** The artifacts with their number. */
export type NumberedArtifacts = { readonly revision: number; readonly artifacts: Artifacts };

/** Stored with a batch of events: revisions in order, and the pending proposal after them. */
export type ArtifactWrites = {
  readonly revisions: readonly NewRevision[];
  readonly proposal: ArtifactProposal | null;
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

/** The revision before the first change of a turn; null for a turn that changed nothing. */
export async function readBaseOfTurn(db: Db, sessionId: string, turnId: string): Promise<number | null> {
  const row = await db
    .selectFrom('builder_artifact_revisions')
    .select(({ fn }) => fn.min('revision').as('first'))
    .where('session_id', '=', sessionId)
    .where('turn_id', '=', turnId)
    .where('author', '=', 'AI')
    .executeTakeFirst();
  return row?.first == null ? null : row.first - 1;
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
