/**
 * The use cases of copilot chat over Postgres and the event log. Every call is made for a viewer, reads only what that
 * viewer owns or is shared with the viewer in the viewer's project, and changes only what the viewer owns: other ids look
 * like unknown ones. Ids are those of the domain, not
 * GraphQL's. The runner produces answers; the schema shows them.
 */
import type { TokenTotals, Turn, Viewer } from '../../domain/conversation/session.ts';
import { noticeOf } from '../../domain/conversation/session-event.ts';
import { foldThoughts } from '../../domain/conversation/thoughts.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import { NotFoundError } from '../../base/errors.ts';
import { untilTurnEnds } from '../../events/turn-end.ts';
import { findSiblings } from '../../stores/pg/branches.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import {
  TURNS_CHANNEL,
  findNoticeEventsOfTurns,
  findThinkingEventsOfTurns,
  notify,
} from '../../stores/pg/events.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findRatings } from '../../stores/pg/ratings.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { findSummaries } from '../../stores/pg/summaries.ts';
import { findToolCalls, findToolCallsOfTurns } from '../../stores/pg/tool-calls.ts';
import { withdrawTurn } from '../../stores/pg/turn-finish.ts';
import { countAhead } from '../../stores/pg/turn-line.ts';
import { rowsToRead } from '../page-cursor.ts';
import { findModelCalls, findTurnLog } from '../../stores/pg/turn-log.ts';
import { findActiveTurns, findStartedTurn, findTurns, requestCancel } from '../../stores/pg/turns.ts';
import { findSessionUsage, readViewerDay } from '../../stores/pg/usage.ts';
import { findCharts, findTables } from '../../stores/pg/visuals.ts';
import { followSession } from '../follow-session.ts';
import { disputeMessage, editMessage, retryTurn } from './ask-again.ts';
import { deleteSession, renameSession, type DeleteSessionDeps } from './change-session.ts';
import { decideToolCall } from './decide-tool-call.ts';
import { toKeptWords } from './copilot-input.ts';
import { rateMessage } from './rate-message.ts';
import { sendMessage, type SendMessageDeps } from './send-message.ts';
import { readableSession, pageOfMessages, pageOfSessions, pageOfTurns } from './session-pages.ts';
import type { BranchRequest } from './session-pages.ts';
import { holdSession } from './start-turn.ts';
import type { CopilotLimits } from './turn-limits.ts';

/** The caller owns and closes what it passes. */
export type CopilotDeps = SendMessageDeps & DeleteSessionDeps;

/** Copilot chat for the schema. */
export type CopilotService = ReturnType<typeof createCopilotService>;

/** The viewer's tokens since 00:00 UTC in all projects, and the limits. */
export type ViewerUsage = { readonly today: TokenTotals; readonly limits: CopilotLimits };

/** Copilot chat for the schema. Its functions are documented where they are defined. */
export function createCopilotService(deps: CopilotDeps) {
  const { db, tracing } = deps;
  type UseCase<Input, Output> = (deps: CopilotDeps, viewer: Viewer, input: Input) => Promise<Output>;
  const bound =
    <Input, Output>(useCase: UseCase<Input, Output>) =>
    (viewer: Viewer, input: Input) =>
      useCase(deps, viewer, input);
  const traced =
    <Input, Output>(name: string, useCase: UseCase<Input, Output>) =>
    (viewer: Viewer, input: Input) =>
      tracing.span(name, {}, () => useCase(deps, viewer, input));
  /** One entry for each id, in their order; ids may repeat. */
  const lookup =
    <Found>(find: (db: Db, viewer: Viewer, ids: readonly string[]) => Promise<Found>) =>
    (viewer: Viewer, ids: readonly string[]) =>
      find(db, viewer, ids);
  return {
    sendMessage: traced('sendMessage', sendMessage),
    cancelTurn: bound(cancelTurn),
    decideToolCall: bound(decideToolCall),
    retryTurn: traced('retryTurn', retryTurn),
    editMessage: traced('editMessage', editMessage),
    retryBuilderTurn: traced('retryBuilderTurn', (...[, viewer, input]: Parameters<typeof retryTurn>) =>
      retryTurn(deps, viewer, input, 'BUILDER'),
    ),
    editBuilderMessage: traced('editBuilderMessage', (...[, viewer, input]: Parameters<typeof editMessage>) =>
      editMessage(deps, viewer, input, 'BUILDER'),
    ),
    disputeMessage: traced('disputeMessage', disputeMessage),
    rateMessage: bound(rateMessage),
    renameSession: bound(renameSession),
    deleteSession: bound(deleteSession),
    sessions: bound(pageOfSessions),
    messages: (viewer: Viewer, sessionId: string, page: BranchRequest) =>
      pageOfMessages(deps, viewer, sessionId, page),
    turns: (viewer: Viewer, sessionId: string, page: BranchRequest) =>
      pageOfTurns(deps, viewer, sessionId, page),
    /** Null for an unknown id. */
    byId: {
      sessions: lookup(findSessions),
      turns: lookup(findTurns),
      messages: lookup(findMessages),
      toolCalls: lookup(findToolCalls),
      summaries: lookup(findSummaries),
      charts: lookup(findCharts),
      tables: lookup(findTables),
    },
    /** The running turn of each session, else the first queued one, else null. */
    activeTurns: lookup(findActiveTurns),
    /** How many turns start before each one that waits in line; null for others. */
    turnsAhead: lookup(countAhead),
    /** The viewer's newest turns in all conversations, newest first. @throws InvalidInputError */
    newestTurns: (viewer: Viewer, { first, failedOnly }: { first: number; failedOnly: boolean }) =>
      findTurnLog(db, { viewer, since: null, sessionId: null, failedOnly, most: rowsToRead(first) - 1 }),
    /** The model calls of each turn, in order; the caller has checked access to the turns. */
    modelCallsOfTurns: (turnIds: readonly string[]) => findModelCalls(db, turnIds),
    /** The tool calls of each turn, in the order in which they started. */
    toolCallsOfTurns: lookup(findToolCallsOfTurns),
    /** What a reader of each turn should know beside its tool calls, in order. */
    noticesOfTurns: async (viewer: Viewer, turnIds: readonly string[]) =>
      (await findNoticeEventsOfTurns(db, viewer, turnIds)).map((events) =>
        events.flatMap((event) => noticeOf(event) ?? []),
      ),
    /** What the models of each turn thought, as far as they showed it. */
    thoughtsOfTurns: async (viewer: Viewer, turnIds: readonly string[]) =>
      (await findThinkingEventsOfTurns(db, viewer, turnIds)).map(foldThoughts),
    /** Tokens of the finished turns of each session. */
    usageOfSessions: lookup(findSessionUsage),
    usageOfViewer: async (viewer: Viewer): Promise<ViewerUsage> => ({
      today: await readViewerDay(db, viewer),
      limits: deps.limits,
    }),
    /** The viewer's own ratings, by message. */
    ratingsOfMessages: lookup(findRatings),
    /** For each turn all turns that follow the same one, itself included, oldest first. */
    siblingsOfTurns: lookup(findSiblings),
    /** The turn that the viewer's client started under this id; null if none. */
    startedTurn: async (viewer: Viewer, clientMessageId: string): Promise<Turn | null> =>
      (await findStartedTurn(db, viewer, clientMessageId))?.turn ?? null,
    /** Resolves while the viewer may read the conversation. @throws NotFoundError */
    assertReadable: async (viewer: Viewer, sessionId: string): Promise<void> =>
      void (await readableSession(db, viewer, sessionId)),
    /** See {@link followSession}. @throws NotFoundError */
    follow: (viewer: Viewer, sessionId: string, afterSeq: number, signal: AbortSignal) =>
      followSession(deps.eventLog, () => readableSession(db, viewer, sessionId), afterSeq, signal),
  };
}

/** How long a cancel waits for the turn to end. It ends anyway; waiting only lets the response show it. */
const CANCEL_WAIT_MS = 1_000;
const MAX_REASON_LENGTH = 200;

type CancelTurnInput = { readonly turnId: string; readonly reason?: string | null | undefined };

/**
 * Asks an open turn to end and waits briefly for it; a finished turn stays as it is. The reason, cut to 200 characters,
 * becomes part of the turn's error.
 * @throws NotFoundError
 */
async function cancelTurn(deps: CopilotDeps, viewer: Viewer, input: CancelTurnInput): Promise<Turn> {
  const { turnId } = input;
  const given = toKeptWords(input.reason?.trim() ?? '');
  const reason = given === '' ? null : shorten(given, MAX_REASON_LENGTH);
  const { sessionId } = await ownTurn(deps, viewer, turnId);
  const { lastSeq, turn } = await transact(deps.db, async (tx) => {
    const session = await holdSession(tx, viewer, sessionId);
    const withdrawn = await withdrawTurn(tx, { id: turnId, sessionId }, reason);
    if (!withdrawn) {
      await requestCancel(tx, turnId, reason);
      await notify(tx, TURNS_CHANNEL, sessionId);
    }
    const [current] = await findTurns(tx, viewer, [turnId]);
    return { lastSeq: session.lastSeq, turn: current };
  });
  if (turn?.status !== 'RUNNING') return turn ?? ownTurn(deps, viewer, turnId);
  await untilTurnEnds(deps.eventLog, turn, lastSeq, CANCEL_WAIT_MS);
  return ownTurn(deps, viewer, turnId);
}

async function ownTurn(deps: CopilotDeps, viewer: Viewer, turnId: string): Promise<Turn> {
  const [turn] = await findTurns(deps.db, viewer, [turnId]);
  if (!turn) throw new NotFoundError(`you have no turn ${turnId}`);
  return turn;
}
