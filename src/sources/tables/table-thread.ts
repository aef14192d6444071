/**
 * Uploaded tables, read and written in a thread of their own, so that a large file stops neither the event loop nor,
 * should it need more memory than there is, the process. It handles files and columns, not their owners.
 */
import { Worker } from 'node:worker_threads';
import type { DatasetAnswer } from '../../domain/datasets/dataset-answer.ts';
import type { TableShape } from '../../domain/datasets/dataset.ts';
import { InvalidInputError, type InputIssue } from '../../base/errors.ts';
import { refuseFile } from './csv-text.ts';
import type { ConvertJob, QueryJob } from './table-jobs.ts';

/** What the thread is started with. */
export type TableJob = ConvertJob | QueryJob;

/** What the thread answers with. */
export type TableReport =
  | { readonly type: 'done'; readonly result: TableShape | DatasetAnswer }
  | { readonly type: 'refused'; readonly issues: readonly InputIssue[] };

/** Work on tables, one job after another: each may take as much memory as a table needs. */
export type TableThread = {
  /** @throws InvalidInputError for a file that cannot be taken; the signal's reason after an abort. */
  convert(job: Omit<ConvertJob, 'type'>, signal: AbortSignal): Promise<TableShape>;
  /** @throws InvalidInputError for a filter that does not fit; the signal's reason after an abort. */
  query(job: Omit<QueryJob, 'type'>, signal: AbortSignal): Promise<DatasetAnswer>;
  /** Waits for what was asked; abort what should not be waited for. */
  close(): Promise<void>;
};

/** A CSV of 50 MB with short cells needs about 800 MB. */
const MEMORY_MB = 1_500;

/** Nothing runs until it is asked for. */
export function createTableThread(): TableThread {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    convert: (job, signal) =>
      inTurn(async () => (await runJob({ type: 'convert', ...job }, signal)) as TableShape),
    query: (job, signal) =>
      inTurn(async () => (await runJob({ type: 'query', ...job }, signal)) as DatasetAnswer),
    close: async () => void (await last),
  };
}

/** The result's type follows from the job's, which the two callers above know. */
async function runJob(job: TableJob, signal: AbortSignal): Promise<TableShape | DatasetAnswer> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<TableReport>();
  const worker = new Worker(new URL('./table-worker.ts', import.meta.url), {
    workerData: job,
    execArgv: [],
    name: 'uploaded-tables',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuch(job) : error));
  worker.once('exit', (code) => reject(new Error(`the thread for tables ended with code ${code}`)));
  try {
    const report = await promise;
    if (report.type === 'refused') throw new InvalidInputError(report.issues);
    return report.result;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function tooMuch(job: TableJob): InvalidInputError {
  return job.type === 'convert'
    ? refuseFile(`the table needs more than ${MEMORY_MB} MB of memory: send a part of it`)
    : InvalidInputError.at(['columns'], `needs more than ${MEMORY_MB} MB of memory; ask for fewer columns`);
}
