/**
 * The artifacts in the hands of one turn: applies the calls of the artifact tools in their order and tells each as an
 * activity, from which the log's writer stores revision and event together. While the turn runs nobody else may change
 * them, so what it holds is what is stored.
 */
import { applyArtifactCall } from '../../domain/artifacts/apply-artifact-call.ts';
import type { ArtifactToolName } from '../../domain/artifacts/artifact-calls.ts';
import type { ArtifactChange, ArtifactRules, Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { BuilderMode } from '../../domain/conversation/builder-session.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import { keptArtifacts } from '../../domain/artifacts/kept-artifacts.ts';

/** What a turn begins with. */
export type EditedSession = BuilderMode & {
  readonly revision: number;
  /** The newest revision, or the proposal that waits, which the turn then goes on with. */
  readonly artifacts: Artifacts;
};

/** A call of an artifact tool, with arguments as the model gave them. */
export type ArtifactCall = {
  readonly callId: string;
  readonly tool: ArtifactToolName;
  readonly args: unknown;
};

/** Applies calls to the artifacts of a session. */
export type ArtifactEditor = {
  /** Of the newest artifacts; a proposal has none of its own. */
  readonly revision: number;
  /** Applies a call and tells it; the change as the model is to hear of it. */
  apply(call: ArtifactCall): ArtifactChange & { readonly revision: number };
};

/** An editor for one turn. */
export function createArtifactEditor(
  session: EditedSession,
  categories: ArtifactRules['categories'],
  emit: EmitActivity,
): ArtifactEditor {
  const { strict, review } = session;
  let { artifacts, revision } = session;
  return {
    get revision() {
      return revision;
    },
    apply({ callId, tool, args }) {
      const change = applyArtifactCall(artifacts, tool, args, { categories, strict });
      const { kind, outcome, note } = change;
      const isChanged = change.artifacts !== artifacts;
      const revisionBefore = revision;
      if (isChanged) artifacts = keptArtifacts(change.artifacts);
      if (isChanged && !review) revision += 1;
      emit({
        type: 'artifact',
        edit: {
          callId,
          tool,
          arguments: args,
          kind,
          outcome,
          note,
          revisionBefore,
          revisionAfter: revision,
          changed: isChanged ? { to: artifacts, isProposal: review } : null,
        },
      });
      return { ...change, artifacts, revision };
    },
  };
}
