import type { EngineJob, WarmProcess } from './engine.ts';
import type { SandboxLimits } from './limits.ts';
import { messages } from './messages.ts';
import type { PythonResult } from './python-result.ts';
import type { SandboxLoad } from './supervisor-protocol.ts';
import { failedAnswer, readReply } from './reply.ts';
import type { PythonAnswer } from './reply.ts';
import { createWarmProcesses } from './warm-processes.ts';
import type { ProcessSource } from './warm-processes.ts';

/** A job, its user, and a listener for what it prints. */
export type PoolJob = EngineJob & { readonly user: string; readonly onPrinted: (text: string) => void };

/** Runs each job in a process of its own, which is killed afterwards. */
export type Pool = {
  /** Starts processes of a prepared engine. Jobs may come earlier and wait. */
  open(engine: ProcessSource): void;
  /** Answers waiting jobs, and new ones until the pool is opened again, with an error that gives the reason. */
  fail(reason: string): void;
  /** Resolves to an error result if no process becomes free in time; rejects only with the reason of `signal`. */
  run(job: PoolJob, signal: AbortSignal): Promise<PythonResult>;
  load(): SandboxLoad;
  /** Kills all processes and waits for their exit. */
  close(): Promise<void>;
};

/** Dependencies of a pool. */
export type PoolDeps = {
  readonly limits: SandboxLimits;
  readonly onFailedStart: (reason: string) => void;
};

type WaitingJob = PoolJob & {
  readonly signal: AbortSignal;
  readonly settle: (result: PythonResult | Promise<PythonResult>) => void;
};

/** A pool without processes; {@link Pool.open} starts them. */
export function createPool({ limits, onFailedStart }: PoolDeps): Pool {
  const waiting: WaitingJob[] = [];
  const running: string[] = [];
  let unavailable: string | null = null;
  let refusals = 0;

  const processes = createWarmProcesses({
    limits,
    onReady: pump,
    onFailedStart: (reason, isGivingUp) => {
      onFailedStart(reason);
      if (isGivingUp) refuseWaiting(messages.unavailable(reason));
    },
  });

  function pump(): void {
    while (waiting.length > 0) {
      const warm = processes.take();
      if (!warm) return;
      const job = takeFairly(waiting, new Set(running));
      if (job) job.settle(execute(job, warm));
    }
  }

  async function execute(job: WaitingJob, warm: WarmProcess): Promise<PythonResult> {
    running.push(job.user);
    try {
      return await runInTime(job, warm, limits);
    } finally {
      running.splice(running.indexOf(job.user), 1);
      processes.discard(warm);
      pump();
    }
  }

  function refuseWaiting(error: string): void {
    for (const job of waiting.splice(0)) job.settle(refused(error));
  }

  function refuseBusy(): PythonResult {
    refusals++;
    return refused(messages.busy);
  }

  async function run(job: PoolJob, signal: AbortSignal): Promise<PythonResult> {
    signal.throwIfAborted();
    const reason = unavailable ?? processes.failure();
    if (reason !== null) return refused(messages.unavailable(reason));
    if (waiting.length >= limits.queueLength && !processes.hasIdle()) return refuseBusy();
    const { promise, resolve, reject } = Promise.withResolvers<PythonResult>();
    const entry: WaitingJob = { ...job, signal, settle };
    const timer = setTimeout(() => settle(refuseBusy()), limits.queueWaitMs);
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    function leave(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      const index = waiting.indexOf(entry);
      if (index >= 0) waiting.splice(index, 1);
    }
    function settle(result: PythonResult | Promise<PythonResult>): void {
      leave();
      resolve(result);
    }
    signal.addEventListener('abort', onAbort);
    waiting.push(entry);
    processes.wake();
    pump();
    return await promise;
  }

  return {
    open: (engine) => {
      unavailable = null;
      processes.open(engine);
    },
    fail: (reason) => {
      unavailable = reason;
      refuseWaiting(messages.unavailable(reason));
    },
    run,
    load: () => ({ ...processes.count(), waiting: waiting.length, refused: refusals }),
    close: async () => {
      unavailable = 'it is shutting down';
      refuseWaiting(messages.unavailable(unavailable));
      await processes.close();
    },
  };
}

/**
 * Hands the job over and waits for whichever comes first: its reply, its exit, the time limit, the memory limit, an
 * abort. Without a reply, the output received so far becomes the result's output.
 */
async function runInTime(job: WaitingJob, warm: WarmProcess, limits: SandboxLimits): Promise<PythonResult> {
  const startedAt = performance.now();
  const { promise: stopped, resolve: stop, reject: abort } = Promise.withResolvers<PythonAnswer>();
  let printed = '';
  const onPrinted = (text: string): void => {
    printed += text;
    job.onPrinted(text);
  };
  const unanswered = (error: string): PythonAnswer => ({ ...failedAnswer(error), output: printed || null });
  const timer = setTimeout(() => stop(unanswered(messages.tooLong(limits))), limits.timeoutMs);
  const onAbort = () => abort(job.signal.reason);
  const watching = new AbortController();
  job.signal.addEventListener('abort', onAbort);
  try {
    const replied = warm.run(job, onPrinted).then(
      (text) => readReply(text, limits),
      () => unanswered(messages.broken),
    );
    const tooBig = exceedsLimit(warm, limits.pollMs, watching.signal).then(unanswered);
    const answer = await Promise.race([replied, stopped, tooBig]);
    return { ...answer, durationMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    watching.abort();
    job.signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves with the message of the limit that the process exceeds; stays pending if `signal` ends the watch first. */
function exceedsLimit(warm: WarmProcess, pollMs: number, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const poll = async () => {
    if (signal.aborted) return;
    const message = await warm.exceeded();
    if (message === null) setTimeout(() => void poll(), pollMs);
    else resolve(message);
  };
  void poll();
  return promise;
}

/**
 * Removes the next job from `waiting`, which is in order of arrival: the first of a user with none running, else the
 * first. So no user gets a second process while another user waits.
 */
function takeFairly(waiting: WaitingJob[], running: ReadonlySet<string>): WaitingJob | undefined {
  const index = waiting.findIndex(({ user }) => !running.has(user));
  return waiting.splice(Math.max(index, 0), 1)[0];
}

function refused(error: string): PythonResult {
  return { ...failedAnswer(error), durationMs: 0 };
}
