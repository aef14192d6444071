import { ServiceBusyError } from './errors.ts';

type Waiting = { readonly enter: () => void };

/** Bounds of a {@link FairGate}. */
export type GateLimits = {
  /** Most pieces of work at once. */
  readonly width: number;
  /** Longest wait before it, in milliseconds; then the caller is refused. */
  readonly waitMs: number;
};

/** Lets so many pieces of work in at once, one of each key. Keys with work waiting take turns. */
export class FairGate {
  readonly #limits: GateLimits;
  readonly #inside = new Set<string>();
  /** In the order in which keys take turns. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /**
   * Settles as `work` does.
   * @throws ServiceBusyError if it could not begin in time, the signal's reason if that fired before; then it never does
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#enter(key, signal);
    try {
      return await work();
    } finally {
      this.#inside.delete(key);
      this.#keep(key, this.#waiting.get(key) ?? []);
      this.#letIn();
    }
  }

  async #enter(key: string, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { enter: resolve };
    const leave = (reason: Error): void => {
      this.#forget(key, waiting);
      reject(reason);
    };
    const late = setTimeout(() => leave(new ServiceBusyError(this.#limits.waitMs)), this.#limits.waitMs);
    const onAbort = (): void => leave(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waiting]);
    this.#letIn();
    await promise.finally(() => {
      clearTimeout(late);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  #letIn(): void {
    for (const [key, [next]] of this.#waiting) {
      if (this.#inside.size >= this.#limits.width) return;
      if (next === undefined || this.#inside.has(key)) continue;
      this.#inside.add(key);
      this.#forget(key, next);
      next.enter();
    }
  }

  /** Takes a piece of work out; the rest of its key stays at its place. */
  #forget(key: string, one: Waiting): void {
    const rest = (this.#waiting.get(key) ?? []).filter((other) => other !== one);
    if (rest.length > 0) this.#waiting.set(key, rest);
    else this.#waiting.delete(key);
  }

  /** What waits of a key, behind all other keys. */
  #keep(key: string, rest: Waiting[]): void {
    this.#waiting.delete(key);
    if (rest.length > 0) this.#waiting.set(key, rest);
  }
}
