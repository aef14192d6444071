/**
 * Builder sessions: conversations that write the artifacts of a job. Turns and events are shared with other sessions.
 */
import type { ArtifactKind, Artifacts } from '../artifacts/artifacts.ts';
import type { EditTrace } from '../artifacts/edit-trace.ts';

/** `OPEN` until a job is made with it; `ABANDONED` after a day without activity. */
export const BUILDER_SESSION_STATUSES = ['OPEN', 'LINKED', 'ABANDONED'] as const;
export type BuilderSessionStatus = (typeof BUILDER_SESSION_STATUSES)[number];

/** Who made a revision; `REVERT` is the user, going back to an earlier one or undoing a turn. */
export const REVISION_AUTHORS = ['USER', 'AI', 'REVERT'] as const;
export type RevisionAuthor = (typeof REVISION_AUTHORS)[number];

/** Artifacts of a new session. */
export const NO_ARTIFACTS: Artifacts = { instructions: null, config: null, description: null };

/** The artifacts after one change. Revisions count from 1 and are never changed; revision 0 is {@link NO_ARTIFACTS}. */
export type ArtifactRevision = {
  readonly sessionId: string;
  readonly revision: number;
  readonly author: RevisionAuthor;
  /** The turn and the tool call that made it; null for the user's own. */
  readonly turnId: string | null;
  readonly callId: string | null;
  /** The turn that it undid, or the earlier revision that it restored; null for all others. */
  readonly undoneTurnId: string | null;
  readonly restoredRevision: number | null;
  readonly artifacts: Artifacts;
  readonly createdAt: Date;
};

/** What became of an edit of the builder. */
export const EDIT_STATES = [
  'APPLIED',
  'PROPOSED',
  'ACCEPTED',
  'REJECTED',
  'PARTLY',
  'UNDONE',
  'REPLACED',
] as const;
export type EditState = (typeof EDIT_STATES)[number];

/** How the user decided about a proposed edit; `REPLACED`: a later edit of the same proposal had taken its place. */
export type EditDecision = Extract<EditState, 'ACCEPTED' | 'REJECTED' | 'PARTLY' | 'REPLACED'>;

/** An edit of the builder that changed an artifact or proposed to, as it is followed from then on. */
export type FollowedEdit = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly artifact: ArtifactKind;
  readonly trace: EditTrace;
  readonly isProposal: boolean;
  /** Null while it is pending, and for what was not proposed. */
  readonly decision: EditDecision | null;
  /** The revision that brought it into the artifacts; null where none did. */
  readonly revision: number | null;
};

/** Changes of the AI that wait for the user to accept or reject their parts. At most one a session. */
export type ArtifactProposal = {
  readonly sessionId: string;
  /** The newest turn that wrote in it. */
  readonly turnId: string;
  readonly artifacts: Artifacts;
};

/** How the artifact tools treat ambiguous and AI-made edits. */
export type BuilderMode = {
  /** Whether an edit that matches more than once is refused instead of changing the first match. */
  readonly strict: boolean;
  /** Whether changes of the AI are proposals until the user accepts them. */
  readonly review: boolean;
};

/** A builder session as its owner sees it. */
export type BuilderSession = BuilderMode & {
  readonly id: string;
  readonly title: string;
  readonly expertId: string | null;
  /** The newest job that was made with it. */
  readonly jobId: string | null;
  readonly status: BuilderSessionStatus;
  /** Of the newest artifacts. */
  readonly revision: number;
  /** Of its older turns, in the words of the model; null where nothing was summarised. */
  readonly summary: string | null;
  /** `seq` of its newest event. */
  readonly lastSeq: number;
  readonly createdAt: Date;
  /** Of its newest message or edit. */
  readonly updatedAt: Date;
};
