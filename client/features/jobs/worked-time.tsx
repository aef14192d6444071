import { useEffect, useState } from 'react';
import type { JobListedFragment } from '../../gql/graphql.ts';
import { useFormat } from '../../lib/i18n/i18n.tsx';
import { workedSeconds } from './job-times.ts';

const TICK_MS = 1_000;

/** How long a job has been worked on, counting while it runs. Nothing before it started. */
export function WorkedTime({ job }: { readonly job: Pick<JobListedFragment, 'startedAt' | 'finishedAt'> }) {
  const format = useFormat();
  const [nowMs, setNow] = useState(Date.now);
  const isRunning = Boolean(job.startedAt) && !job.finishedAt;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  const seconds = workedSeconds(job, nowMs);
  return seconds === null ? null : format.duration(seconds);
}
