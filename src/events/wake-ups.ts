/**
 * Hints that a session's log grew, or that turns or jobs may have changed. A hint carries no data; its receiver
 * reads the database. So a lost or duplicate hint is harmless, and once a second everyone gets a hint anyway.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../base/log.ts';
import { connectionSettings } from '../stores/pg/database.ts';
import { EVENTS_CHANNEL, TURNS_CHANNEL } from '../stores/pg/events.ts';
import { COMMENTS_CHANNEL } from '../stores/pg/comments.ts';
import { JOBS_CHANNEL } from '../stores/pg/jobs.ts';
import { SHARES_CHANNEL } from '../stores/pg/shared-answers.ts';
import { createGrowthAnnouncer, PRESENCE_CHANNEL, type GrowthAnnouncer } from './growth-announcer.ts';

/** The hints that one process gives and gets. */
export type WakeUps = ReturnType<typeof startWakeUps>;

type Settings = {
  readonly url: string;
  readonly log: Logger;
  /** Interval of the unconditional hints. */
  readonly intervalMs?: number;
};

const LONGEST_PAUSE_MS = 1_000;
const CONNECTION = {
  application_name: 'qpilot wake-ups', // distinguishes it from the pool's in pg_stat_activity
  connectionTimeoutMillis: 5_000,
};
/** It waits for no lock and holds none. Its announcements need not survive a crash (`synchronous_commit=off`). */
const LISTENING_LIMITS = { lockMs: 5_000, idleMs: 5_000, statementMs: 5_000, answerMs: 6_000 };

/** Opens one connection that listens, and reopens it whenever it breaks. */
export function startWakeUps({ url, log, intervalMs = 1_000 }: Settings) {
  const growth = new Map<string, Set<(lastSeq?: number) => void>>();
  const checks = new Set<() => void>();
  const turns = new Set<(sessionId: string | null) => void>();
  const jobs = new Set<(projectId: string | null) => void>();
  const comments = new Set<(sessionId: string | null) => void>();
  const shares = new Set<(sessionId: string | null) => void>();
  const closing = new AbortController();
  const listening = Promise.withResolvers<void>();

  const hintEveryone = (): void => {
    for (const check of checks) check();
    for (const listener of [...turns, ...jobs]) listener(null);
  };
  const hintGrowth = (sessionId: string, lastSeq?: number): void => {
    for (const listener of growth.get(sessionId) ?? []) listener(lastSeq);
  };
  const hint = (channel: string, id: string): void => {
    if (channel === PRESENCE_CHANNEL) announcer.heard(id);
    else if (channel === TURNS_CHANNEL) for (const listener of turns) listener(id);
    else if (channel === JOBS_CHANNEL) for (const listener of jobs) listener(id);
    else if (channel === COMMENTS_CHANNEL) for (const listener of comments) listener(id);
    else if (channel === SHARES_CHANNEL) for (const listener of shares) listener(id);
    else hintGrowth(id);
  };
  const announcer = createGrowthAnnouncer(log, hintEveryone);
  const interval = setInterval(hintEveryone, intervalMs);
  const done = keepListening({ url, log, signal: closing.signal, hint, announcer }, () => {
    hintEveryone(); // for commits while there was no connection
    for (const listener of [...comments, ...shares]) listener(null);
    listening.resolve();
  });

  return {
    /** Call after committing events of the session: hints this process at once and others soon after. */
    grew(sessionId: string, lastSeq?: number): void {
      hintGrowth(sessionId, lastSeq);
      announcer.announce(sessionId);
    },
    /** Calls `check` when any session may have grown, until the returned function is called. */
    onGrowthCheck: (check: () => void) => subscribe(checks, check),
    /**
     * Calls `listener` when the session has grown, with the end of its log where that is known, until the returned
     * function is called.
     */
    onGrowth(sessionId: string, listener: (lastSeq?: number) => void): () => void {
      const listeners = growth.get(sessionId) ?? new Set();
      growth.set(sessionId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && growth.get(sessionId) === listeners) growth.delete(sessionId);
      };
    },
    /** Calls `listener` when turns may have changed: those of one session, or (null) any. */
    onTurns: (listener: (sessionId: string | null) => void) => subscribe(turns, listener),
    /** Calls `listener` when jobs may have changed: those of one project, or (null) any. */
    onJobs: (listener: (projectId: string | null) => void) => subscribe(jobs, listener),
    /** Calls `listener` when comments have changed: those of one session, or (null) any. Without the hints once a second. */
    onComments: (listener: (sessionId: string | null) => void) => subscribe(comments, listener),
    /** As `onComments`, when answers of a session are shared alone or not any more. */
    onShares: (listener: (sessionId: string | null) => void) => subscribe(shares, listener),
    /** Resolves once the process listens for the first time; until then there are only the periodic hints. */
    listening: listening.promise,
    async close(): Promise<void> {
      clearInterval(interval);
      closing.abort();
      await done;
    },
  };
}

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

type Listening = Settings & {
  readonly signal: AbortSignal;
  readonly hint: (channel: string, id: string) => void;
  /** Announces over the listening connection, which can then recognise its own announcements. */
  readonly announcer: GrowthAnnouncer;
};

async function keepListening(
  { url, log, signal, hint, announcer }: Listening,
  onListening: () => void,
): Promise<void> {
  let pauseMs = 0;
  while (!signal.aborted) {
    const client = new Client({
      ...connectionSettings(url, LISTENING_LIMITS, '-c synchronous_commit=off'),
      ...CONNECTION,
    });
    let backend: number | undefined;
    try {
      const ended = once(client, 'end', { signal });
      ended.catch(() => undefined); // awaited below, unless connecting fails first
      client.on('error', (error) => log.warn({ err: error }, 'lost the connection that listens to Postgres'));
      client.on('notification', ({ channel, payload, processId }) => {
        if (processId !== backend) hint(channel, payload ?? '');
      });
      await client.connect();
      backend = await listen(client);
      pauseMs = 0;
      announcer.use(client);
      onListening();
      await ended;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'cannot listen to Postgres; trying again');
    } finally {
      announcer.use(null);
      await client.end().catch(() => undefined); // a broken connection cannot be closed properly
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 + 50);
  }
}

/** Begins to listen and returns the number of the connection's backend. */
async function listen(client: Client): Promise<number | undefined> {
  const channels = [
    EVENTS_CHANNEL,
    TURNS_CHANNEL,
    JOBS_CHANNEL,
    COMMENTS_CHANNEL,
    SHARES_CHANNEL,
    PRESENCE_CHANNEL,
  ];
  await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
