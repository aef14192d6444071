import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link, Navigate, useParams } from 'react-router';
import { useQuery } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { RecordOfTaskDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { chipPath, partPath } from '../../lib/part-path.ts';

/** Leads to a task result by its id alone, as the numbers of answers have it: `/records/:taskId`. */
export function RecordPage() {
  const { search, common } = useWords();
  const { taskId = '' } = useParams();
  const [{ data, error }, again] = useQuery({ query: RecordOfTaskDocument, variables: { taskId } });
  if (error) return <LoadError error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  if (!data) return <PageSkeleton />;
  const { taskResult: record } = data;
  if (record) {
    const { qid } = record;
    const { chipId } = record.chip;
    const path = qid === '' ? chipPath(chipId) : partPath(chipId, qid);
    return <Navigate replace to={`${path}?${new URLSearchParams({ record: taskId }).toString()}`} />;
  }
  return (
    <Stack p="md" align="flex-start">
      <PageTitle>{search.noRecord}</PageTitle>
      <Title order={1}>{search.noRecord}</Title>
      <Text>{search.noRecordText(taskId)}</Text>
      <Anchor component={Link} to="/chips" underline="always">
        {common.toChips}
      </Anchor>
    </Stack>
  );
}
