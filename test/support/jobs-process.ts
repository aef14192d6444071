/**
 * A worker in a process of its own, to be killed. Arguments: the database's address, how long a phase takes in
 * milliseconds. Prints a line for each phase that it begins: the id of its job.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { completed, text, toolStart } from './activities.ts';
import { startJobs, threePhases } from './jobs.ts';

const [url = '', phaseMs = '0'] = process.argv.slice(2);
const jobs = await startJobs(url, {
  jobsAtOnce: 3,
  times: { leaseMs: 600_000, sweepMs: 200 },
  phase: async (run) => {
    process.stdout.write(`${run.session.id}\n`);
    run.emit(text('at it '));
    run.emit(toolStart('look'));
    await sleep(Number(phaseMs), undefined, { signal: run.signal });
    await threePhases(run);
    return completed;
  },
});
process.once('SIGTERM', () => void jobs.stop());
