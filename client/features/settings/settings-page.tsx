import { Box, Grid, Stack, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { SettingsViewerDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { HealthChecksPanel } from './health-checks-panel.tsx';
import { ModelsPanel } from './models-panel.tsx';
import { ProjectByName } from './project-by-name.tsx';
import { UsagePanel } from './usage-panel.tsx';
import { ViewerPanel } from './viewer-panel.tsx';

/** Who one is, what one may use, and whether the server is well: `/settings`. */
export function SettingsPage() {
  const { settings } = useWords();
  const [{ data, error }, execute] = useQuery({ query: SettingsViewerDocument });
  if (!data && !error) return <PageSkeleton />;
  return (
    <Stack p="md" gap="sm" maw={1200}>
      <PageTitle>{settings.title}</PageTitle>
      <Title order={1}>{settings.title}</Title>
      {!data && error && (
        <Box>
          <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
          <ProjectByName />
        </Box>
      )}
      <Grid gap="sm">
        {data && (
          <>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <ViewerPanel viewer={data.viewer} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <UsagePanel usage={data.viewer.usage} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <ModelsPanel config={data.copilotConfig} />
            </Grid.Col>
          </>
        )}
        <Grid.Col span={{ base: 12, sm: 6 }}>
          <HealthChecksPanel />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
