import type { PythonEngine, WarmProcess } from './engine.ts';
import type { SandboxLimits } from './limits.ts';

/** Keeps as many processes ready as the limits say, counting those at work. */
export type WarmProcesses = {
  /** Starts processes of an engine that is prepared. */
  open(engine: ProcessSource): void;
  /** A ready process; the taker discards it. */
  take(): WarmProcess | undefined;
  hasIdle(): boolean;
  /** Kills a taken process and starts another in its place. */
  discard(warm: WarmProcess): void;
  /** There is work: all warm processes are wanted again. */
  wake(): void;
  /** Why no process can be had at the moment, or null while one is there or on its way. */
  failure(): string | null;
  close(): Promise<void>;
};

/** What processes come from. */
export type ProcessSource = Pick<PythonEngine, 'prepare' | 'start'>;

/** What keeping processes warm needs. */
export type WarmProcessesDeps = {
  readonly limits: SandboxLimits;
  readonly onReady: () => void;
  /** `isGivingUp` when no further attempt is made for a while. */
  readonly onFailedStart: (reason: string, isGivingUp: boolean) => void;
};

/** Failed starts in a row before the pauses begin. */
const TOLERATED_FAILURES = 3;

/** The pause after so many failed starts in a row: none at first, then doubling. */
function pauseAfter(failures: number, { backoffMs, backoffMaxMs }: SandboxLimits): number {
  return failures < TOLERATED_FAILURES
    ? 0
    : Math.min(backoffMs * 2 ** (failures - TOLERATED_FAILURES), backoffMaxMs);
}

/** No processes yet; {@link WarmProcesses.open} starts them. */
export function createWarmProcesses({ limits, onReady, onFailedStart }: WarmProcessesDeps): WarmProcesses {
  const starting = new Set<WarmProcess>();
  const idle = new Set<WarmProcess>();
  const taken = new Set<WarmProcess>();
  const alive = new Set<WarmProcess>();
  /** Undefined while there are to be no processes. */
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
    void warm.exited.then(() => idle.has(warm) && failed(warm, 'a waiting process ended by itself'));
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

  /** What processes load may have been lost, so it is made again before the next attempt. */
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
