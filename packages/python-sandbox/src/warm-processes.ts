import type { PythonEngine, WarmProcess } from './engine.ts';
import type { SandboxLimits } from './limits.ts';

/** Keeps the configured number of processes ready or at work. */
export type WarmProcesses = {
  /** Starts processes of a prepared engine. */
  open(engine: ProcessSource): void;
  /** A ready process; the caller discards it. */
  take(): WarmProcess | undefined;
  hasIdle(): boolean;
  /** Ready ones, and those at work. */
  count(): { readonly warm: number; readonly busy: number };
  /** Kills a taken process and starts a replacement. */
  discard(warm: WarmProcess): void;
  /** A job arrived: go back to the full number of warm processes. */
  wake(): void;
  /** Why no process is available; null while one is ready or starting. */
  failure(): string | null;
  close(): Promise<void>;
};

export type ProcessSource = Pick<PythonEngine, 'prepare' | 'start'>;

/** Dependencies of the warm processes. */
export type WarmProcessesDeps = {
  readonly limits: SandboxLimits;
  readonly onReady: () => void;
  /** `isGivingUp`: no further attempt for a while. */
  readonly onFailedStart: (reason: string, isGivingUp: boolean) => void;
};

/** Consecutive failed starts before the pauses begin. */
const TOLERATED_FAILURES = 3;

/** Exponential backoff after consecutive failed starts. */
function pauseAfter(failures: number, { backoffMs, backoffMaxMs }: SandboxLimits): number {
  return failures < TOLERATED_FAILURES
    ? 0
    : Math.min(backoffMs * 2 ** (failures - TOLERATED_FAILURES), backoffMaxMs);
}

export function createWarmProcesses({ limits, onReady, onFailedStart }: WarmProcessesDeps): WarmProcesses {
  const starting = new Set<WarmProcess>();
  const idle = new Set<WarmProcess>();
  const taken = new Set<WarmProcess>();
  const alive = new Set<WarmProcess>();
  /** Undefined before `open` and after `close`. */
  let engine: ProcessSource | undefined;
  let wanted = limits.warmProcesses;
  let failures = 0;
  let lastFailure = '';
  let pause: NodeJS.Timeout | undefined;
  let shrink: NodeJS.Timeout | undefined;

  function fill(): void {
    if (!engine || pause !== undefined) return;
    while (starting.size + idle.size + taken.size < wanted) start(engine);
  }

  function start(source: ProcessSource): void {
    const warm = source.start();
    const timer = setTimeout(() => warm.kill(), limits.startTimeoutMs);
    starting.add(warm);
    alive.add(warm);
    void warm.exited.then(() => alive.delete(warm));
    warm.ready.then(
      () => {
        clearTimeout(timer);
        becameIdle(warm);
      },
      (error: Error) => {
        clearTimeout(timer);
        failed(warm, error.message);
      },
    );
  }

  function becameIdle(warm: WarmProcess): void {
    starting.delete(warm);
    if (!engine) return warm.kill();
    idle.add(warm);
    void warm.exited.then(() => idle.has(warm) && failed(warm, 'an idle process exited'));
    onReady();
  }

  function failed(warm: WarmProcess, reason: string): void {
    warm.kill();
    starting.delete(warm);
    idle.delete(warm);
    if (!engine) return;
    noteFailure(reason);
    onFailedStart(reason, failure() !== null);
    fill();
  }

  function noteFailure(reason: string): void {
    failures++;
    lastFailure = reason;
    const pauseMs = pauseAfter(failures, limits);
    if (pauseMs > 0) pause ??= setTimeout(() => void resume(), pauseMs);
  }

  /** Prepares the engine again first, since files that its processes load may have been lost. */
  async function resume(): Promise<void> {
    const failed = await engine?.prepare().then(
      () => null,
      (error: unknown) => String(error),
    );
    pause = undefined;
    if (!engine || failed === undefined) return;
    if (failed === null) return fill();
    noteFailure(failed);
    onFailedStart(failed, failure() !== null);
  }

  function failure(): string | null {
    return pause !== undefined && idle.size + starting.size === 0 ? lastFailure : null;
  }

  function keepOne(): void {
    wanted = 1;
    for (const warm of [...idle].slice(wanted)) {
      idle.delete(warm);
      warm.kill();
    }
  }

  function wake(): void {
    clearTimeout(shrink);
    shrink = setTimeout(keepOne, limits.idleShrinkMs);
    wanted = limits.warmProcesses;
    fill();
  }

  return {
    open: (source) => {
      engine = source;
      wake();
    },
    take: () => {
      const [warm] = idle;
      if (!warm) return undefined;
      failures = 0;
      idle.delete(warm);
      taken.add(warm);
      return warm;
    },
    hasIdle: () => idle.size > 0,
    count: () => ({ warm: idle.size, busy: taken.size }),
    discard: (warm) => {
      warm.kill();
      taken.delete(warm);
      fill();
    },
    wake,
    failure,
    close: async () => {
      engine = undefined;
      clearTimeout(pause);
      clearTimeout(shrink);
      const last = [...alive];
      for (const warm of last) warm.kill();
      await Promise.all(last.map((warm) => warm.exited));
    },
  };
}
