/**
 * Follows a numbered log over as many connections as it takes. Each event is handed on once and in order;
 * when a connection drops, the next one continues after the last event that was handed on. It is independent
 * of GraphQL, React and the meaning of the events.
 */

/** Callbacks of a connection. Nothing is called after `refused` or `dropped`. */
export type LogSink<Event> = {
  /** The server takes subscriptions on it. */
  readonly opened: () => void;
  readonly event: (event: Event) => void;
  /** The server will not serve this log from this cursor; asking again is of no use. */
  readonly refused: (code: string) => void;
  /** It ended, by whatever cause. */
  readonly dropped: () => void;
};

/** Opens a connection that gives the events after `afterSeq`; what it returns closes it. */
export type OpenLog<Event> = (afterSeq: number, sink: LogSink<Event>) => () => void;

/** Whether events arrive as they happen. `ended`: the server serves this log no longer. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'ended';

/** Calls back when the page may have slept or was offline: the connection may be dead without a sign of it. */
export type WatchWaking = (onWake: () => void) => () => void;

/** What to follow. */
export type FollowOptions<Event> = {
  readonly open: OpenLog<Event>;
  /** The last event that is known already. */
  readonly afterSeq: number;
  readonly onEvent: (event: Event) => void;
  readonly onStatus: (status: LiveStatus) => void;
  /** The log cannot be continued from here: `NOT_FOUND`, `CURSOR_AHEAD`, or another code of the server. */
  readonly onRefused: (code: string) => void;
  readonly watchWaking: WatchWaking;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** From 0 to 1, for the spread of many clients after a restart of their server. */
  readonly random?: () => number;
};

const SHORTEST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 10_000;

/** The pause before attempt `attempt`, from 0: twice as long each time, anywhere in its upper half. */
export function pauseMs(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** attempt);
  return longest / 2 + (longest / 2) * random;
}

/** Follows a log until `signal` fires or the server refuses. Returns at once. */
export function followLog<Event extends { readonly seq: number }>(options: FollowOptions<Event>): void {
  const { open, onEvent, onStatus, onRefused, signal, random = Math.random } = options;
  let { afterSeq } = options;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let close: (() => void) | null = null;

  const end = (): void => {
    clearTimeout(timer);
    stopWatching();
    close?.();
    close = null;
  };

  const tryAgain = (): void => {
    onStatus('reconnecting');
    timer = setTimeout(connect, pauseMs(failures, random()));
    failures += 1;
  };

  /** Closes what is open and continues over a new connection, at once. */
  const restart = (): void => {
    clearTimeout(timer);
    close?.();
    onStatus('reconnecting');
    connect();
  };

  const connect = (): void => {
    let isOver = false;
    const once = (act: () => void) => (): void => {
      if (isOver) return;
      isOver = true;
      closeThis?.();
      if (!signal.aborted) act();
    };
    const sink: LogSink<Event> = {
      opened: () => {
        if (!isOver) onStatus('live');
      },
      event: (event) => {
        if (isOver || signal.aborted || event.seq <= afterSeq) return;
        // A hole can only come from a fault on the way; the log itself has none, so it is read again.
        if (event.seq !== afterSeq + 1) return sink.dropped();
        afterSeq = event.seq;
        failures = 0;
        onEvent(event);
      },
      refused: (code) =>
        once(() => {
          end();
          onStatus('ended');
          onRefused(code);
        })(),
      dropped: once(tryAgain),
    };
    let closeThis: (() => void) | undefined;
    close = () => {
      isOver = true;
      closeThis?.();
    };
    closeThis = open(afterSeq, sink);
    if (isOver) closeThis();
  };

  const stopWatching = options.watchWaking(() => {
    failures = 0;
    restart();
  });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) return end();
  onStatus('connecting');
  connect();
}
