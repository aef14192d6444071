import { Grid, Stack, Text, Title } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { LoadError, PageLoadError } from '../../components/load-error.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { DestinationsPanel } from './destinations-panel.tsx';
import { OpenAlerts } from './open-alerts.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { useAlerts } from './use-alerts.ts';

/** What rules warn of, the rules, and where messages go: `/alerts`; `?rule=` opens the form with a text. */
export function AlertsPage() {
  const { alerts } = useWords();
  const page = useAlerts();
  const [query] = useSearchParams();
  const { data, error, again } = page;
  if (error && !data) return <PageLoadError title={alerts.title} error={error} onRetry={again} />;
  if (!data) return <PageSkeleton title={alerts.title} />;
  const { role } = data.viewer;
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{alerts.title}</PageTitle>
      <Title order={1}>{alerts.title}</Title>
      <Text c="dimmed">{alerts.intro}</Text>
      {error && <LoadError error={error} onRetry={again} />}
      <PageGrid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <OpenAlerts alerts={data.alerts} mayAcknowledge={role !== 'viewer'} page={page} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="sm">
            <RulesPanel
              key={query.get('rule') ?? ''}
              rules={data.alertRules}
              destinations={data.alertDestinations}
              mayChange={role !== 'viewer'}
              draft={query.get('rule')}
              page={page}
            />
            <DestinationsPanel
              destinations={data.alertDestinations}
              mayChange={role === 'admin' || role === 'owner'}
              page={page}
            />
          </Stack>
        </Grid.Col>
      </PageGrid>
    </Stack>
  );
}
