import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from '../base/log.ts';
import { EVENTS_CHANNEL } from '../stores/pg/events.ts';

/** Announces to other processes which sessions grew. */
export type GrowthAnnouncer = ReturnType<typeof createGrowthAnnouncer>;

/** Channel on which processes that listen to growth let each other know. */
export const PRESENCE_CHANNEL = 'qpilot_listeners';

/** `begins`: I listen from now on, who else does? `listens`: I do, and announce to you what grows from now on. */
type Presence = 'begins' | 'listens';

const ANNOUNCE = {
  name: 'announce',
  text: `select pg_notify('${EVENTS_CHANNEL}', id) from unnest($1::text[]) as id`,
};
const PRESENCE = { name: 'presence', text: `select pg_notify('${PRESENCE_CHANNEL}', $1)` };

/** Least time between two statements. With twenty answers at once it makes a fifth of them. */
const PAUSE_MS = 5;
/** How often a process says that it listens, and how long another believes it. */
const PRESENCE_MS = 5_000;
const ABSENCE_MS = 3 * PRESENCE_MS;

/**
 * Sends one statement at a time, and none while no other process listens; sessions that grow meanwhile go with the
 * next one. It is not part of the transactions that add events, because Postgres lets transactions that notify commit
 * only one after the other. `hintEveryone` is called when another process begins to announce.
 */
export function createGrowthAnnouncer(log: Logger, hintEveryone: () => void) {
  const waiting = new Set<string>();
  let connection: Client | null = null;
  let isSending = false;
  let heardAt = -Infinity;
  let presence: NodeJS.Timeout | undefined;

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
  const say = (what: Presence): void => {
    connection?.query({ ...PRESENCE, values: [what] }).catch((error: unknown) => {
      log.debug({ err: error }, 'could not tell other processes that this one listens');
    });
  };

  return {
    /** Announcements that are lost with a connection are not sent again. */
    announce(sessionId: string): void {
      if (performance.now() - heardAt > ABSENCE_MS) return;
      waiting.add(sessionId);
      if (!isSending) void sendWaiting();
    },
    /** The connection that listens, to announce over from now on; null for none. */
    use(client: Client | null): void {
      clearInterval(presence);
      connection = client;
      if (client === null) return;
      say('begins');
      presence = setInterval(() => say('listens'), PRESENCE_MS);
    },
    /** Call with what another process said on {@link PRESENCE_CHANNEL}. */
    heard(what: string): void {
      heardAt = performance.now();
      if (what === ('begins' satisfies Presence)) say('listens');
      else hintEveryone(); // for what it did not announce before it heard of this process
    },
  };
}
