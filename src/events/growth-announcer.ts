import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from '../base/log.ts';
import { EVENTS_CHANNEL } from '../stores/pg/events.ts';

/** Announces to other processes which sessions grew. */
export type GrowthAnnouncer = ReturnType<typeof createGrowthAnnouncer>;

const ANNOUNCE = {
  name: 'announce',
  text: `select pg_notify('${EVENTS_CHANNEL}', id) from unnest($1::text[]) as id`,
};

/** Least time between two statements. With twenty answers at once it makes a fifth of them. */
const PAUSE_MS = 5;

/**
 * Sends one statement at a time; sessions that grow meanwhile go with the next one. It is not part of the
 * transactions that add events, because Postgres lets transactions that notify commit only one after the other.
 */
export function createGrowthAnnouncer(log: Logger) {
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
      log.debug(
        { err: error },
        'could not announce to other processes that sessions grew; they poll every second',
      );
    } finally {
      isSending = false;
    }
  };

  return {
    /** Announcements that are lost with a connection are not sent again. */
    announce(sessionId: string): void {
      waiting.add(sessionId);
      if (!isSending) void sendWaiting();
    },
    /** The connection to announce over from now on; null for none. */
    use(client: Client | null): void {
      connection = client;
    },
  };
}
