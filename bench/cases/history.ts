import { makeTurnHistory } from '../../src/agent/history/turn-history.ts';
import type { Model } from '../../src/agent/model.ts';
import type { Turn } from '../../src/domain/conversation/session.ts';
import { createLogger } from '../../src/base/log.ts';
import { createSessionStore } from '../../src/stores/pg/session-store.ts';
import { asCount, asRatio, inMs, type Bench } from '../bench.ts';
import { openChat, VIEWER } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { nowMs } from '../cpu.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';

const ROUNDS = 30;
const QUESTION = 'And today?';

/** Summarises at once, so that only our own work is measured. */
const model: Model = {
  name: 'immediate',
  provider: 'bench',
  async *stream() {
    yield { type: 'text', text: 'The user asks for T1 of Q07, again and again.' };
    yield { type: 'finished', reason: 'stop', usage: null, items: [] };
  },
};

/** What it costs to find out what a model is sent of a conversation: of 1,000 messages and of 10,000. */
export const history: Bench = async ({ stores, progress }) => {
  const chat = await openChat(stores);
  try {
    progress('storing conversations of 1,000 and 10,000 messages');
    const [short] = await storeConversations(chat.db, 1, 1_000);
    const [long] = await storeConversations(chat.db, 1, 10_000);
    const store = createSessionStore(chat.db);
    const logger = createLogger('warn');

    const build = async (sessionId: string) => {
      const [session] = await chat.copilot.byId.sessions(VIEWER, [sessionId]);
      const newest = await chat.db
        .selectFrom('turns')
        .select('id')
        .where('session_id', '=', sessionId)
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const [turn] = await chat.copilot.byId.turns(VIEWER, [newest.id]);
      const [question] = await chat.copilot.byId.messages(VIEWER, [turn?.questionId ?? '']);
      if (!session || !turn || !question) throw new Error(`session ${sessionId} was not stored whole`);
      const next: Turn = { ...turn, parentId: turn.id };
      const startedAt = nowMs();
      const made = await makeTurnHistory(
        {
          store,
          model,
          summaryRules: 'Shorten it.',
          limits: {
            contextTokens: 128_000,
            outputTokens: 8_192,
            historyTokens: 15_000,
            turnTokens: 60_000,
            summarySeconds: 60,
          },
          priceOf: () => null,
          chargeOf: () => 0,
          logger,
        },
        {
          viewer: VIEWER,
          session,
          turn: next,
          question: { ...question, text: QUESTION },
          emit: () => undefined,
          signal: new AbortController().signal,
          budget: { hold: () => Promise.resolve({ tokens: Number.MAX_SAFE_INTEGER, bound: '' }) },
        },
        await store.earlierTurns(next, 200),
        { text: 'Answer from the data.', images: [] },
      );
      if ('code' in made) throw new Error(made.message);
      return { ms: nowMs() - startedAt, messages: made.input.length };
    };
    progress(`${ROUNDS} rounds of two variants`);
    const runs = await interleave(ROUNDS, { short: () => build(short ?? ''), long: () => build(long ?? '') });
    return [
      asCount(
        'messages sent of 10,000',
        medianOf(runs.long, ({ messages }) => messages),
        201,
      ),
      inMs(
        'history of a turn after 10,000 messages',
        medianOf(runs.long, ({ ms }) => ms),
      ),
      asRatio(
        'time for the history, 10,000 messages against 1,000',
        ratioOf(runs.long, runs.short, ({ ms }) => ms),
        1.5,
      ),
    ];
  } finally {
    await chat.close();
  }
};
