import { ARTIFACT_OF_TOOL } from '../../domain/artifacts/apply-artifact-call.ts';
import { ARTIFACT_TOOL_NAMES } from '../../domain/artifacts/artifact-calls.ts';
import type { EmitActivity, ToolCallEnd } from '../../domain/conversation/turn-activity.ts';
import type { ArtifactEditor } from './artifact-editor.ts';

/** Errors of calls that never reached their tool. */
const NEVER_RAN: ReadonlySet<string> = new Set(['INVALID_ARGUMENTS', 'SKIPPED', 'DUPLICATE_CALL']);

/**
 * Adds the outcome of artifact calls that never reached their tool, because their arguments could not be read or they were
 * one too many. Clients show an outcome for every call, since a model may claim that it succeeded.
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
    if (tool === undefined || !error || !NEVER_RAN.has(error.code)) return;
    const { revision } = editor;
    const kind = ARTIFACT_OF_TOOL[tool];
    emit({
      type: 'artifact',
      edit: {
        callId,
        tool,
        arguments: args,
        kind,
        outcome: 'INVALID_ARGS',
        note: error.message,
        revisionBefore: revision,
        revisionAfter: revision,
        changed: null,
      },
    });
  }
}
