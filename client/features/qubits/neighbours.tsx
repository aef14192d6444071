import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Panel } from '../../components/panel.tsx';
import type { QubitOverviewQuery } from '../../gql/graphql.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { partPath } from '../../lib/part-path.ts';
import { RatedValues } from './rated-values.tsx';

type Qubit = NonNullable<QubitOverviewQuery['qubit']>;

/** Qubits that it is coupled with, and the values of the couplings in their directions. */
export function NeighboursPanel({
  chipId,
  qubit: { neighbors, couplings },
}: {
  readonly chipId: string;
  readonly qubit: Qubit;
}) {
  const {
    words: { qubit },
    format,
  } = useI18n();
  return (
    <Panel title={qubit.neighbours}>
      {neighbors.length === 0 && <Text c="dimmed">{qubit.noNeighbours}</Text>}
      <Group gap="sm" mb="sm">
        {neighbors.map(({ id, qid, label }) => (
          <Anchor key={id} component={Link} to={partPath(chipId, qid)} size="sm" fw={600}>
            {label}
          </Anchor>
        ))}
      </Group>
      <Stack gap={6}>
        {couplings.map(({ id, couplingId, control, target, lastSeenAt, parameters }) => (
          <Group key={id} gap="md" wrap="nowrap" align="baseline">
            <Anchor component={Link} to={partPath(chipId, couplingId)} size="sm" fw={600} flex="none">
              {control.label} → {target.label}
            </Anchor>
            <RatedValues parameters={parameters}>
              {lastSeenAt !== null && (
                <Text size="xs" c="dimmed">
                  {qubit.pastCoupling(format.time(lastSeenAt))}
                </Text>
              )}
            </RatedValues>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
