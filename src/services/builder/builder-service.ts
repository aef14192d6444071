/**
 * What can be done with builder sessions. Every call is made for a viewer and sees only what that viewer owns in the
 * viewer's project: a foreign id answers like an unknown one. Turns are stopped and retried as those of chat are.
 */
import type { ArtifactDiff } from '../../domain/artifacts/artifact-diff.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type {
  ArtifactProposal,
  ArtifactRevision,
  BuilderMode,
  BuilderSession,
} from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { PageRequest, SentMessage } from '../copilot/copilot-service.ts';
import type { Page } from '../page-cursor.ts';

/** Artifacts as a client sends them, unchecked: null is empty, and what is absent stays as it is. */
export type ArtifactsInput = { readonly [Name in keyof Artifacts]?: unknown };

/** A message to the builder, unchecked. Without `sessionId` a session is made with it. */
export type SendBuilderMessageInput = {
  readonly sessionId?: string | null | undefined;
  readonly expertId?: string | null | undefined;
  readonly content: string;
  readonly clientMessageId: string;
  readonly artifacts: ArtifactsInput;
  /** The revision that the client's artifacts were made from; null: they are taken as they are. */
  readonly baseRevision?: number | null | undefined;
  readonly model?: string | null | undefined;
} & { readonly [Name in keyof BuilderMode]?: BuilderMode[Name] | null | undefined };

/** An edit by hand. */
export type UpdateArtifactsInput = {
  readonly sessionId: string;
  readonly artifacts: ArtifactsInput;
  readonly baseRevision: number;
};

/** Where to go back to: a revision, or the one before a turn changed anything. Exactly one of them. */
export type RevertArtifactInput = {
  readonly sessionId: string;
  readonly revision?: number | null | undefined;
  readonly turnId?: string | null | undefined;
  readonly baseRevision?: number | null | undefined;
};

/** Parts of the proposal to take and to drop, by their ids; the others wait on. */
export type ResolveHunksInput = {
  readonly sessionId: string;
  readonly accept: readonly string[];
  readonly reject: readonly string[];
};

/** Which sessions to remove. */
export type PurgeInput = { readonly olderThanHours: number; readonly dryRun: boolean };

/** A proposal with what it would change. */
export type ProposedChanges = ArtifactProposal & { readonly diff: ArtifactDiff };

/** The use cases of the instruction builder. Writing rejects with StaleArtifactsError where `baseRevision` is not the newest. */
export type BuilderService = {
  /** Asking again with the same `clientRequestId` answers with the same session. @throws InvalidInputError, NotFoundError */
  createSession(
    viewer: Viewer,
    input: { readonly expertId?: string | null | undefined; readonly clientRequestId: string },
  ): Promise<BuilderSession>;
  /**
   * Stores what the user changed as a revision and starts the turn that answers, in one transaction.
   * @throws InvalidInputError, NotFoundError, SessionBusyError, SessionLinkedError, StaleArtifactsError, RateLimitedError,
   * BudgetExceededError, ConflictError
   */
  sendMessage(viewer: Viewer, input: SendBuilderMessageInput): Promise<SentMessage>;
  /** @throws InvalidInputError, NotFoundError, TurnInProgressError, SessionLinkedError, StaleArtifactsError */
  updateArtifacts(viewer: Viewer, input: UpdateArtifactsInput): Promise<BuilderSession>;
  /** Going back is a revision itself; errors as {@link updateArtifacts}. */
  revertArtifact(viewer: Viewer, input: RevertArtifactInput): Promise<BuilderSession>;
  /** What is taken becomes a revision; errors as {@link updateArtifacts}. */
  resolveHunks(viewer: Viewer, input: ResolveHunksInput): Promise<BuilderSession>;
  /** Lets a session be written again that a job was made with; the job keeps what it has. @throws NotFoundError */
  reopen(viewer: Viewer, sessionId: string): Promise<BuilderSession>;
  /** Removes the viewer's sessions without a job that nobody touched for so long. @throws InvalidInputError */
  purgeOrphans(viewer: Viewer, input: PurgeInput): Promise<readonly string[]>;

  /** Each in the order of the ids, null for what is unknown. */
  sessions(viewer: Viewer, ids: readonly string[]): Promise<readonly (BuilderSession | null)[]>;
  sessionsOfJobs(viewer: Viewer, jobIds: readonly string[]): Promise<readonly (BuilderSession | null)[]>;
  /** Those in which something was said, the one that was written to last first. @throws InvalidInputError for a cursor that is none. */
  list(viewer: Viewer, page: PageRequest): Promise<Page<BuilderSession>>;
  /** The newest artifacts of a session that was read for the viewer. */
  artifacts(session: Pick<BuilderSession, 'id'>): Promise<Artifacts>;
  /** What waits for the user's decision; null for nothing. */
  proposal(session: Pick<BuilderSession, 'id'>): Promise<ProposedChanges | null>;
  /** Newest first. @throws InvalidInputError for a cursor that is none. */
  revisions(session: Pick<BuilderSession, 'id'>, page: PageRequest): Promise<Page<ArtifactRevision>>;
  /** @throws NotFoundError for a revision that the session does not have. */
  diff(session: Pick<BuilderSession, 'id'>, from: number, to: number): Promise<ArtifactDiff>;
};
