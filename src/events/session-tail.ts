import type { SessionEvent } from '../domain/conversation/session-event.ts';

/** Reads up to `limit` events after `afterSeq`. */
export type ReadEvents = (afterSeq: number, limit: number) => Promise<SessionEvent[]>;

/** Events of one read. */
const PAGE = 200;
/** Events kept for readers that are a little behind; about a hundred kilobytes. */
const KEPT = 400;

/**
 * The newest events of one session, shared by its readers in this process, so that a hundred of them cause as many
 * queries as one. Readers that are further behind read pages of their own, which are not kept: memory is bounded
 * whatever a reader does.
 */
export class SessionTail {
  readonly #read: ReadEvents;
  /** Without gaps, ending at `#lastSeq`. */
  #events: SessionEvent[] = [];
  #lastSeq: number;
  #refreshing: Promise<void> | null = null;
  #nextRefresh: Promise<void> | null = null;
  readonly #waiting = new Set<() => void>();
  #growths = 0;
  /** `#growths` as it was before the last read that found the end of the log: what was hinted until then is read. */
  #readGrowths = -1;

  /** `lastSeq`: where the log ended a moment ago. */
  constructor(lastSeq: number, read: ReadEvents) {
    this.#lastSeq = lastSeq;
    this.#read = read;
  }

  /** Counts hints. Take it before reading; {@link waitBeyond} then misses nothing that was hinted in between. */
  get growths(): number {
    return this.#growths;
  }

  /** To be called when the log may have grown. */
  hint(): void {
    this.#growths += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves once there were more hints than `growths`, or when `signal` fires. */
  waitBeyond(growths: number, signal: AbortSignal): Promise<void> {
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
    const { growths } = this;
    while (afterSeq >= this.#lastSeq && this.#readGrowths < growths) await this.#refresh();
    return this.#lastSeq - this.#events.length <= afterSeq
      ? this.#events.slice(afterSeq - this.#lastSeq + this.#events.length)
      : this.#read(afterSeq, PAGE); // others read far ahead meanwhile
  }

  /** Joins a read that has not begun yet: one that is under way may have looked too early. */
  #refresh(): Promise<void> {
    this.#nextRefresh ??= this.#refreshAfter(this.#refreshing);
    return this.#nextRefresh;
  }

  async #refreshAfter(current: Promise<void> | null): Promise<void> {
    await current?.catch(() => undefined); // its readers hear of its failure themselves
    this.#refreshing = this.#nextRefresh;
    this.#nextRefresh = null;
    const { growths } = this;
    const events = await this.#read(this.#lastSeq, PAGE);
    if (events.length < PAGE) this.#readGrowths = growths;
    this.#lastSeq = events.at(-1)?.seq ?? this.#lastSeq;
    this.#events = [...this.#events, ...events].slice(-KEPT);
  }
}
