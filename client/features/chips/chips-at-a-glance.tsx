import { Anchor, Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { Age } from '../../components/age.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import type { ChipsAtAGlanceQuery } from '../../gql/graphql.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { LABEL_COLORS } from './health-panel.tsx';

type Chip = ChipsAtAGlanceQuery['chips'][number];

/** All chips of the project: how healthy each is, how many of its values need attention, and how old they are. */
export function ChipsAtAGlance({ chips }: { readonly chips: readonly Chip[] }) {
  const { common, compare, imports } = useI18n().words;
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{common.chips}</PageTitle>
      <Group justify="space-between">
        <Title order={1}>{common.chips}</Title>
        <Group gap="xs">
          <Button component={Link} to={comparison(chips)} size="xs" variant="default">
            {compare.title}
          </Button>
          <Button component={Link} to="/import" size="xs" variant="default">
            {imports.title}
          </Button>
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {chips.map((chip) => (
          <ChipCard key={chip.id} chip={chip} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** Of the first two chips, both as they are now. */
const comparison = ([a, b]: readonly Chip[]): string =>
  `/compare?${new URLSearchParams({ a: a?.chipId ?? '', b: b?.chipId ?? '' })}`;

function ChipCard({ chip: { chipId, size, summary } }: { readonly chip: Chip }) {
  const { words, format } = useI18n();
  const { chip, common } = words;
  return (
    <Paper withBorder p="sm" component="section" aria-label={chipId}>
      <Group justify="space-between" wrap="nowrap">
        <Anchor component={Link} to={`/chips/${encodeURIComponent(chipId)}`} fw={650} size="lg">
          {chipId}
        </Anchor>
        <Text size="sm" c="dimmed">
          {chip.qubits(format.count(summary?.qubitCount ?? size))}
        </Text>
      </Group>
      {summary === null ? (
        <Text size="sm" c="dimmed">
          {chip.noQubits}
        </Text>
      ) : (
        <>
          <Group gap="xs" mt={4}>
            <Text fw={650}>{summary.health.score === null ? '—' : summary.health.score.toFixed(2)}</Text>
            <Text size="xs" c="dimmed">
              {chip.ofThree}
            </Text>
            <Badge variant="light" color={LABEL_COLORS[summary.health.label]}>
              {common.health[summary.health.label]}
            </Badge>
            {summary.freshness.isStale && (
              <Badge color="yellow" variant="light" title={common.staleHint}>
                {common.stale}
              </Badge>
            )}
          </Group>
          <Text size="sm" mt={4}>
            {chip.problems(summary.health.partProblems.length)}
          </Text>
          {summary.freshness.newestAt && (
            <Text size="sm" c="dimmed">
              {chip.newest} <Age at={summary.freshness.newestAt} />
            </Text>
          )}
        </>
      )}
    </Paper>
  );
}
