import type { SessionDataStore, SessionStore } from '../session-store.ts';
import { readEarlierTurns } from './branches.ts';
import type { Db } from './database.ts';
import { readMessagePictures } from './message-images.ts';
import { findMessageOfSession } from './messages.ts';
import { createSessionDataStore } from './session-data.ts';
import { readSentInputs } from './step-records.ts';
import { insertSummary } from './summaries.ts';
import { listToolCalls } from './tool-calls.ts';
import { retryWhileUnavailable } from './unavailable.ts';

/** How long a read waits for a Postgres that is away; an answer in progress is worth it. */
const OUTAGE_MS = 10_000;

const steadily = <T>(read: () => Promise<T>): Promise<T> => retryWhileUnavailable(read, OUTAGE_MS);

/** Putting may be repeated as well: a key has one value. */
const steadyData = (data: SessionDataStore): SessionDataStore => ({
  put: (...entry) => steadily(() => data.put(...entry)),
  get: (...place) => steadily(() => data.get(...place)),
  list: (sessionId) => steadily(() => data.list(sessionId)),
  all: (sessionId) => steadily(() => data.all(sessionId)),
});

/** The agent's reads and kept results, in Postgres. */
export function createSessionStore(db: Db): SessionStore {
  return {
    earlierTurns: (turn, limit) => steadily(() => readEarlierTurns(db, turn, limit)),
    sentInputs: (turnIds) => steadily(() => readSentInputs(db, turnIds)),
    addSummary: (session, summary) => insertSummary(db, session, summary),
    message: (sessionId, messageId) => steadily(() => findMessageOfSession(db, sessionId, messageId)),
    toolCalls: (sessionId, turnId) => steadily(() => listToolCalls(db, sessionId, turnId)),
    pictures: (sessionId, messageId) => steadily(() => readMessagePictures(db, sessionId, messageId)),
    data: steadyData(createSessionDataStore(db)),
  };
}
