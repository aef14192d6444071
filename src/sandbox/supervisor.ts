/**
 * Entry of the supervisor, a `worker_threads` worker: it starts, watches and kills the contained processes and reads
 * their megabytes, so that the main loop does not. It runs no analysed code and must not know who asks for what.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createPool } from './pool.ts';
import { createPyodideEngine } from './pyodide/engine.ts';
import type { PythonResult, SandboxAvailability } from './python-sandbox.ts';
import { createStartup } from './startup.ts';
import { requestSchema, supervisorOptionsSchema } from './supervisor-protocol.ts';
import type { SupervisorRequest, SupervisorResponse } from './supervisor-protocol.ts';

if (!parentPort) throw new Error('supervisor.ts is the entry of a worker thread and cannot be run by itself');
const port = parentPort;
const send = (response: SupervisorResponse) => port.postMessage(response);
const log = (level: 'info' | 'warn', message: string) => send({ type: 'log', level, message });

const { limits, allowWithoutNamespaces, ...options } = supervisorOptionsSchema.parse(workerData);
const engine = createPyodideEngine({ ...options, limits, requireNamespaces: !allowWithoutNamespaces });
const pool = createPool({
  engine,
  limits,
  onFailedStart: (reason) => log('warn', reason),
});
const startup = createStartup({ engine, pool, retryAfterMs: limits.backoffMaxMs, log });
const runs = new Map<number, AbortController>();

async function run(request: SupervisorRequest & { type: 'run' }): Promise<PythonResult> {
  const abort = new AbortController();
  runs.set(request.id, abort);
  try {
    void startup.availability();
    return await pool.run(request, abort.signal);
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
    case 'selfTest':
      return await startup.selfTest();
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
