/** Entry of the thread: runs one job and ends. */
import { workAsThread } from '../../base/thread-job.ts';
import { answerQuery, convertCsv } from './table-jobs.ts';
import type { TableJob } from './table-thread.ts';

await workAsThread((job: TableJob) => (job.type === 'convert' ? convertCsv(job) : answerQuery(job)));
