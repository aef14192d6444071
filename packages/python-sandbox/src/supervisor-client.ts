import { Worker } from 'node:worker_threads';
import { responseSchema } from './supervisor-protocol.ts';
import type { SupervisorCall, SupervisorOptions, SupervisorRequest } from './supervisor-protocol.ts';

/** Receives messages for the operator; a pino logger fits. */
export type SandboxLog = Record<'info' | 'warn', (message: string) => void>;

/** Options of a call. */
export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Receives the output of a run while it is in flight. */
  readonly onPrinted?: ((text: string) => void) | undefined;
};

/** A supervisor in a worker thread, started by the first call and after a crash by the next one. */
export type SupervisorClient = {
  /**
   * Resolves to the unchecked answer. Rejects when the supervisor fails or exits, and with an `AbortError` as soon as
   * `signal` fires, which also stops the run in the supervisor.
   */
  call(request: SupervisorCall, options?: CallOptions): Promise<unknown>;
  /** Whether one runs. */
  isStarted(): boolean;
  /** Kills the supervisor's processes, then the supervisor. */
  close(): Promise<void>;
};

type Pending = Pick<CallOptions, 'onPrinted'> & {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Starts nothing yet. An idle supervisor does not keep the Node process alive. */
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
      const error = new Error('the supervisor of the Python sandbox exited');
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
    isStarted: () => worker !== undefined,
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
