import { Anchor, Badge, Button, Grid, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { LoadError } from '../../components/load-error.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Panel } from '../../components/panel.tsx';
import { SettingsViewerDocument, type SettingsViewerQuery } from '../../gql/graphql.ts';
import { useProjectName } from '../../lib/graphql/project.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import { Facts } from './facts.tsx';
import { HealthChecksPanel } from './health-checks-panel.tsx';
import { LabServersPanel } from './lab-servers-panel.tsx';
import { StoragePanel } from './storage-panel.tsx';
import { TurnsPanel } from './turns-panel.tsx';

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
        <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      )}
      <PageGrid>
        {data && (
          <>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <ViewerPanel viewer={data.viewer} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <UsagePanel usage={data.viewer.usage} budgets={data.viewer.budgets} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <ModelsPanel config={data.copilotConfig} />
            </Grid.Col>
          </>
        )}
        <Grid.Col span={{ base: 12, sm: 6 }}>
          <HealthChecksPanel />
        </Grid.Col>
        {data && <LabServersPanel />}
        {data && (
          <Grid.Col span={{ base: 12, sm: 6 }}>
            <StoragePanel />
          </Grid.Col>
        )}
        {data && (
          <Grid.Col span={12}>
            <TurnsPanel />
          </Grid.Col>
        )}
      </PageGrid>
    </Stack>
  );
}

/** Models that answer here, and which one does when none is chosen. */
function ModelsPanel({ config }: { readonly config: SettingsViewerQuery['copilotConfig'] }) {
  const { settings } = useWords();
  const format = useFormat();
  return (
    <Panel title={settings.models}>
      <Facts
        facts={config.models.map(({ name, provider, available, ...known }) => [
          name,
          <span key={name}>
            <Text span size="xs" c="dimmed" mr="xs">
              {[
                wordFor(settings.providers, provider),
                ...(known.supportsImages ? [settings.readsImages] : []),
                ...(known.thinks === true ? [settings.thinks] : []),
                ...(known.contextTokens == null
                  ? []
                  : [settings.window(format.count(known.contextTokens), known.isAssumed)]),
                ...(known.inputPriceUsd == null || known.outputPriceUsd == null
                  ? []
                  : [settings.price(known.inputPriceUsd, known.outputPriceUsd)]),
              ].join(' · ')}
            </Text>
            {name === config.defaultModel && (
              <Badge size="sm" variant="light" mr={4}>
                {settings.isDefault}
              </Badge>
            )}
            <Badge size="sm" variant="light" color={available ? 'teal' : 'gray'}>
              {available ? settings.available : settings.unavailable}
            </Badge>
          </span>,
        ])}
      />
    </Panel>
  );
}

/** What was used today of what may be used. */
function UsagePanel({ usage, budgets }: Pick<SettingsViewerQuery['viewer'], 'usage' | 'budgets'>) {
  const { settings } = useWords();
  const format = useFormat();
  const { today, tokensPerDay, tokensPerSession, messagesPerMinute, turnsAtOnce } = usage;
  const share = Math.min(100, (100 * today.chargedTokens) / tokensPerDay);
  const used = settings.usedOf(format.count(today.chargedTokens), format.count(tokensPerDay));
  return (
    <Panel title={settings.usage}>
      <Text size="sm" mb={4}>
        {used}
      </Text>
      <Progress value={share} size="sm" mb="xs" aria-label={used} color={share > 90 ? 'red' : 'indigo'} />
      <Facts
        facts={[
          [settings.cost, today.costUsd === null ? settings.noPrice : format.dollars(today.costUsd)],
          [settings.cachedTokens, format.count(today.cachedTokens)],
          [settings.tokensPerSession, format.count(tokensPerSession)],
          [settings.messagesPerMinute, format.count(messagesPerMinute)],
          [settings.turnsAtOnce, format.count(turnsAtOnce)],
          ...budgets.flatMap(({ of, unit, used: spent, limit }) => {
            if (limit === null) return [];
            const [now, most] = [spent, limit].map((value) =>
              unit === 'COST_USD' ? format.dollars(value) : format.count(value),
            );
            const text = settings.usedToday(now ?? '', most ?? '');
            return [[`${settings.budgetOf[of]}: ${settings.budgetUnits[unit]}`, text] as const];
          }),
        ]}
      />
    </Panel>
  );
}

/** Who asks, and within which project. */
function ViewerPanel({ viewer }: { readonly viewer: SettingsViewerQuery['viewer'] }) {
  const { audit, settings, sharing } = useWords();
  const { id, name, role } = viewer;
  const project = useProjectName();
  return (
    <Panel
      title={settings.viewer}
      aside={
        id !== 'local' && (
          <Button component={Link} to="/members" size="compact-xs" variant="default">
            {sharing.members}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [settings.name, name],
          ...(id === 'local' ? [] : [[sharing.userId, id] as const]),
          [settings.role, wordFor(settings.roles, role)],
          ...(role === 'admin' || role === 'owner'
            ? [
                [
                  audit.title,
                  <Anchor key="audit" component={Link} to="/settings/audit" size="sm">
                    {audit.link}
                  </Anchor>,
                ] as const,
              ]
            : []),
          [settings.project, project],
        ]}
      />
    </Panel>
  );
}
