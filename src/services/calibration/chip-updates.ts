import { setTimeout as sleep } from 'node:timers/promises';
import { createPlaces } from '../../base/places.ts';
import { sharedNext } from '../../base/shared-next.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import type { ChipsService } from './chips.ts';

/** Polled, since a foreign database may have no change streams. */
const POLL_MS = 2_000;

/** Most streams at once; each costs a read's part and an answer for every change. */
const LIMITS = { perUser: 500, inAll: 2_000 };
/** Streams end when pages are closed. */
const RETRY_MS = 30_000;

/** Follows chips. Followers of the same chip share one poller, which ends with the last of them. */
export function createChipUpdates(deps: {
  readonly store: CalibrationStore;
  readonly chips: ChipsService;
  readonly pollMs?: number;
  readonly limits?: typeof LIMITS;
}) {
  const { store, chips, pollMs = POLL_MS, limits = LIMITS } = deps;
  const takePlace = createPlaces('streams of chips', limits, RETRY_MS);
  const watches = new Map<string, ChipWatch>();

  const acquire = (key: string, viewer: Viewer, chipId: string): ChipWatch => {
    const scope = { projectId: viewer.projectId, chipIds: [chipId] };
    const watch =
      watches.get(key) ??
      new ChipWatch({
        readMark: () => store.chipMark(scope),
        readChip: () => chips.get(viewer, chipId),
        pollMs,
      });
    watches.set(key, watch);
    watch.readers += 1;
    return watch;
  };
  const release = (key: string, watch: ChipWatch): void => {
    watch.readers -= 1;
    if (watch.readers > 0) return;
    watch.stop();
    if (watches.get(key) === watch) watches.delete(key);
  };

  async function* read(
    viewer: Viewer,
    { chipId }: Chip,
    { signal, free }: { readonly signal: AbortSignal; readonly free: () => void },
  ): AsyncGenerator<Chip, void> {
    const key = JSON.stringify([viewer.projectId, chipId]);
    const watch = acquire(key, viewer, chipId);
    try {
      let seen = watch.changes;
      while (!signal.aborted) {
        await watch.waitForMoreThan(seen, signal);
        if (signal.aborted) return;
        seen = watch.changes;
        yield await watch.readChip();
      }
    } finally {
      release(key, watch);
      free();
    }
  }

  return {
    /**
     * Emits the chip after each change seen since the stream began, until `signal` fires; the initial state is not
     * emitted.
     * @throws NotFoundError, also when the chip disappears; RateLimitedError if too many follow
     */
    async follow(viewer: Viewer, chipId: string, signal: AbortSignal): Promise<AsyncIterable<Chip>> {
      const free = takePlace(viewer.id);
      signal.addEventListener('abort', free, { once: true });
      try {
        return read(viewer, await chips.get(viewer, chipId), { signal, free });
      } catch (error) {
        free();
        throw error;
      }
    },
  };
}

/** Polls one chip and counts its changes. */
class ChipWatch {
  /** Counted by `acquire` and `release`. */
  readers = 0;
  #changes = 0;
  #failure: unknown = null;
  readonly #stopped = new AbortController();
  readonly #waiting = new Set<() => void>();
  /** The chip, read once for all who saw the same change. */
  readonly readChip: () => Promise<Chip>;

  constructor({
    readMark,
    readChip,
    pollMs,
  }: {
    readonly readMark: () => Promise<string | null>;
    readonly readChip: () => Promise<Chip>;
    readonly pollMs: number;
  }) {
    this.readChip = sharedNext(readChip);
    void this.#poll(readMark, pollMs).catch((error: unknown) => {
      if (this.#stopped.signal.aborted) return;
      this.#failure = error;
      this.#wakeAll();
    });
  }

  get changes(): number {
    return this.#changes;
  }

  /** Resolves after more than `changes` changes or when `signal` fires; rejects when polling has failed. */
  async waitForMoreThan(changes: number, signal: AbortSignal): Promise<void> {
    while (this.#changes <= changes && this.#failure === null && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
      await promise;
      signal.removeEventListener('abort', wake);
      this.#waiting.delete(wake);
    }
    if (this.#failure !== null) throw this.#failure;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Changes are relative to the first mark. A null mark means that the database is away: nothing has changed. */
  async #poll(readMark: () => Promise<string | null>, pollMs: number): Promise<void> {
    const { signal } = this.#stopped;
    let known = await readMark();
    while (!signal.aborted) {
      await sleep(pollMs, undefined, { signal });
      const mark = await readMark();
      if (mark === null || mark === known) continue;
      if (known !== null) this.#changes += 1;
      known = mark;
      this.#wakeAll();
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}
