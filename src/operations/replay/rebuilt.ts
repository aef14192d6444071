import type { PriceOf } from '../../agent/loop/usage-meter.ts';
import { createAnswerTurn, type AnswerTurnDeps } from '../../agent/turn/answer-turn.ts';
import type { StepRecord } from '../../domain/conversation/step-record.ts';
import type { RecordedTurn } from '../../stores/pg/recorded-turn.ts';
import type { SessionDataBody, SessionStore } from '../../stores/session-store.ts';
import { attemptOf, type Attempt } from './attempt.ts';

/** What a rebuilt replay works with. */
export type RebuiltReplay = {
  readonly recorded: RecordedTurn;
  /** The model to ask; null for the one that the turn asked for. */
  readonly model: string | null;
  readonly deps: Omit<AnswerTurnDeps, 'steps'>;
  readonly priceOf: PriceOf;
  readonly signal: AbortSignal;
};

/**
 * Answers the turn as it would be answered today: prompt, history and tools are made and run anew. Nothing is stored.
 */
export async function replayRebuilt({
  recorded,
  model,
  deps,
  priceOf,
  signal,
}: RebuiltReplay): Promise<Attempt> {
  const { viewer, session, question } = recorded;
  const turn = { ...recorded.turn, model: model ?? recorded.turn.model };
  const records: StepRecord[] = [];
  const joining = [...recorded.joined];
  const answerTurn = createAnswerTurn({
    ...deps,
    store: withoutWrites(deps.store),
    steps: {
      add(_turnId, record) {
        if (record.purpose === 'ANSWER') records.push(record);
        return Promise.resolve();
      },
    },
  });
  const { error } = await answerTurn({
    viewer,
    session,
    turn,
    question,
    emit: () => undefined,
    signal,
    joinMessages: () => Promise.resolve(joining.splice(0)),
    // What a replay spends is not the user's.
    budget: { hold: () => Promise.resolve({ tokens: Number.MAX_SAFE_INTEGER, bound: '' }) },
  });
  return attemptOf(records, priceOf, error?.message ?? null);
}

/** The store as the turn finds it; what the turn puts aside is its own. */
function withoutWrites(store: SessionStore): SessionStore {
  const own = new Map<string, SessionDataBody & { readonly updatedAt: Date }>();
  const { data } = store;
  return {
    ...store,
    addSummary: ({ id: sessionId }, summary) =>
      Promise.resolve({ id: crypto.randomUUID(), sessionId, ...summary, createdAt: new Date() }),
    data: {
      put(_sessionId, key, body) {
        own.set(key, { ...body, updatedAt: new Date() });
        return Promise.resolve();
      },
      get: async (sessionId, key) => own.get(key)?.json ?? data.get(sessionId, key),
      async list(sessionId) {
        const kept = (await data.list(sessionId)).filter(({ key }) => !own.has(key));
        const added = [...own].map(([key, { json, freshness, updatedAt }]) => ({
          key,
          bytes: Buffer.byteLength(json),
          updatedAt,
          freshness,
        }));
        return [...kept, ...added];
      },
      async all(sessionId) {
        const kept = (await data.all(sessionId)).filter(({ key }) => !own.has(key));
        return [...kept, ...Array.from(own, ([key, { json }]) => ({ key, json }))];
      },
    },
  };
}
