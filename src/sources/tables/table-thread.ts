/**
 * Uploaded tables, read and written in a thread of their own, so that a large file stops neither the event loop nor,
 * should it need more memory than there is, the process. It handles files and columns, not their owners.
 */
import { runInThread, ThreadEndedError } from '../../base/thread-job.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { DatasetAnswer } from '../../domain/datasets/dataset-answer.ts';
import type { TableShape } from '../../domain/datasets/dataset.ts';
import { refuseFile } from './csv-text.ts';
import type { ConvertJob, QueryJob } from './table-jobs.ts';

/** What the thread is started with. */
export type TableJob = ConvertJob | QueryJob;

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
const THREAD = {
  entry: new URL('./table-worker.ts', import.meta.url),
  name: 'uploaded-tables',
  memoryMb: MEMORY_MB,
};

/** Nothing runs until it is asked for. */
export function createTableThread(): TableThread {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    convert: (job, signal) => inTurn(() => run<TableShape>({ type: 'convert', ...job }, signal)),
    query: (job, signal) => inTurn(() => run<DatasetAnswer>({ type: 'query', ...job }, signal)),
    close: async () => void (await last),
  };
}

async function run<Result>(job: TableJob, signal: AbortSignal): Promise<Result> {
  try {
    return await runInThread<Result>(THREAD, job, signal);
  } catch (error) {
    throw error instanceof ThreadEndedError && error.isOutOfMemory ? tooMuch(job) : error;
  }
}

function tooMuch(job: TableJob): InvalidInputError {
  return job.type === 'convert'
    ? refuseFile(`the table needs more than ${MEMORY_MB} MB of memory: send a part of it`)
    : InvalidInputError.at(['columns'], `needs more than ${MEMORY_MB} MB of memory; ask for fewer columns`);
}
