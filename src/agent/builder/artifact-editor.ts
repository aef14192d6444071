import { ARTIFACT_OF_TOOL, applyArtifactCall } from '../../domain/artifacts/apply-artifact-call.ts';
import { ARTIFACT_TOOL_NAMES, type ArtifactToolName } from '../../domain/artifacts/artifact-calls.ts';
import type {
  ArtifactChange,
  ArtifactOutcome,
  ArtifactRules,
  Artifacts,
} from '../../domain/artifacts/artifacts.ts';
import { traceEdit } from '../../domain/artifacts/edit-trace.ts';
import type { BuilderMode } from '../../domain/conversation/builder-session.ts';
import type { EmitActivity, ToolCallEnd } from '../../domain/conversation/turn-activity.ts';
import { keptArtifacts } from '../../domain/artifacts/kept-artifacts.ts';

/** The session at the start of a turn. */
export type EditedSession = BuilderMode & {
  readonly revision: number;
  /** The newest revision, or the pending proposal, which the turn then continues. */
  readonly artifacts: Artifacts;
};

/** A call of an artifact tool, with the model's arguments. */
export type ArtifactCall = {
  readonly callId: string;
  readonly tool: ArtifactToolName;
  readonly args: unknown;
};

export type ArtifactEditor = ReturnType<typeof createArtifactEditor>;

/**
 * Applies the artifact calls of one turn in order and emits each as an activity, from which the log's writer stores
 * revision and event together. Nobody else may change the artifacts while the turn runs, so this state equals the
 * stored one.
 */
export function createArtifactEditor(
  session: EditedSession,
  categories: ArtifactRules['categories'],
  emit: EmitActivity,
) {
  const { strict, review } = session;
  let { artifacts, revision } = session;
  return {
    /** Revision of the newest artifacts; proposals have none. */
    get revision() {
      return revision;
    },
    /** Applies and emits a call; returns the change to describe to the model. */
    apply({ callId, tool, args }: ArtifactCall): ArtifactChange & { readonly revision: number } {
      const change = applyArtifactCall(artifacts, tool, args, { categories, strict });
      const { kind, outcome, note } = change;
      const isChanged = change.artifacts !== artifacts;
      const before = artifacts;
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
          changed: isChanged
            ? { to: artifacts, isProposal: review, trace: traceEdit(kind, before, artifacts) }
            : null,
        },
      });
      return { ...change, artifacts, revision };
    },
  };
}

/** Errors of calls that never reached their tool. */
const NEVER_RAN: ReadonlyMap<string, ArtifactOutcome> = new Map([
  ['INVALID_ARGUMENTS', 'INVALID_ARGS'],
  ['DUPLICATE_CALL', 'INVALID_ARGS'],
  ['SKIPPED', 'SKIPPED'],
]);

/**
 * Adds the outcome of artifact calls that never reached their tool, because their arguments could not be read or they
 * were one too many. Clients show an outcome for every call, since a model may claim that it succeeded.
 */
export function reportingNeverRun(
  emit: EmitActivity,
  editor: Pick<ArtifactEditor, 'revision'>,
): EmitActivity {
  const argumentsOf = new Map<string, unknown>();
  return (activity) => {
    if (activity.type === 'tool-started') argumentsOf.set(activity.call.callId, activity.call.arguments);
    if (activity.type === 'tool-finished') report(activity.call, argumentsOf.get(activity.call.callId));
    emit(activity);
  };

  function report({ callId, tool: name, error }: ToolCallEnd, args: unknown): void {
    const tool = ARTIFACT_TOOL_NAMES.find((each) => each === name);
    const outcome = error && NEVER_RAN.get(error.code);
    if (tool === undefined || !error || !outcome) return;
    const { revision } = editor;
    const kind = ARTIFACT_OF_TOOL[tool];
    emit({
      type: 'artifact',
      edit: {
        callId,
        tool,
        arguments: args,
        kind,
        outcome,
        note: error.message,
        revisionBefore: revision,
        revisionAfter: revision,
        changed: null,
      },
    });
  }
}
