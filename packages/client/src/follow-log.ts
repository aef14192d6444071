/**
 * Follows a numbered log over as many connections as it takes. Each event is handed on once and in order; when a
 * connection drops, the next one continues after the last event that was handed on. It knows nothing of GraphQL and of
 * what the events mean.
 */
import { createBell } from './bell.ts';
import {
  ForbiddenError,
  NotQPilotError,
  TryLaterError,
  UnauthenticatedError,
  UnreachableError,
  type RefusedError,
} from './errors.ts';

/** Callbacks of a connection. What is called after `refused` or `dropped` changes nothing. */
export type LogSink<Event> = {
  /** The server takes subscriptions on it. */
  readonly opened: () => void;
  readonly event: (event: Event) => void;
  /** The server does not serve this log from this cursor. */
  readonly refused: (error: RefusedError) => void;
  /** It ended, by whatever cause. */
  readonly dropped: () => void;
};

/**
 * Opens a connection that gives the events after `afterSeq`; what it returns closes it. `isDead`: nothing that goes the
 * same way is likely to arrive.
 */
export type OpenLog<Event> = (afterSeq: number, sink: LogSink<Event>) => (isDead: boolean) => void;

/** Whether events arrive as they happen. `ended`: no more will come, and following fails with the reason. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'ended';

/** Calls back when a connection may be dead without a sign of it; what it returns ends that. */
export type WatchWaking = (onWake: () => void) => () => void;

/** How to follow. */
export type FollowOptions = {
  /** The last event that is known already; default 0, none. */
  readonly after?: number | undefined;
  /** Ends it; the iterator is then done, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each change of {@link LiveStatus}. */
  readonly onStatus?: ((status: LiveStatus) => void) | undefined;
  /** How long the server may be away; default a minute. `Infinity`: for ever, whatever answers in its place. */
  readonly patienceMs?: number | undefined;
  /** Default: in a browser {@link import('./waking.ts').watchPage}, else none. */
  readonly watchWaking?: WatchWaking | undefined;
};

/** The log behind {@link FollowOptions}. */
export type Log<Event> = {
  readonly open: OpenLog<Event>;
  /** Called while no connection has ever opened; says by what it throws why none does. */
  readonly check: (signal?: AbortSignal) => Promise<void>;
  /** Where it is, for messages. */
  readonly name: string;
  /** From 0 to 1, for the spread of many clients after a restart of their server. */
  readonly random?: () => number;
};

const SHORTEST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 10_000;
const PATIENCE_MS = 60_000;
/** So many events wait for a slow reader; what follows them is read again once they are taken. */
const MOST_WAITING = 1_000;

/** The pause before attempt `attempt`, from 0: twice as long each time, anywhere in its upper half. */
export function pauseMs(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** attempt);
  return longest / 2 + (longest / 2) * random;
}

/**
 * The events of a log after a cursor, until the signal fires or the reader leaves the loop.
 * @throws RefusedError when the server does not serve the log, and UnreachableError when it stays away
 */
export async function* followLog<Event extends { readonly seq: number }>(
  { open, check, name, random = Math.random }: Log<Event>,
  { after = 0, signal, onStatus, patienceMs = PATIENCE_MS, watchWaking = () => () => {} }: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  const bell = createBell();
  let status: LiveStatus | null = null;
  let hasOpened = false;
  let isWoken = false;
  let afterSeq = after;
  let failures = 0;
  let awaySince: number | null = null;
  const tell = (next: LiveStatus): void => {
    if (next === status || signal?.aborted) return;
    status = next;
    onStatus?.(next);
  };
  const fail = (error: unknown): never => {
    tell('ended');
    throw error;
  };
  const onOpened = (): void => {
    hasOpened = true;
    awaySince = null;
    tell('live');
  };
  const stopWatching = watchWaking(() => {
    isWoken = true;
    bell.ring();
  });
  signal?.addEventListener('abort', bell.ring);
  try {
    if (signal?.aborted) return;
    tell('connecting');
    for (;;) {
      const connection = connect(open, afterSeq, onOpened, bell.ring);
      try {
        for (;;) {
          const event = connection.take();
          if (event === undefined) {
            if (connection.end() !== null || isWoken) break;
            await bell.rung();
          } else if (event.seq === afterSeq + 1) {
            afterSeq = event.seq;
            failures = 0;
            yield event;
          } else if (event.seq > afterSeq) {
            // A hole can only come from a fault on the way; the log itself has none, so it is read again.
            break;
          }
          if (signal?.aborted) return;
        }
      } finally {
        connection.close(isWoken);
      }
      const end = connection.end();
      if (end === 'full') continue;
      if (end instanceof Error && !(end instanceof TryLaterError)) fail(end);
      tell('reconnecting');
      if (!isWoken) {
        if (!hasOpened && patienceMs < Infinity) {
          await check(signal).catch((error) => signal?.aborted || !isHopeless(error) || fail(error));
        }
        awaySince ??= performance.now();
        const longest = end instanceof TryLaterError ? end.retryAfterMs : 0;
        const until = performance.now() + Math.max(longest, pauseMs(failures, random()));
        failures += 1;
        if (until - awaySince > patienceMs) {
          const seconds = Math.round(patienceMs / 1_000);
          fail(
            end instanceof Error ? end : new UnreachableError(`no connection to ${name} for ${seconds} s`),
          );
        }
        while (!signal?.aborted && !isWoken && performance.now() < until) {
          await bell.rung(until - performance.now());
        }
      }
      if (signal?.aborted) return;
      if (isWoken) failures = 0;
      isWoken = false;
    }
  } finally {
    stopWatching();
    signal?.removeEventListener('abort', bell.ring);
  }
}

/** Whether trying again is of no use: something else answers there, or it does not let the caller in. */
const isHopeless = (error: unknown): boolean =>
  [NotQPilotError, UnauthenticatedError, ForbiddenError].some((kind) => error instanceof kind);

/** Opens a connection and keeps what comes over it until it is taken. */
function connect<Event>(open: OpenLog<Event>, afterSeq: number, onOpened: () => void, onNews: () => void) {
  const waiting: Event[] = [];
  let end: 'dropped' | 'full' | RefusedError | null = null;
  let closeOpen: ReturnType<OpenLog<Event>> | null = null;
  const close = (isDead = false): void => {
    closeOpen?.(isDead);
    closeOpen = null;
  };
  const endWith = (how: NonNullable<typeof end>): void => {
    if (end !== null) return;
    end = how;
    close();
    onNews();
  };
  const closeIt = open(afterSeq, {
    opened: () => end ?? onOpened(),
    event(event) {
      if (end !== null) return;
      waiting.push(event);
      if (waiting.length >= MOST_WAITING) endWith('full');
      onNews();
    },
    refused: endWith,
    dropped: () => endWith('dropped'),
  });
  if (end === null) closeOpen = closeIt;
  else closeIt(false);
  return {
    take: (): Event | undefined => waiting.shift(),
    /** Null while it is open. */
    end: (): typeof end => end,
    close(isDead: boolean): void {
      end ??= 'dropped';
      close(isDead);
    },
  };
}
