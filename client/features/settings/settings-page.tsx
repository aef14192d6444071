import { Box, Grid, Stack, Title } from '@mantine/core';
import { LoadError } from '../../components/load-error.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { SettingsViewerDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { HealthChecksPanel } from './health-checks-panel.tsx';
import { ModelsPanel } from './models-panel.tsx';
import { ProjectByName } from './project-by-name.tsx';
import { UsagePanel } from './usage-panel.tsx';
import { ViewerPanel } from './viewer-panel.tsx';

/** Who one is, what one may use, and whether the server is well: `/settings`. */
export function SettingsPage() {
  const { settings } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: SettingsViewerDocument });
  if (!data && !error) return <PageSkeleton title={settings.title} />;
  return (
    <Stack p="md" gap="sm" maw={1200} mx="auto">
      <PageTitle>{settings.title}</PageTitle>
      <Title order={1}>{settings.title}</Title>
      {!data && error && (
        <Box>
          <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
          <ProjectByName />
        </Box>
      )}
      <PageGrid>
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
      </PageGrid>
    </Stack>
  );
}
