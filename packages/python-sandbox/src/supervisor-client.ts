import { Worker } from 'node:worker_threads';
import { responseSchema } from './supervisor-protocol.ts';
import type { SupervisorCall, SupervisorOptions, SupervisorRequest } from './supervisor-protocol.ts';

/** Where the sandbox says what its operator should know. A pino logger fits. */
export type SandboxLog = Record<'info' | 'warn', (message: string) => void>;

/** What a caller may add to a call. */
export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Hears what a run prints, until its answer. */
  readonly onPrinted?: ((text: string) => void) | undefined;
};

/** A supervisor in a worker thread, started by the first call and after a crash by the next one. */
export type SupervisorClient = {
  /**
   * The unchecked answer. Rejects when the supervisor fails or ends, and with an `AbortError` as soon as `signal` fires;
   * the supervisor is then told to stop what it does for this call.
   */
  call(request: SupervisorCall, options?: CallOptions): Promise<unknown>;
  /** Ends the supervisor's processes, then the supervisor. */
  close(): Promise<void>;
};

type Pending = Pick<CallOptions, 'onPrinted'> & {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Nothing is started yet. A supervisor that is idle keeps no process alive. */
export function createSupervisorClient(options: SupervisorOptions, log: SandboxLog): SupervisorClient {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL('./supervisor.ts', import.meta.url), {
      workerData: options,
      execArgv: [],
      name: 'python-sandbox-supervisor',
    });
    started.on('message', receive);
    started.on('error', (error) => log.warn(`the supervisor of the Python sandbox failed: ${String(error)}`));
    started.once('exit', () => {
      if (worker === started) worker = undefined;
      const error = new Error('the supervisor of the Python sandbox ended');
      for (const call of pending.values()) call.reject(error);
      pending.clear();
    });
    return started;
  }

  function receive(message: unknown): void {
    const response = responseSchema.parse(message);
    switch (response.type) {
      case 'log':
        return log[response.level](response.message);
      case 'printed':
        return pending.get(response.id)?.onPrinted?.(response.text);
      case 'answer':
        return pending.get(response.id)?.resolve(response.value);
      case 'failed':
        return pending.get(response.id)?.reject(new Error(response.message));
      default:
        throw new Error(`unknown response ${JSON.stringify(response satisfies never)}`);
    }
  }

  async function call(request: SupervisorCall, options: CallOptions = {}): Promise<unknown> {
    const { signal, onPrinted } = options;
    if (signal?.aborted) throw abortError(signal);
    const target = (worker ??= start());
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = () => {
      target.postMessage({ type: 'abort', id } satisfies SupervisorRequest);
      if (signal) reject(abortError(signal));
    };
    signal?.addEventListener('abort', onAbort);
    pending.set(id, { resolve, reject, onPrinted });
    target.ref();
    try {
      target.postMessage({ ...request, id } satisfies SupervisorRequest);
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      pending.delete(id);
      if (pending.size === 0) target.unref();
    }
  }

  return {
    call,
    close: async () => {
      if (!worker) return;
      const closing = worker;
      await call({ type: 'close' });
      await closing.terminate();
    },
  };
}

function abortError(signal: AbortSignal): Error {
  const error = new Error('The analysis was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  return error;
}
