/**
 * The use cases of copilot chat over Postgres and the event log: access first, then the work. How an answer comes about
 * is the runner's business, how it is shown the schema's.
 */
import { z } from 'zod';
import { MESSAGE_ROLES } from '../../domain/conversation/session.ts';
import type { Message, Session, Turn, Viewer } from '../../domain/conversation/session.ts';
import { noticeOf } from '../../domain/conversation/turn-notice.ts';
import { shorten, toStoredText } from '../../domain/text/stored-text.ts';
import { CursorAheadError, InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { untilTurnEnds } from '../../events/turn-end.ts';
import { findSiblings, listMessages, listTurns } from '../../stores/pg/branches.ts';
import { TURNS_CHANNEL, findNoticeEventsOfTurns, notify } from '../../stores/pg/events.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findRatings } from '../../stores/pg/ratings.ts';
import { findSessions, listSessions } from '../../stores/pg/sessions.ts';
import { findSummaries } from '../../stores/pg/summaries.ts';
import { findToolCalls, findToolCallsOfTurns } from '../../stores/pg/tool-calls.ts';
import { withdrawTurn } from '../../stores/pg/turn-finish.ts';
import { findActiveTurns, findTurns, requestCancel } from '../../stores/pg/turns.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import { findSessionUsage, readViewerDay } from '../../stores/pg/usage.ts';
import { findCharts, findTables } from '../../stores/pg/visuals.ts';
import type { Page } from '../page-cursor.ts';
import { decodeCursor, encodeCursor, rowsToRead, toPage } from '../page-cursor.ts';
import { toKeptWords } from './copilot-input.ts';
import type { BranchRequest, CancelTurnInput, CopilotService, SessionsRequest } from './copilot-service.ts';
import { deleteSession } from './delete-session.ts';
import type { DeleteSessionDeps } from './delete-session.ts';
import { disputeMessage } from './dispute-message.ts';
import { editMessage } from './edit-message.ts';
import { rateMessage } from './rate-message.ts';
import { MAX_TITLE_LENGTH, renameSession } from './rename-session.ts';
import { retryTurn } from './retry-turn.ts';
import { sendMessage } from './send-message.ts';
import type { SendMessageDeps } from './send-message.ts';
import { holdSession, unknownSession } from './start-turn.ts';

/** What copilot chat needs. The caller keeps and closes what it passes. */
export type CopilotDeps = SendMessageDeps & DeleteSessionDeps;

/** How long a cancel waits for the turn to end; it ends anyway, this only makes the answer say so. */
const CANCEL_WAIT_MS = 1_000;
/** Clients subscribe again while Postgres restarts; they should not be turned away for that. */
const OUTAGE_MS = 2_000;

/** Copilot chat for the schema. */
export function createCopilotService(deps: CopilotDeps): CopilotService {
  const { db, tracing } = deps;
  return {
    sendMessage: (viewer, input) => tracing.span('sendMessage', {}, () => sendMessage(deps, viewer, input)),
    cancelTurn: (viewer, input) => cancelTurn(deps, viewer, input),
    retryTurn: (viewer, input) => tracing.span('retryTurn', {}, () => retryTurn(deps, viewer, input)),
    editMessage: (viewer, input) => tracing.span('editMessage', {}, () => editMessage(deps, viewer, input)),
    disputeMessage: (viewer, input) =>
      tracing.span('disputeMessage', {}, () => disputeMessage(deps, viewer, input)),
    rateMessage: (viewer, input) => rateMessage(deps, viewer, input),
    renameSession: (viewer, input) => renameSession(deps, viewer, input),
    deleteSession: (viewer, sessionId) => deleteSession(deps, viewer, sessionId),
    sessions: (viewer, page) => pageOfSessions(deps, viewer, page),
    messages: (viewer, sessionId, page) => pageOfMessages(deps, viewer, sessionId, page),
    turns: (viewer, sessionId, page) => pageOfTurns(deps, viewer, sessionId, page),
    byId: {
      sessions: (viewer, ids) => findSessions(db, viewer, ids),
      turns: (viewer, ids) => findTurns(db, viewer, ids),
      messages: (viewer, ids) => findMessages(db, viewer, ids),
      toolCalls: (viewer, ids) => findToolCalls(db, viewer, ids),
      summaries: (viewer, ids) => findSummaries(db, viewer, ids),
      charts: (viewer, ids) => findCharts(db, viewer, ids),
      tables: (viewer, ids) => findTables(db, viewer, ids),
    },
    activeTurns: (viewer, sessionIds) => findActiveTurns(db, viewer, sessionIds),
    toolCallsOfTurns: (viewer, turnIds) => findToolCallsOfTurns(db, viewer, turnIds),
    noticesOfTurns: async (viewer, turnIds) =>
      (await findNoticeEventsOfTurns(db, viewer, turnIds)).map((events) =>
        events.flatMap((event) => noticeOf(event) ?? []),
      ),
    usageOfSessions: (viewer, sessionIds) => findSessionUsage(db, viewer, sessionIds),
    usageOfViewer: async (viewer) => ({ today: await readViewerDay(db, viewer), limits: deps.limits }),
    ratingsOfMessages: (viewer, messageIds) => findRatings(db, viewer, messageIds),
    siblingsOfTurns: (viewer, turnIds) => findSiblings(db, viewer, turnIds),
    async follow(viewer, sessionId, afterSeq, signal) {
      if (!Number.isInteger(afterSeq) || afterSeq < 0) {
        throw new InvalidInputError([{ path: ['afterSeq'], message: 'must be 0 or the seq of an event' }]);
      }
      const session = await retryWhileUnavailable(() => ownSession(deps, viewer, sessionId), OUTAGE_MS);
      if (afterSeq > session.lastSeq) throw new CursorAheadError(afterSeq, session.lastSeq);
      return deps.eventLog.follow(session.id, afterSeq, signal);
    },
  };
}

const MAX_REASON_LENGTH = 200;

async function cancelTurn(deps: CopilotDeps, viewer: Viewer, input: CancelTurnInput): Promise<Turn> {
  const { turnId } = input;
  const given = toKeptWords(input.reason?.trim() ?? '');
  const reason = given === '' ? null : shorten(given, MAX_REASON_LENGTH);
  const { sessionId } = await ownTurn(deps, viewer, turnId);
  const { lastSeq, turn } = await deps.db.transaction().execute(async (tx) => {
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

const sessionPlace = z.tuple([z.number(), z.uuid()]);

async function pageOfSessions(
  deps: CopilotDeps,
  viewer: Viewer,
  { first, after, search }: SessionsRequest,
): Promise<Page<Session>> {
  const place = decodeCursor(after, sessionPlace);
  const sessions = await listSessions(deps.db, viewer, {
    kind: 'COPILOT',
    words: wordsOf(search ?? ''),
    limit: rowsToRead(first),
    after: place && { updatedAt: new Date(place[0]), id: place[1] },
  });
  return toPage(sessions, first, (item) => ({
    item,
    cursor: encodeCursor([item.updatedAt.getTime(), item.id]),
  }));
}

/** The words of a search, each of which the titles that are found have. */
function wordsOf(search: string): readonly string[] {
  if (search.length > MAX_TITLE_LENGTH) {
    const message = `has ${search.length} characters; no title has more than ${MAX_TITLE_LENGTH}`;
    throw new InvalidInputError([{ path: ['search'], message }]);
  }
  return toStoredText(search).split(/\s+/u).filter(Boolean);
}

const messagePlace = z.tuple([z.uuid(), z.enum(MESSAGE_ROLES)]);

async function pageOfMessages(
  deps: CopilotDeps,
  viewer: Viewer,
  sessionId: string,
  { first, after, throughTurnId }: BranchRequest,
): Promise<Page<Message>> {
  const place = decodeCursor(after, messagePlace);
  const session = await ownSession(deps, viewer, sessionId);
  const messages = await listMessages(deps.db, session.id, {
    limit: rowsToRead(first),
    after: place && { turnId: place[0], role: place[1] },
    throughTurnId: throughTurnId ?? null,
  });
  return toPage(messages, first, ({ message, position }) => ({
    item: message,
    cursor: encodeCursor([position.turnId, position.role]),
  }));
}

async function pageOfTurns(
  deps: CopilotDeps,
  viewer: Viewer,
  sessionId: string,
  { first, after, throughTurnId }: BranchRequest,
): Promise<Page<Turn>> {
  const turnId = decodeCursor(after, z.uuid());
  const session = await ownSession(deps, viewer, sessionId);
  const turns = await listTurns(deps.db, session.id, {
    limit: rowsToRead(first),
    after: turnId === null ? null : { turnId },
    throughTurnId: throughTurnId ?? null,
  });
  return toPage(turns, first, (item) => ({ item, cursor: encodeCursor(item.id) }));
}

async function ownSession(deps: CopilotDeps, viewer: Viewer, sessionId: string): Promise<Session> {
  const [session] = await findSessions(deps.db, viewer, [sessionId]);
  if (!session) throw unknownSession(sessionId);
  return session;
}

async function ownTurn(deps: CopilotDeps, viewer: Viewer, turnId: string): Promise<Turn> {
  const [turn] = await findTurns(deps.db, viewer, [turnId]);
  if (!turn) throw new NotFoundError(`you have no turn ${turnId}`);
  return turn;
}
