import type { HistorySummary } from '../../src/domain/conversation/session.ts';
import type {
  EarlierTurn,
  SessionDataBody,
  SessionDataStore,
  SessionStore,
} from '../../src/stores/session-store.ts';

/** Kept results in memory, without a size limit. */
export function memorySessionData(): SessionDataStore {
  const sessions = new Map<string, Map<string, SessionDataBody>>();
  const of = (sessionId: string) => sessions.get(sessionId) ?? new Map<string, SessionDataBody>();
  return {
    put: async (sessionId, key, body) => {
      sessions.set(sessionId, of(sessionId).set(key, body));
    },
    get: async (sessionId, key) => of(sessionId).get(key)?.json ?? null,
    list: async (sessionId) =>
      [...of(sessionId)].map(([key, { json, freshness }]) => ({
        key,
        bytes: json.length,
        updatedAt: new Date(0),
        freshness,
      })),
    all: async (sessionId) => [...of(sessionId)].map(([key, { json }]) => ({ key, json })),
  };
}

/** What was said before, given, and kept results in memory. */
export function memorySessionStore(
  earlier: readonly (Pick<EarlierTurn, 'question' | 'answer'> & Partial<EarlierTurn>)[] = [],
): SessionStore {
  const turns = earlier.map((turn, index): EarlierTurn => ({
    turnId: `earlier-${index + 1}`,
    summary: null,
    tokensPerEstimate: null,
    ...turn,
  }));
  const summaries = new Map<string, HistorySummary>();
  return {
    earlierTurns: async (_turn, limit) =>
      turns.slice(-limit).map((turn) => ({ ...turn, summary: summaries.get(turn.turnId) ?? turn.summary })),
    sentInputs: async () => new Map(),
    addSummary: async ({ id: sessionId }, summary) => {
      const kept = { ...summary, id: `summary-${summaries.size + 1}`, sessionId, createdAt: new Date(0) };
      summaries.set(summary.throughTurnId, kept);
      return kept;
    },
    message: async (_sessionId, id) =>
      earlier.flatMap(({ question, answer }) => [question, answer]).find((each) => each?.id === id) ?? null,
    toolCalls: async () => [],
    pictures: async () => [],
    data: memorySessionData(),
  };
}
