import { sql } from 'kysely';
import { v4 as uuid } from 'uuid';
import type {
  Session,
  SessionKind,
  TokenTotals,
  Turn,
  Viewer,
} from '../../../src/domain/conversation/session.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, type Tx } from '../../../src/stores/pg/database.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { insertSession, lockSession } from '../../../src/stores/pg/sessions.ts';
import { finishTurn, NOTHING_KNOWN } from '../../../src/stores/pg/turn-finish.ts';
import { insertTurn, type NewTurn, type TurnPlace } from '../../../src/stores/pg/turn-start.ts';
import { countedInSession, countInDay, type Spender } from '../../../src/stores/pg/usage.ts';
import { viewer } from '../../support/chat.ts';
import { createTestDatabase } from '../../support/databases.ts';

/** The stores over a database of their own, with sessions and turns made directly. */
export async function openPgStore() {
  const database = await createTestDatabase();
  const connections = openDatabase(database.url, { log: createLogger('silent') });
  const { db, pool } = connections;
  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work);
  return {
    db,
    pool,
    transact,
    newSession: (who: Viewer = viewer, kind: SessionKind = 'COPILOT'): Promise<Session> =>
      transact((tx) =>
        insertSession(tx, who, { id: newId(), kind, title: 'a', chipId: null, qid: null, taskId: null }),
      ),
    /** A turn that runs for `owner`, or waits in the queue without one. */
    newTurn: (
      sessionId: string,
      owner: string | null,
      who: Viewer = viewer,
      more: Partial<NewTurn & { place: TurnPlace; traceparent: string | null }> = {},
    ): Promise<Turn> =>
      transact(async (tx) => {
        const session = await lockSession(tx, sessionId);
        if (session === null) throw new Error('there is no such session');
        const place: TurnPlace =
          owner === null
            ? { type: 'queue', first: false }
            : { type: 'run', lease: { owner, leaseMs: 60_000, asOf: new Date() } };
        const { turn } = await insertTurn(tx, who, session, {
          question: { type: 'new', text: 'hi' },
          clientMessageId: uuid(),
          model: null,
          replaces: null,
          effort: null,
          answerSchema: null,
          disputedId: null,
          place,
          traceparent: null,
          ...more,
        });
        return turn;
      }),
    /** Ends a turn that runs for `owner`. */
    endTurn: (turn: Turn, owner: string): Promise<Turn | null> =>
      finishTurn(db, turn, { as: 'owner', owner }, { ...NOTHING_KNOWN, status: 'COMPLETED', error: null }),
    async close(): Promise<void> {
      await connections.close();
      await database.drop();
    },
  };
}

/** Counts tokens as the end of a turn does. */
export async function addUsage(tx: Tx, spender: Spender, usage: TokenTotals): Promise<void> {
  await sql`
    with day as (${countInDay(spender, usage)})
    update sessions set ${countedInSession(usage)} where id = ${spender.sessionId}`.execute(tx);
}

/** What {@link openPgStore} opens. */
export type PgStore = Awaited<ReturnType<typeof openPgStore>>;
