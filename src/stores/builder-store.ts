/** What a builder's turn reads of its session: a port, so that it can be built and tested without a database. */
import type { Artifacts } from '../domain/artifacts/artifacts.ts';
import type { BuilderMode } from '../domain/conversation/builder-session.ts';

/** A builder session as a turn finds it. */
export type BuilderDraft = BuilderMode & {
  readonly expertId: string | null;
  readonly revision: number;
  readonly artifacts: Artifacts;
  /** What waits for the user's decision; null for nothing. */
  readonly proposed: Artifacts | null;
};

/** Reads of a builder's turn, scoped by the session that its run was given. */
export type BuilderStore = {
  draft(sessionId: string): Promise<BuilderDraft>;
  /** The artifacts as they stood when a turn ended. */
  artifactsAfter(sessionId: string, turnId: string): Promise<Artifacts>;
  /** What the tool calls of each turn came to, one line a call, in their order. */
  callsOf(sessionId: string, turnIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
};
