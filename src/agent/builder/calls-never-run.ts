import { ARTIFACT_OF_TOOL } from '../../domain/artifacts/apply-artifact-call.ts';
import { ARTIFACT_TOOL_NAMES } from '../../domain/artifacts/artifact-calls.ts';
import type { EmitActivity, ToolCallEnd } from '../../domain/conversation/turn-activity.ts';
import type { ArtifactEditor } from './artifact-editor.ts';

/** Codes of calls that their tool never saw. */
const NEVER_RAN: ReadonlySet<string> = new Set(['INVALID_ARGUMENTS', 'SKIPPED', 'DUPLICATE_CALL']);

/**
 * Emits for a turn with artifact tools: a call whose arguments could not be read, or that was one too many, never reaches
 * its tool, so its outcome, which clients show for every call, is told here: a model may well claim that it was done.
 */
export function tellingNeverRun(emit: EmitActivity, editor: Pick<ArtifactEditor, 'revision'>): EmitActivity {
  const given = new Map<string, unknown>();
  return (activity) => {
    if (activity.type === 'tool-started') given.set(activity.call.callId, activity.call.arguments);
    if (activity.type === 'tool-finished') tellOutcome(activity.call, given.get(activity.call.callId));
    emit(activity);
  };

  function tellOutcome({ callId, tool: name, error }: ToolCallEnd, args: unknown): void {
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
