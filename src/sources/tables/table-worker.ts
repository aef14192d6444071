/** Entry of the thread: runs one job and ends. Input errors are reported; everything else is thrown. */
import { parentPort, workerData } from 'node:worker_threads';
import { InvalidInputError } from '../../base/errors.ts';
import { answerQuery, convertCsv } from './table-jobs.ts';
import type { TableJob, TableReport } from './table-thread.ts';

if (!parentPort) throw new Error('table-worker.ts runs as a worker thread only; table-thread.ts starts it');

const job = workerData as TableJob;
let report: TableReport;
try {
  report = { type: 'done', result: job.type === 'convert' ? convertCsv(job) : await answerQuery(job) };
} catch (error) {
  if (!(error instanceof InvalidInputError)) throw error;
  report = { type: 'refused', issues: error.issues };
}
parentPort.postMessage(report);
