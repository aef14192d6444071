import { applyEvent, textOf } from '@qpilot/client/view';
import {
  ARTIFACT_TOOL_NAMES,
  type ArtifactToolName,
} from '../../../../src/domain/artifacts/artifact-calls.ts';
import { applyArtifactCall } from '../../../../src/domain/artifacts/apply-artifact-call.ts';
import type { CategoryRule } from '../../../../src/domain/artifacts/artifacts.ts';
import type {
  ArtifactEdit,
  ArtifactEvent,
  ArtifactState,
  BuilderEvent,
  BuilderView,
} from './builder-view.ts';

/**
 * The view after one more event. Events are taken in the order of the log and once, as the copilot's pages take them.
 */
export function applyBuilderEvent(view: BuilderView, event: BuilderEvent): BuilderView {
  const conversation = applyEvent(view.conversation, event);
  if (conversation === view.conversation) return view;
  const next = { ...view, conversation };
  if (event.__typename === 'ArtifactEvent') {
    const edits = [...(view.edits[event.turnId] ?? []), editOf(view, event)];
    const state = afterEdit(view.state, event);
    return { ...next, state, edits: { ...view.edits, [event.turnId]: edits } };
  }
  if (event.__typename === 'StatusEvent' && event.summary) {
    return { ...next, summarised: { ...view.summarised, [event.turnId]: event.summary.messageCount } };
  }
  return next;
}

function editOf({ conversation }: BuilderView, event: ArtifactEvent): ArtifactEdit {
  const { callId, tool, artifact, outcome, revisionBefore, revisionAfter, isProposal, note } = event;
  const offset = textOf(conversation.turns[event.turnId]?.parts ?? []).length;
  const edit = { callId, tool, artifact, outcome, revisionBefore, revisionAfter, isProposal };
  return { ...edit, note: note ?? null, offset };
}

/**
 * The artifacts after an edit. What was read may hold it already; what the event does not contain (long arguments are
 * cut, and edits by hand have no events) has to be read.
 */
export function afterEdit(state: ArtifactState, event: ArtifactEvent): ArtifactState {
  const { tool, revisionBefore, revisionAfter, isProposal } = event;
  if (isProposal || revisionAfter <= state.revision) return state;
  const behind = { ...state, newest: Math.max(state.newest, revisionAfter) };
  if (revisionBefore !== state.revision || !isArtifactTool(tool)) return behind;
  const rules = { categories: categoriesOf(event.arguments), strict: false };
  const { artifacts } = applyArtifactCall(state.artifacts, tool, event.arguments, rules);
  return artifacts === state.artifacts ? behind : { ...behind, artifacts, revision: revisionAfter };
}

const isArtifactTool = (name: string): name is ArtifactToolName =>
  ARTIFACT_TOOL_NAMES.some((known) => known === name);

/** The server let the call through, so the categories that it names exist and are not locked. */
function categoriesOf(args: unknown): readonly CategoryRule[] {
  const { tools, clear } = (args ?? {}) as { readonly tools?: unknown; readonly clear?: unknown };
  const set = listOf(tools).map((entry) => (entry as { readonly category?: unknown } | null)?.category);
  const cleared = listOf(clear).map((path) =>
    typeof path === 'string' ? path.slice('tools.'.length) : null,
  );
  return [...set, ...cleared]
    .filter((name) => typeof name === 'string')
    .map((name) => ({ name, tools: [], locked: false }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
