import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from '../base/log.ts';
import { EVENTS_CHANNEL } from '../stores/pg/events.ts';

/** Tells other processes which sessions grew. What is lost with a connection is not sent again: hints may be lost. */
export type GrowthAnnouncer = {
  announce(sessionId: string): void;
  /** Announces over `client` from now on; null while there is no connection. */
  use(client: Client | null): void;
};

const ANNOUNCE = {
  name: 'announce',
  text: `select pg_notify('${EVENTS_CHANNEL}', id) from unnest($1::text[]) as id`,
};

/** Least time between two statements. With twenty answers at once it makes a fifth of them. */
const PAUSE_MS = 5;

/**
 * Sends one statement at a time; sessions that grow meanwhile go with the next one. It is not part of the transactions
 * that add events, because Postgres lets transactions that notify commit only one after the other.
 */
export function createGrowthAnnouncer(log: Logger): GrowthAnnouncer {
  const waiting = new Set<string>();
  let connection: Client | null = null;
  let isSending = false;

  const sendWaiting = async (): Promise<void> => {
    isSending = true;
    try {
      while (connection !== null && waiting.size > 0) {
        const sessionIds = [...waiting];
        waiting.clear();
        await connection.query({ ...ANNOUNCE, values: [sessionIds] });
        await sleep(PAUSE_MS);
      }
    } catch (error) {
      log.debug({ err: error }, 'could not tell other processes that sessions grew; they look every second');
    } finally {
      isSending = false;
    }
  };

  return {
    announce(sessionId) {
      waiting.add(sessionId);
      if (!isSending) void sendWaiting();
    },
    use(client) {
      connection = client;
    },
  };
}
