/**
 * Hints that a session's log grew or that its turns want looking at. A hint carries nothing: whoever gets one reads the
 * database. So a lost or doubled hint is harmless, and every second everyone is hinted anyway.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../log.ts';
import { EVENTS_CHANNEL, TURNS_CHANNEL } from '../stores/pg/events.ts';

/** Hints of one process, from its own and from other processes' transactions. */
export type WakeUps = {
  /** Calls `listener` when the session may have grown, until the returned function is called. */
  onGrowth(sessionId: string, listener: () => void): () => void;
  /** Calls `listener` when turns may have changed, of one session or (null) of any. */
  onTurns(listener: (sessionId: string | null) => void): () => void;
  /** Resolves once the database is listened to for the first time; until then there are only the regular hints. */
  readonly listening: Promise<void>;
  close(): Promise<void>;
};

type Settings = {
  readonly url: string;
  readonly log: Logger;
  /** How often everyone is hinted whatever happens. */
  readonly intervalMs?: number;
};

const LONGEST_PAUSE_MS = 1_000;

/** Opens one connection that listens, and opens it again whenever it breaks. */
export function startWakeUps({ url, log, intervalMs = 1_000 }: Settings): WakeUps {
  const growth = new Map<string, Set<() => void>>();
  const turns = new Set<(sessionId: string | null) => void>();
  const closing = new AbortController();
  const listening = Promise.withResolvers<void>();

  const hintEveryone = (): void => {
    for (const listeners of growth.values()) for (const listener of listeners) listener();
    for (const listener of turns) listener(null);
  };
  const hint = (channel: string, sessionId: string): void => {
    if (channel === TURNS_CHANNEL) for (const listener of turns) listener(sessionId);
    else for (const listener of growth.get(sessionId) ?? []) listener();
  };
  const interval = setInterval(hintEveryone, intervalMs);
  const done = keepListening(url, log, closing.signal, hint, () => {
    hintEveryone(); // what was committed while nobody listened
    listening.resolve();
  });

  return {
    onGrowth(sessionId, listener) {
      const listeners = growth.get(sessionId) ?? new Set();
      growth.set(sessionId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && growth.get(sessionId) === listeners) growth.delete(sessionId);
      };
    },
    onTurns(listener) {
      turns.add(listener);
      return () => void turns.delete(listener);
    },
    listening: listening.promise,
    async close() {
      clearInterval(interval);
      closing.abort();
      await done;
    },
  };
}

async function keepListening(
  url: string,
  log: Logger,
  signal: AbortSignal,
  hint: (channel: string, sessionId: string) => void,
  onListening: () => void,
): Promise<void> {
  let pauseMs = 0;
  while (!signal.aborted) {
    const client = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    try {
      const ended = once(client, 'end', { signal });
      ended.catch(() => undefined); // awaited below, unless connecting fails first
      client.on('error', (error) => log.warn({ err: error }, 'lost the connection that listens to Postgres'));
      client.on('notification', ({ channel, payload }) => hint(channel, payload ?? ''));
      await client.connect();
      await client.query(`listen ${EVENTS_CHANNEL}; listen ${TURNS_CHANNEL}`);
      pauseMs = 0;
      onListening();
      await ended;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'cannot listen to Postgres; trying again');
    } finally {
      await client.end().catch(() => undefined); // a connection that broke cannot say goodbye
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 + 50);
  }
}
