import { Alert, Stack, Title } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { LoadError } from '../../../components/load-error.tsx';
import { PageSkeleton } from '../../../components/page-skeleton.tsx';
import { PageTitle } from '../../../components/page-title.tsx';
import { NewJobChoicesDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useViewer } from '../../sharing/use-viewer.ts';
import { NewJobForm } from './new-job-form.tsx';
import type { FormSource } from './use-filling.ts';

/**
 * The form of a new job: `/jobs/new`, filled by `?expert=`, by a job (`?from=`), by a draft of the copilot
 * (`?draft=`) or by an earlier session of the builder (`?builder=`).
 */
export function NewJobPage() {
  const { newJob, sharing } = useWords();
  const [params] = useSearchParams();
  const [{ data, error }, execute] = useQuery({ query: NewJobChoicesDocument });
  const reload = (): void => execute({ requestPolicy: 'network-only' });
  const source = sourceOf(params);
  const viewer = useViewer();
  const mayRunJobs = viewer?.mayRunJobs !== false;
  if (!data && !error) return <PageSkeleton />;
  return (
    <Stack p="md" gap="sm" maw={1400} mx="auto">
      <PageTitle>{newJob.title}</PageTitle>
      <Title order={1}>{newJob.title}</Title>
      {!data && error && <LoadError error={error} onRetry={reload} />}
      {!mayRunJobs && <Alert color="gray">{sharing.needsEditor}</Alert>}
      {data && mayRunJobs && (
        <NewJobForm
          key={`${source.kind} ${source.id}`}
          choices={data}
          reloadChoices={reload}
          source={source}
        />
      )}
    </Stack>
  );
}

function sourceOf(params: URLSearchParams): FormSource {
  const [job, draft, builder] = [params.get('from'), params.get('draft'), params.get('builder')];
  if (builder !== null) return { kind: 'BUILDER', id: builder };
  if (job !== null) return { kind: 'JOB', id: job };
  return draft !== null ? { kind: 'DRAFT', id: draft } : { kind: 'EXPERT', id: params.get('expert') };
}
