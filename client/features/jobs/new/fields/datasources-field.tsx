import { Badge, Checkbox, Group, Text } from '@mantine/core';
import { Panel } from '../../../../components/panel.tsx';
import type { NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { FieldProps } from '../field.ts';

type DatasourcesFieldProps = FieldProps & { readonly datasources: NewJobChoicesQuery['datasources'] };

/** What else the job may read. */
export function DatasourcesField({ form, dispatch, datasources }: DatasourcesFieldProps) {
  const { newJob } = useWords();
  return (
    <Panel title={newJob.datasources}>
      {datasources.length === 0 ? (
        <Text c="dimmed">{newJob.noDatasources}</Text>
      ) : (
        <Checkbox.Group
          description={newJob.datasourcesHint}
          value={[...form.datasourceIds]}
          onChange={(ids) => dispatch({ type: 'datasources', ids })}
        >
          {datasources.map(({ id, name, type, readOnly }) => (
            <Group key={id} gap="xs" mt="xs">
              <Checkbox value={id} label={name} />
              <Badge size="xs" variant="light" color="gray" tt="none">
                {newJob.datasourceTypes[type]}
              </Badge>
              {readOnly && (
                <Badge size="xs" variant="light" color="gray" tt="none">
                  {newJob.readOnly}
                </Badge>
              )}
            </Group>
          ))}
        </Checkbox.Group>
      )}
    </Panel>
  );
}
