import { Anchor, Badge, Group, Select, Text, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { Age } from '../../components/age.tsx';
import { ChipListDocument, type ChipOverviewQuery } from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';

type Chip = NonNullable<ChipOverviewQuery['chip']>;

/** Which chip it is, how to go to another one, and how old its values are. */
export function ChipHeader({ chip: { chipId, size, installedAt, summary } }: { readonly chip: Chip }) {
  const { chip, common, compare, imports } = useWords();
  const format = useFormat();
  const navigate = useNavigate();
  const [{ data }] = useQuery({ query: ChipListDocument });
  const chips = data?.chips.map((other) => other.chipId) ?? [chipId];
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1}>{chipId}</Title>
        {chips.length > 1 && (
          <Select
            aria-label={chip.picker}
            size="xs"
            w={170}
            searchable
            allowDeselect={false}
            data={chips}
            value={chipId}
            onChange={(chosen) => chosen && void navigate(`/chips/${encodeURIComponent(chosen)}`)}
          />
        )}
        <Text size="sm" c="dimmed">
          {chip.qubits(format.count(summary?.qubitCount ?? size))}
          {installedAt !== null && ` · ${chip.installed(format.date(installedAt))}`}
        </Text>
      </Group>
      <Group gap="xs">
        <Anchor component={Link} to={`/compare?b=${encodeURIComponent(chipId)}`} size="sm">
          {compare.title}
        </Anchor>
        <Anchor component={Link} to="/import" size="sm">
          {imports.title}
        </Anchor>
        {summary?.freshness.newestAt && (
          <Text size="sm" c="dimmed">
            {chip.newest} <Age at={summary.freshness.newestAt} />
          </Text>
        )}
        {summary?.freshness.isStale && (
          <Badge color="yellow" variant="light" title={common.staleHint}>
            {common.stale}
          </Badge>
        )}
      </Group>
    </Group>
  );
}
