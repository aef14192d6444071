import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import type { QubitOverviewQuery } from '../../gql/graphql.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { parameterText } from './parameter-text.ts';

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
  const to = (qid: string): string => `/chips/${encodeURIComponent(chipId)}/qubits/${qid}`;
  return (
    <Panel title={qubit.neighbours}>
      {neighbors.length === 0 && <Text c="dimmed">{qubit.noNeighbours}</Text>}
      <Group gap="sm" mb="sm">
        {neighbors.map(({ id, qid, label }) => (
          <Anchor key={id} component={Link} to={to(qid)} size="sm" fw={600}>
            {label}
          </Anchor>
        ))}
      </Group>
      <Stack gap={6}>
        {couplings.map(({ id, control, target, lastSeenAt, parameters }) => (
          <Group key={id} gap="md" wrap="nowrap" align="baseline">
            <Text size="sm" fw={600} flex="none">
              {control.label} → {target.label}
            </Text>
            <Group gap="4px 16px">
              {lastSeenAt !== null && (
                <Text size="xs" c="dimmed">
                  {qubit.pastCoupling(format.time(lastSeenAt))}
                </Text>
              )}
              {parameters.map((parameter) => (
                <Text key={parameter.name} size="xs" style={{ whiteSpace: 'nowrap' }}>
                  <Text span inherit c="dimmed" mr={4}>
                    {parameter.title}
                  </Text>
                  <RatedValue
                    text={parameterText(parameter) ?? '—'}
                    rating={parameter.rating}
                    isStale={parameter.isStale}
                  />
                </Text>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
