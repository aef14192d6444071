/**
 * Charts as pictures, drawn in a thread of their own: however many are asked for, and whatever is in them, the server goes on. The
 * thread starts with the first picture and ends when none was wanted for a while.
 */
import { Worker } from 'node:worker_threads';
import { FairGate } from '../base/fair-gate.ts';
import type { PictureSource } from '../domain/pictures/source.ts';
import type { PictureFormat } from '../domain/pictures/picture-url.ts';
import type { ChartSpec } from '../domain/visuals.ts';

/** What the thread is given. */
export type PictureJob = {
  readonly chart: ChartSpec;
  readonly source: PictureSource;
  readonly format: PictureFormat;
};

/** What it answers: a picture, why it draws none, or the bug that kept it from drawing. */
export type PictureReport =
  { readonly body: Uint8Array } | { readonly refused: string } | { readonly failed: string };

/** A picture, or why there is none, in words that follow "not drawn, because". */
export type DrawnPicture = { readonly body: Buffer } | { readonly refused: string };

export type Pictures = {
  /**
   * Draws a chart for somebody: of each person one at a time, so that a person with many waits for their own alone.
   * @throws ServiceBusyError if it could not begin in time; Error for a bug
   */
  draw(personId: string, job: PictureJob): Promise<DrawnPicture>;
  /** Ends the thread; what it draws is refused. */
  close(): Promise<void>;
};

export type PictureLimits = {
  /** Longest wait of a picture before it is drawn. */
  readonly waitMs: number;
  /** Longest that one may take to draw; then the thread is ended, and a new one draws what follows. */
  readonly drawMs: number;
  /** How long the thread waits for the next one. */
  readonly idleMs: number;
};

const LIMITS: PictureLimits = { waitMs: 10_000, drawMs: 20_000, idleMs: 60_000 };
/** Of the thread without the WebAssembly of its renderer, which takes about 60 MB. */
const MEMORY_MB = 256;
const STOPPING = 'the server stops';

export function createPictures(limits: Partial<PictureLimits> = {}): Pictures {
  const { waitMs, drawMs, idleMs } = { ...LIMITS, ...limits };
  // One thread draws; the gate is what is fair about it.
  const gate = new FairGate({ width: 1, waitMs });
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread;
    thread = null;
    await ended?.terminate();
  };

  const drawn = async (job: PictureJob): Promise<DrawnPicture> => {
    if (isClosed) return { refused: STOPPING };
    clearTimeout(idle);
    const worker = (thread ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<PictureReport | null>();
    const onExit = (): void => reject(new Error('the thread that draws pictures ended'));
    const late = setTimeout(() => resolve(null), drawMs);
    worker.once('message', resolve).once('error', reject).once('exit', onExit);
    worker.ref();
    try {
      worker.postMessage(job);
      const report = await promise;
      if (report === null) {
        await end();
        return { refused: `drawing it takes longer than ${drawMs} ms` };
      }
      if ('failed' in report) throw new Error(`a picture could not be drawn: ${report.failed}`);
      return 'body' in report ? { body: Buffer.from(report.body) } : report;
    } catch (error) {
      await end();
      if (isClosed) return { refused: STOPPING };
      if (isOutOfMemory(error)) return { refused: `drawing it takes more than ${MEMORY_MB} MB of memory` };
      throw error;
    } finally {
      clearTimeout(late);
      worker.off('message', resolve).off('error', reject).off('exit', onExit);
      // A server that is otherwise done does not wait for the thread.
      worker.unref();
      if (thread !== null) idle = setTimeout(() => void end(), idleMs).unref();
    }
  };

  return {
    draw: (personId, job) => gate.run(personId, () => drawn(job)),
    async close() {
      isClosed = true;
      await end();
    },
  };
}

const start = (): Worker =>
  new Worker(new URL('./picture-worker.ts', import.meta.url), {
    execArgv: [],
    name: 'pictures',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
