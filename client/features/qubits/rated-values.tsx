import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RatedValue } from '../../components/rated-value.tsx';
import type { ParameterOfQubitFragment } from '../../gql/graphql.ts';
import { useMetricTitle } from '../../lib/i18n/use-server-names.ts';
import { parameterText } from './parameter-text.ts';

type RatedValuesProps = {
  readonly parameters: readonly ParameterOfQubitFragment[];
  /** Before them. */
  readonly children?: ReactNode;
};

/** Values of a qubit or coupling in a line, each behind its name. */
export function RatedValues({ parameters, children }: RatedValuesProps) {
  const titleOf = useMetricTitle();
  return (
    <Group gap="4px 16px">
      {children}
      {parameters.map((parameter) => (
        <Text key={parameter.name} size="xs" style={{ whiteSpace: 'nowrap' }}>
          <Text span inherit c="dimmed" mr={4}>
            {titleOf(parameter.title)}
          </Text>
          <RatedValue
            text={parameterText(parameter) ?? '—'}
            rating={parameter.rating}
            isStale={parameter.isStale}
          />
        </Text>
      ))}
    </Group>
  );
}
