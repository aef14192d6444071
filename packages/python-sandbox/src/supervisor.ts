/**
 * Entry of the supervisor, a `worker_threads` worker that starts, watches and kills the contained processes and parses
 * their replies off the main thread. It runs no analysed code itself.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { PythonEngine } from './engine.ts';
import { createNativeEngine } from './native/engine.ts';
import { createPool } from './pool.ts';
import { createPyodideEngine } from './pyodide/engine.ts';
import type { PythonResult } from './python-result.ts';
import { createStartup } from './startup.ts';
import { requestSchema, supervisorOptionsSchema } from './supervisor-protocol.ts';
import type { SupervisorOptions, SupervisorRequest, SupervisorResponse } from './supervisor-protocol.ts';
import type { SandboxAvailability, SelfTestReport } from './walls.ts';

if (!parentPort) throw new Error('supervisor.ts is a worker thread entry and cannot run on its own');
const port = parentPort;
const send = (response: SupervisorResponse) => port.postMessage(response);
const log = (level: 'info' | 'warn', message: string) => send({ type: 'log', level, message });

const options = supervisorOptionsSchema.parse(workerData);
const { limits } = options;
const pool = createPool({
  limits,
  onFailedStart: (reason) => log('warn', reason),
});
const startup = createStartup({ engines: enginesOf(options), pool, retryAfterMs: limits.backoffMaxMs, log });
const runs = new Map<number, AbortController>();

/** In order of preference: native has numpy on many machines, Pyodide runs on all. */
function enginesOf({ engine, python, ...options }: SupervisorOptions): readonly PythonEngine[] {
  const native = () => createNativeEngine({ limits: options.limits, python });
  const pyodide = () =>
    createPyodideEngine({ ...options, requireNamespaces: !options.allowWithoutNamespaces });
  switch (engine) {
    case 'native':
      return [native()];
    case 'pyodide':
      return [pyodide()];
    case 'auto':
      return [native(), pyodide()];
    default:
      throw new Error(`unknown engine ${String(engine satisfies never)}`);
  }
}

async function run(request: SupervisorRequest & { type: 'run' }): Promise<PythonResult> {
  const abort = new AbortController();
  runs.set(request.id, abort);
  try {
    void startup.availability();
    const onPrinted = (text: string) => send({ type: 'printed', id: request.id, text });
    return await pool.run({ ...request, onPrinted }, abort.signal);
  } finally {
    runs.delete(request.id);
  }
}

async function answer(request: Exclude<SupervisorRequest, { type: 'abort' }>): Promise<unknown> {
  switch (request.type) {
    case 'run':
      return await run(request);
    case 'availability':
      return (await startup.availability()) satisfies SandboxAvailability;
    case 'selfTests':
      return (await startup.selfTests()) satisfies readonly SelfTestReport[];
    case 'load':
      return pool.load();
    case 'close':
      return await pool.close();
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

port.on('message', (message: unknown) => {
  const request = requestSchema.parse(message);
  if (request.type === 'abort') {
    runs.get(request.id)?.abort();
    return;
  }
  const { id } = request;
  answer(request).then(
    (value) => send({ type: 'answer', id, value }),
    (error: unknown) => send({ type: 'failed', id, message: String(error) }),
  );
});
