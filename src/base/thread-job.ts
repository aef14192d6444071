/**
 * Heavy work in threads, so that it stops neither the event loop nor, should it need more memory than there is, the process. Each
 * piece of work has a thread of its own, which ends with it, and gives its memory back.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import {
  CalibrationAwayError,
  CalibrationSlowError,
  ConflictError,
  DiskFullError,
  InvalidInputError,
  NotFoundError,
  typedFileError,
  type InputIssue,
} from './errors.ts';

/** A module that calls {@link workAsThread}, and the bounds of its thread. */
type ThreadKind = {
  readonly entry: URL;
  readonly name: string;
  /** Of its heap; buffers are beside it. */
  readonly memoryMb: number;
};

/** The thread is gone without an answer. */
export class ThreadEndedError extends Error {
  readonly isOutOfMemory: boolean;
  constructor(name: string, cause: unknown) {
    const isOutOfMemory =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const how = isOutOfMemory ? 'needs more memory than it may' : `ended without an answer: ${String(cause)}`;
    super(`the thread ${name} ${how}`, { cause });
    this.isOutOfMemory = isOutOfMemory;
  }
}

type SentError = {
  readonly code: Sent['code'];
  readonly message: string;
  readonly issues: readonly InputIssue[];
};
type Report =
  | { readonly type: 'progress'; readonly progress: unknown }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly error: SentError };

/**
 * Runs a job in a new thread. Job, progress and result are copied; their types are those of the entry, which the caller knows.
 * @throws what the job threw, if a caller can act on it; ThreadEndedError for anything else; the signal's reason after an
 * abort, which ends the thread wherever it is
 */
export async function runInThread<Result, Progress = never>(
  { entry, name, memoryMb }: ThreadKind,
  job: unknown,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Result> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const worker = new Worker(entry, {
    workerData: job,
    execArgv: [],
    name,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.on('message', (report: Report) => {
    if (report.type === 'progress') onProgress(report.progress as Progress);
    else if (report.type === 'done') resolve(report.result as Result);
    else reject(received(report.error));
  });
  worker.once('error', (error) => reject(new ThreadEndedError(name, error)));
  worker.once('exit', (code) => reject(new ThreadEndedError(name, `exit code ${code}`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

/** The whole of a thread: does the job that it was started with, and answers. */
export async function workAsThread<Job, Progress = never>(
  work: (job: Job, report: (progress: Progress) => void) => unknown,
): Promise<void> {
  if (parentPort === null) throw new Error('this module runs as a thread only, which runInThread starts');
  const port = parentPort;
  const send = (report: Report): void => port.postMessage(report);
  try {
    send({
      type: 'done',
      result: await work(workerData as Job, (progress) => send({ type: 'progress', progress })),
    });
  } catch (thrown) {
    const error = typedFileError(thrown);
    if (!isSent(error)) throw error;
    const issues = error instanceof InvalidInputError ? error.issues : [];
    send({ type: 'refused', error: { code: error.code, message: error.message, issues } });
  }
}

type Sent = InvalidInputError | NotFoundError | ConflictError | Outage;
type Outage = CalibrationAwayError | CalibrationSlowError | DiskFullError;

/** The errors that a caller can act on; others end the thread. */
const SENT = [
  InvalidInputError,
  NotFoundError,
  ConflictError,
  CalibrationAwayError,
  CalibrationSlowError,
  DiskFullError,
];
const isSent = (error: unknown): error is Sent => SENT.some((kind) => error instanceof kind);

function received({ code, message, issues }: SentError): Sent {
  switch (code) {
    case 'INVALID_INPUT':
      return new InvalidInputError(issues);
    case 'NOT_FOUND':
      return new NotFoundError(message);
    case 'CONFLICT':
      return new ConflictError(message);
    case 'CALIBRATION_AWAY':
      return new CalibrationAwayError();
    case 'CALIBRATION_SLOW':
      return new CalibrationSlowError();
    case 'DISK_FULL':
      return new DiskFullError();
  }
}
