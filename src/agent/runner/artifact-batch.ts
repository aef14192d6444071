import type { ArtifactProposal } from '../../domain/conversation/builder-session.ts';
import { MAX_LINE_LENGTH, previewArguments } from '../../domain/conversation/event-limits.ts';
import type { SessionEventPayloads } from '../../domain/conversation/session-event.ts';
import type { ArtifactEdit } from '../../domain/conversation/turn-activity.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import { redactSecrets, redactValue } from '../../base/redaction/redact.ts';
import type { ArtifactWrites, NewRevision } from '../../stores/pg/builder-artifacts.ts';

/** Collects the changes of a builder's turn: a revision for each call, or the newest state of a proposal. */
export class ArtifactGatherer {
  readonly #turn: { readonly sessionId: string; readonly turnId: string };
  #revisions: NewRevision[] = [];
  #proposal: ArtifactProposal | null = null;

  constructor(turn: { readonly sessionId: string; readonly turnId: string }) {
    this.#turn = turn;
  }

  /** Adds one edit; returns the payload of its event. */
  add(edit: ArtifactEdit): SessionEventPayloads['ArtifactEvent'] {
    const { callId, tool, kind, outcome, note, revisionBefore, revisionAfter, changed } = edit;
    if (changed?.isProposal) {
      this.#proposal = { ...this.#turn, artifacts: changed.to };
    } else if (changed) {
      const revision = { revision: revisionAfter, author: 'AI', callId, artifacts: changed.to } as const;
      this.#revisions.push({ ...this.#turn, ...revision });
    }
    return {
      callId,
      tool,
      arguments: previewArguments(redactValue(edit.arguments ?? null)),
      artifact: kind,
      outcome,
      revisionBefore,
      revisionAfter,
      isProposal: changed?.isProposal ?? false,
      note: note === null ? null : shorten(redactSecrets(note), MAX_LINE_LENGTH),
    };
  }

  /** The changes so far, null if there are none. */
  take(): ArtifactWrites | null {
    if (this.#revisions.length === 0 && this.#proposal === null) return null;
    const gathered = { revisions: this.#revisions, proposal: this.#proposal };
    this.#revisions = [];
    this.#proposal = null;
    return gathered;
  }
}
