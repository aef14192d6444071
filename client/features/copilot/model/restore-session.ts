import { isFinal, newTurn, partsOf, type SessionView, type Step, type TurnView } from '@qpilot/client/view';
import type {
  CopilotSessionQuery,
  CopilotToolCallFragment,
  CopilotTurnFragment,
} from '../../../gql/graphql.ts';

/** A conversation as it is stored, with one page of its turns. */
export type StoredSession = NonNullable<CopilotSessionQuery['copilotSession']>;

/**
 * The view of a stored conversation. Its `seq` lies before the first event of every turn that has not ended, so that
 * the events from there on have the rest.
 */
export function restoreSession(stored: StoredSession): SessionView {
  const turns = stored.turns.nodes.map(restoreTurn);
  const open = [...turns.filter((turn) => !isFinal(turn)), ...(stored.activeTurn ? [stored.activeTurn] : [])];
  return {
    seq: Math.min(stored.lastSeq, ...open.map(({ afterSeq }) => afterSeq)),
    ...branchOf(stored, turns),
    isBehind: false,
  };
}

/** Another branch of the same conversation, or the same read again; what is known of running turns is kept. */
export function withBranch(view: SessionView, stored: StoredSession): SessionView {
  const turns = stored.turns.nodes.map((turn) => mostRecent(view.turns[turn.id], restoreTurn(turn)));
  const read = branchOf(stored, turns);
  return { ...view, ...read, turns: { ...view.turns, ...read.turns }, isBehind: false };
}

/** The page of turns before those that are shown. */
export function withOlder(view: SessionView, stored: StoredSession): SessionView {
  const older = branchOf(stored, stored.turns.nodes.map(restoreTurn));
  return {
    ...view,
    branch: [...older.branch.filter((id) => !view.branch.includes(id)), ...view.branch],
    turns: { ...older.turns, ...view.turns },
    olderCursor: older.olderCursor,
  };
}

function restoreTurn(stored: CopilotTurnFragment): TurnView {
  const { status, message } = stored;
  if (status === 'RUNNING' || status === 'QUEUED') return newTurn(stored, status);
  const { blocks, ...answer } = message ?? { blocks: [] };
  return {
    ...newTurn(stored, 'RUNNING'),
    status,
    finishedAt: stored.finishedAt ?? null,
    thoughts: stored.thoughts.map(({ number, durationMs }) => ({
      number,
      text: null,
      durationMs: durationMs ?? null,
    })),
    steps: stored.toolCalls.map(restoreStep),
    notices: stored.notices.map(({ kind, text }) => ({ kind, text })),
    parts: partsOf(blocks),
    answer: 'id' in answer ? answer : null,
    usage: stored.usage ?? null,
    error: stored.error ?? null,
    rounds: stored.rounds,
  };
}

function restoreStep(call: CopilotToolCallFragment): Step {
  return {
    callId: call.callId,
    tool: call.tool,
    label: call.label,
    description: call.description,
    status: call.toolStatus,
    startedAt: null,
    durationMs: call.durationMs ?? null,
    dataSource: call.dataSource ?? null,
    preview: call.preview ?? '',
    error: call.error ?? null,
    recordId: call.id,
  };
}

/** A running turn is known better from its events than from what is stored of it. */
const mostRecent = (known: TurnView | undefined, restored: TurnView): TurnView =>
  known && !isFinal(restored) ? { ...known, siblingIds: restored.siblingIds } : restored;

function branchOf({ turns: { pageInfo } }: StoredSession, newestFirst: readonly TurnView[]) {
  return {
    branch: newestFirst.map(({ id }) => id).toReversed(),
    turns: Object.fromEntries(newestFirst.map((turn) => [turn.id, turn])),
    olderCursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  };
}
