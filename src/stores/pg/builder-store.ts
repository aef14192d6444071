import { NO_ARTIFACTS } from '../../domain/conversation/builder-session.ts';
import type { BuilderStore } from '../builder-store.ts';
import { readArtifacts, readProposal, readRevision } from './builder-artifacts.ts';
import type { Db } from './database.ts';
import { isOneOf } from './ids.ts';

/** The reads of a builder's turn, in Postgres. */
export function createBuilderStore(db: Db): BuilderStore {
  return {
    async draft(sessionId) {
      const draft = await db
        .selectFrom('builder_drafts')
        .select(['expert_id', 'strict', 'review'])
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow();
      const { strict, review, expert_id: expertId } = draft;
      const newest = await readArtifacts(db, sessionId);
      const proposal = await readProposal(db, sessionId);
      return { expertId, strict, review, ...newest, proposed: proposal?.artifacts ?? null };
    },
    async artifactsAfter(sessionId, turnId) {
      const row = await db
        .selectFrom('builder_artifact_revisions as revisions')
        .innerJoin('turns', 'turns.session_id', 'revisions.session_id')
        .select(({ fn }) => fn.max('revisions.revision').as('revision'))
        .where('turns.id', '=', turnId)
        .where('turns.session_id', '=', sessionId)
        .whereRef('revisions.created_at', '<=', 'turns.finished_at')
        .executeTakeFirst();
      const found = await readRevision(db, sessionId, row?.revision ?? 0);
      return found?.artifacts ?? NO_ARTIFACTS;
    },
    async callsOf(sessionId, turnIds) {
      const rows = await db
        .selectFrom('tool_calls')
        .select(['turn_id', 'tool', 'preview'])
        .where('session_id', '=', sessionId)
        .where(isOneOf('turn_id', turnIds))
        .orderBy('id')
        .execute();
      const byTurn = Map.groupBy(rows, (row) => row.turn_id);
      const lines = [...byTurn].map(
        ([turnId, calls]) =>
          [turnId, calls.map(({ tool, preview }) => `${tool}: ${preview ?? 'not finished'}`)] as const,
      );
      return new Map(lines);
    },
  };
}
