import type { SessionEvent } from '../events.ts';
import { afterReset, chartOf, partsOf, withText, withVisual } from './parts.ts';
import {
  isFinal,
  newTurn,
  type EventOf,
  type SessionView,
  type Step,
  type Thought,
  type TurnPlace,
  type TurnView,
} from './session-view.ts';

/**
 * The view after one more event. Events are taken in the order of the log and once: one that was seen before, or that
 * comes too early, changes nothing. Kinds that this client does not know only count.
 */
export function applyEvent(view: SessionView, event: SessionEvent): SessionView {
  if (event.seq !== view.seq + 1) return view;
  return { ...changed(view, event), seq: event.seq };
}

function changed(view: SessionView, event: SessionEvent): SessionView {
  const turn = view.turns[event.turnId];
  // Already stored completely: replayed parts of it are old.
  if (turn && isFinal(turn)) return view;
  if (event.__typename === 'TurnStartedEvent') return event.turn ? placed(view, event.turn, 'RUNNING') : view;
  if (!turn) {
    const isQueued = event.__typename === 'StatusEvent' && event.phase === 'QUEUED';
    return isQueued && event.turn ? placed(view, event.turn, 'QUEUED') : view;
  }
  return { ...view, turns: { ...view.turns, [turn.id]: { ...turn, ...changeOf(turn, event) } } };
}

type EventOfTurn = Exclude<SessionEvent, EventOf<'TurnStartedEvent'>>;

/** What an event changes of its turn. */
function changeOf({ parts, thoughts, steps, notices }: TurnView, event: EventOfTurn): Partial<TurnView> {
  switch (event.__typename) {
    case 'TokenEvent':
      return { parts: withText(parts, event.text, event.offset) };
    case 'ThinkingEvent':
      return { thoughts: withThinking(thoughts, event) };
    case 'ChartEvent':
      return { parts: withVisual(parts, { type: 'chart', chart: chartOf(event.chart) }) };
    case 'TableEvent':
      return { parts: withVisual(parts, { type: 'table', table: event.table }) };
    case 'MessageJoinedEvent':
      return { parts: withVisual(parts, { type: 'message', message: event.joined }) };
    case 'StepResetEvent':
      return {
        parts: afterReset(parts, event.keepUntilOffset, event.droppedChartIds),
        notices: [...notices, { kind: 'STEP_RESET', text: event.resetReason }],
        activity: { phase: null, text: event.resetReason },
      };
    case 'ToolCallStartedEvent':
      return { steps: [...steps, startedStep(event)] };
    case 'ToolCallFinishedEvent':
      return {
        steps: steps.map((step) => (step.callId === event.callId ? finishedStep(step, event) : step)),
      };
    case 'ToolApprovalEvent':
      return {
        steps: steps.map((step) => (step.callId === event.callId ? askedStep(step, event) : step)),
      };
    case 'StatusEvent':
      return { activity: { phase: event.phase, text: event.text } };
    case 'UsageEvent':
      return { usage: event.usageSoFar };
    case 'SourceFallbackEvent':
      return {
        notices: [...notices, { kind: 'SOURCE_FALLBACK', text: event.text }],
        activity: { phase: null, text: event.text },
      };
    case 'TurnFinishedEvent':
      return ending(event);
    case 'ArtifactEvent': // of builder sessions, which have pages of their own
      return {};
    default:
      event satisfies never;
      return {};
  }
}

function withThinking(
  thoughts: readonly Thought[],
  { thought: number, text: more, offset, thoughtMs }: EventOf<'ThinkingEvent'>,
): readonly Thought[] {
  const before = thoughts.find((thought) => thought.number === number)?.text ?? '';
  const thought = { number, text: before.slice(0, offset) + more, durationMs: thoughtMs ?? null };
  return [...thoughts.filter((other) => other.number !== number), thought];
}

function startedStep(event: EventOf<'ToolCallStartedEvent'>): Step {
  return {
    callId: event.callId,
    tool: event.tool,
    label: event.label,
    description: event.description,
    status: 'RUNNING',
    startedAt: event.createdAt,
    durationMs: null,
    dataSource: null,
    preview: '',
    error: null,
    recordId: null,
  };
}

function askedStep(
  step: Step,
  { toolCallId, arguments: given, approval }: EventOf<'ToolApprovalEvent'>,
): Step {
  const { state, server, serverTool, until } = approval;
  return { ...step, approval: { toolCallId, arguments: given, state, server, serverTool, until } };
}

function finishedStep({ approval: _approval, ...step }: Step, event: EventOf<'ToolCallFinishedEvent'>): Step {
  return {
    ...step,
    status: event.toolStatus,
    startedAt: null,
    durationMs: event.durationMs,
    dataSource: event.dataSource ?? null,
    preview: event.preview,
    error: event.error ?? null,
    recordId: event.resultId ?? null,
  };
}

function ending(event: EventOf<'TurnFinishedEvent'>): Partial<TurnView> {
  const { blocks, ...answer } = event.answer ?? { blocks: null };
  return {
    status: event.turnStatus,
    startedAt: event.turn?.startedAt ?? null,
    finishedAt: event.turn?.finishedAt ?? event.createdAt,
    activity: null,
    parts: blocks === null ? [] : partsOf(blocks),
    answer: 'id' in answer ? answer : null,
    usage: event.usage ?? null,
    error: event.error ?? null,
    rounds: event.rounds,
  };
}

/**
 * A turn takes its place in the branch, and what stood behind the turn that it follows is shown no longer: an edit or a
 * retry began a new branch. Its siblings learn of it.
 */
function placed(view: SessionView, place: TurnPlace, status: 'QUEUED' | 'RUNNING'): SessionView {
  const turn = newTurn(place, status);
  const siblings = turn.siblingIds.flatMap((id) => view.turns[id] ?? []);
  const turns = {
    ...view.turns,
    ...Object.fromEntries(
      siblings.map((sibling) => [sibling.id, { ...sibling, siblingIds: turn.siblingIds }]),
    ),
    [turn.id]: turn,
  };
  if (view.branch.includes(turn.id)) return { ...view, turns };
  const parentAt = turn.parentId === null ? -1 : view.branch.indexOf(turn.parentId);
  if (turn.parentId !== null && parentAt === -1) return { ...view, turns, isBehind: true };
  return { ...view, turns, branch: [...view.branch.slice(0, parentAt + 1), turn.id] };
}

/** Shows a turn as soon as its mutation returns; its events, which may have come first, have the rest. */
export function withSentTurn(view: SessionView, place: TurnPlace): SessionView {
  return view.turns[place.id] ? view : placed(view, place, 'QUEUED');
}
