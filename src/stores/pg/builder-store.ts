import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { type BuilderMode, NO_ARTIFACTS } from '../../domain/conversation/builder-session.ts';
import { readArtifacts, readProposal, readRevision } from './builder-artifacts.ts';
import type { Db } from './database.ts';
import { isOneOf } from './ids.ts';

/** A builder session as a turn reads it. */
export type BuilderDraft = BuilderMode & {
  readonly expertId: string | null;
  readonly revision: number;
  readonly artifacts: Artifacts;
  /** The proposal that waits for the user's decision; null for none. */
  readonly proposed: Artifacts | null;
};

/** What a builder's turn reads of its session. */
export type BuilderStore = ReturnType<typeof createBuilderStore>;

/** The reads of a builder's turn, in Postgres. The caller has checked access to the session. */
export function createBuilderStore(db: Db) {
  return {
    async draft(sessionId: string): Promise<BuilderDraft> {
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
    /** The artifacts as they were when a turn ended. */
    async artifactsAfter(sessionId: string, turnId: string): Promise<Artifacts> {
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
    /** For each turn one line per tool call, in the order of the calls. */
    async callsOf(
      sessionId: string,
      turnIds: readonly string[],
    ): Promise<ReadonlyMap<string, readonly string[]>> {
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
