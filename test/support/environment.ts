import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { TestEnvironment } from 'jest-environment-node';
import { until } from '@qpilot/test-support';

/**
 * What a test file must not leave behind, by the names Node reports; `PipeWrap` covers unix sockets and their
 * servers.
 */
const WATCHED = new Set(['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'UDPWrap', 'FSEventWrap']);

/**
 * Closing takes a few turns of the event loop after the promise of the one who closed has resolved; long on a busy
 * machine.
 */
const SETTLE_MS = 15_000;

/**
 * Node's environment, which also fails a file that leaves servers, sockets, workers or child processes open, unless a
 * test of it was retried: a failed attempt may not have closed its own. An `afterAll` of ours could not: Jest would run
 * it before those of the file.
 */
export default class LeakCheckingEnvironment extends TestEnvironment {
  readonly #workers = new Set<Worker>();
  readonly #children = new Set<ChildProcess>();
  #before: readonly string[] = [];
  #retried = false;

  readonly #onWorker = (message: unknown): void => {
    const { worker } = message as { worker: Worker };
    this.#workers.add(worker);
    worker.once('exit', () => this.#workers.delete(worker));
  };

  readonly #onChild = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess };
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    child.once('error', () => this.#children.delete(child));
  };

  override async setup(): Promise<void> {
    await super.setup();
    void [process.stdin, process.stdout, process.stderr]; // opened by whoever asks first; they are nobody's to close
    this.#before = process.getActiveResourcesInfo();
    subscribe('worker_threads', this.#onWorker);
    subscribe('child_process', this.#onChild);
  }

  override async teardown(): Promise<void> {
    unsubscribe('worker_threads', this.#onWorker);
    unsubscribe('child_process', this.#onChild);
    await super.teardown();
  }

  /** Called by Jest for each step of the file; an unhandled error fails the file. */
  handleTestEvent = async (event: { name: string }, state: { unhandledErrors: unknown[] }): Promise<void> => {
    if (event.name === 'test_retry') this.#retried = true;
    if (event.name !== 'run_finish') return;
    const isClean = await until(() => this.#leftOpen().length === 0, { timeoutMs: SETTLE_MS }).catch(
      () => false,
    );
    if (isClean) return;
    const message = `this file left open: ${this.#leftOpen().join(', ')}`;
    if (this.#retried) {
      process.stderr.write(`${message}; its failed first attempt may have\n`);
      for (const child of this.#children) child.kill('SIGKILL');
      return;
    }
    const error = new Error(message);
    error.stack = error.message; // the trace would only lead here
    state.unhandledErrors.push(error);
  };

  #leftOpen(): string[] {
    const before = [...this.#before];
    const opened = process.getActiveResourcesInfo().filter((resource) => {
      const index = before.indexOf(resource);
      if (index >= 0) before.splice(index, 1);
      return index < 0 && WATCHED.has(resource);
    });
    const workers = [...this.#workers].map((worker) => `worker thread ${worker.threadId}`);
    const children = [...this.#children].map(
      (child) => `process ${child.pid} (${child.spawnargs.join(' ')})`,
    );
    return [...opened, ...workers, ...children];
  }
}
