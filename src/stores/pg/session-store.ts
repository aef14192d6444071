import type { SessionStore } from '../session-store.ts';
import { readEarlierTurns } from './branches.ts';
import type { Db } from './database.ts';
import { readMessagePictures } from './message-images.ts';
import { findMessageOfSession } from './messages.ts';
import { createSessionDataStore } from './session-data.ts';
import { readSentInputs } from './step-records.ts';
import { insertSummary } from './summaries.ts';
import { listToolCalls } from './tool-calls.ts';

/** The agent's reads and kept results, in Postgres. */
export function createSessionStore(db: Db): SessionStore {
  return {
    earlierTurns: (turn, limit) => readEarlierTurns(db, turn, limit),
    sentInputs: (turnIds) => readSentInputs(db, turnIds),
    addSummary: (session, summary) => insertSummary(db, session, summary),
    message: (sessionId, messageId) => findMessageOfSession(db, sessionId, messageId),
    toolCalls: (sessionId, turnId) => listToolCalls(db, sessionId, turnId),
    pictures: (sessionId, messageId) => readMessagePictures(db, sessionId, messageId),
    data: createSessionDataStore(db),
  };
}
