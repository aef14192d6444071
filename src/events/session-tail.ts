import type { SessionEvent } from '../domain/conversation/session-event.ts';

/** Reads up to `limit` events after `afterSeq`. */
export type ReadEvents = (afterSeq: number, limit: number) => Promise<SessionEvent[]>;

/** Events of one read. */
const PAGE = 200;
/** Events cached for readers that lag a little; about 100 kB. */
const KEPT = 400;

/**
 * The newest events of one session, shared by its readers in this process, so that a hundred readers cause as
 * many queries as one. Readers that are further behind read their own pages, which are not cached, so memory is
 * bounded.
 */
export class SessionTail {
  readonly #read: ReadEvents;
  /** Without gaps, ending at `#lastSeq`. */
  readonly #events: SessionEvent[] = [];
  #lastSeq: number;
  #refreshing: Promise<void> | null = null;
  #nextRefresh: Promise<void> | null = null;
  readonly #waiting = new Set<() => void>();
  /** Times that readers were woken. */
  #growths = 0;
  /** Growths that only a read can show; the first read is one of them. */
  #hints = 1;
  /** `#hints` before the last read that reached the end of the log: everything hinted until then has been read. */
  #readHints = 0;

  /** `lastSeq`: where the log ended a moment ago. */
  constructor(lastSeq: number, read: ReadEvents) {
    this.#lastSeq = lastSeq;
    this.#read = read;
  }

  /** Times that the log may have grown. Read it before the log; {@link waitForGrowth} then misses none in between. */
  get growths(): number {
    return this.#growths;
  }

  /** Call when the log may have grown, to `lastSeq` if that is known. */
  hint(lastSeq?: number): void {
    if (lastSeq !== undefined && lastSeq <= this.#lastSeq) return;
    this.#hints += 1;
    this.#wake();
  }

  /** Takes events that were just stored; those after a gap are left to the next read. */
  feed(events: readonly SessionEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > this.#lastSeq);
    if (fresh.length === 0) return;
    if (fresh[0]?.seq === this.#lastSeq + 1) this.#keep(fresh);
    else this.#hints += 1;
    this.#wake();
  }

  #wake(): void {
    this.#growths += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves once the log may have grown more than `growths` times, or when `signal` fires. */
  waitForGrowth(growths: number, signal: AbortSignal): Promise<void> {
    if (this.#growths > growths || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  /** Some events after `afterSeq`, in order; none only if the log ended there after the last hint before the call. */
  async readAfter(afterSeq: number): Promise<readonly SessionEvent[]> {
    if (afterSeq < this.#lastSeq - this.#events.length) return this.#read(afterSeq, PAGE);
    const hints = this.#hints;
    while (afterSeq >= this.#lastSeq && this.#readHints < hints) await this.#refresh();
    return this.#lastSeq - this.#events.length <= afterSeq
      ? this.#events.slice(afterSeq - this.#lastSeq + this.#events.length)
      : this.#read(afterSeq, PAGE); // others read far ahead meanwhile
  }

  /** Joins the next read: one that is in flight may have started too early. */
  #refresh(): Promise<void> {
    this.#nextRefresh ??= this.#refreshAfter(this.#refreshing);
    return this.#nextRefresh;
  }

  async #refreshAfter(current: Promise<void> | null): Promise<void> {
    await current?.catch(() => undefined); // its own readers get the error
    this.#refreshing = this.#nextRefresh;
    this.#nextRefresh = null;
    const hints = this.#hints;
    const events = await this.#read(this.#lastSeq, PAGE);
    if (events.length < PAGE) this.#readHints = Math.max(this.#readHints, hints);
    const fresh = events.filter(({ seq }) => seq > this.#lastSeq); // some may have been fed meanwhile
    if (fresh.length === 0) return;
    this.#keep(fresh);
    this.#wake(); // readers that began to wait during the read: hints to where the log ends now are ignored
  }

  #keep(events: readonly SessionEvent[]): void {
    this.#lastSeq = events.at(-1)?.seq ?? this.#lastSeq;
    this.#events.push(...events);
    if (this.#events.length > KEPT) this.#events.splice(0, this.#events.length - KEPT);
  }
}
