import { Title } from '@mantine/core';
import { LoadError } from '../../../components/load-error.tsx';
import { MoreRows } from '../../../components/more-rows.tsx';
import { SharedJobsDocument, type SharedJobsQuery } from '../../../gql/graphql.ts';
import { usePages } from '../../../lib/graphql/use-pages.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useRefresh } from '../../../lib/use-refresh.ts';
import { JobRow } from './job-row.tsx';
import classes from './jobs.module.css';

const VARIABLES = { first: 25 };
const EVERY_MS = 60_000;
const jobsOf = ({ sharedJobs }: SharedJobsQuery) => sharedJobs;

/** Jobs that others share with the reader; nothing where there are none. */
export function SharedJobs() {
  const { sharing } = useWords();
  const list = usePages({ query: SharedJobsDocument, variables: VARIABLES, connectionOf: jobsOf });
  const { rows, error, again } = list;
  useRefresh(again, EVERY_MS);
  if (rows === null && error) return <LoadError error={error} onRetry={again} />;
  if (rows === null || rows.length === 0) return null;
  return (
    <>
      <Title order={2}>{sharing.sharedWith}</Title>
      <ul className={classes['list']} aria-label={sharing.sharedWith}>
        {rows.map((job) => (
          <JobRow key={job.id} job={job} onDeleted={null} />
        ))}
        <MoreRows list={list} />
      </ul>
    </>
  );
}
