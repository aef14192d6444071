import { Title } from '@mantine/core';
import { MoreRows } from '../../../components/more-rows.tsx';
import { SharedJobsDocument, type SharedJobsQuery } from '../../../gql/graphql.ts';
import { usePages } from '../../../lib/graphql/use-pages.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { JobRow } from './job-row.tsx';
import classes from './jobs.module.css';

const VARIABLES = { first: 25 };
const jobsOf = ({ sharedJobs }: SharedJobsQuery) => sharedJobs;

/** Jobs that others share with the reader; nothing where there are none. */
export function SharedJobs() {
  const { sharing } = useWords();
  const list = usePages({ query: SharedJobsDocument, variables: VARIABLES, connectionOf: jobsOf });
  if (list.rows === null || list.rows.length === 0) return null;
  return (
    <>
      <Title order={2}>{sharing.sharedWith}</Title>
      <ul className={classes['list']} aria-label={sharing.sharedWith}>
        {list.rows.map((job) => (
          <JobRow key={job.id} job={job} onDeleted={null} />
        ))}
        <MoreRows list={list} />
      </ul>
    </>
  );
}
