import { Badge, Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../../../src/domain/visuals.ts';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerNames } from '../../../lib/i18n/use-server-names.ts';
import { jsonObject } from '../json-object.ts';
import { configRows, type ConfigRow, type RowSource } from './config-rows.ts';

/** The settings of the job against those of its expert: what differs, or all with their sources. */
export function ConfigPanel({ job }: { readonly job: JobDetailFragment }) {
  const { jobs } = useWords();
  const [isWhole, setWhole] = useState(false);
  const rows = configRows({
    resolved: jsonObject.parse(job.resolvedConfig),
    base: job.expert ? jsonObject.parse(job.expert.config.json) : null,
    override: job.configOverride === null ? null : jsonObject.parse(job.configOverride),
    sources: job.expert?.configSources ?? [],
  });
  const shown = isWhole ? rows : rows.filter(({ isChanged }) => isChanged);
  return (
    <Panel
      title={jobs.settings}
      aside={
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? jobs.showChanged : jobs.showAll}
        </Button>
      }
    >
      {shown.length === 0 ? (
        <Text c="dimmed">{jobs.unchangedSettings}</Text>
      ) : (
        <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table fz="xs" verticalSpacing={4} aria-label={jobs.settings}>
            <Table.Thead>
              <Table.Tr>
                {[jobs.setting, jobs.value, jobs.ofExpert, jobs.from].map((heading) => (
                  <Table.Th key={heading} scope="col">
                    {heading}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <SettingRow key={row.path.join('.')} row={row} categories={job.expert?.config.tools ?? []} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}

type Categories = NonNullable<JobDetailFragment['expert']>['config']['tools'];

function SettingRow({ row, categories }: { readonly row: ConfigRow; readonly categories: Categories }) {
  const { newJob } = useWords();
  const [group, key] = row.path;
  const names = { model: newJob.model, temperature: newJob.temperature, reasoning_level: newJob.reasoning };
  const { toolCategories } = useServerNames();
  const category = group === 'tools' ? categories.find(({ name }) => name === key) : undefined;
  const toolCount = category?.allTools.length ?? null;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {group === 'llm' ? names[key] : (toolCategories[key]?.title ?? category?.title ?? key)}
      </Table.Th>
      <Table.Td fw={row.isChanged ? 600 : 400}>
        <ValueText value={row.value} toolCount={toolCount} />
      </Table.Td>
      <Table.Td>
        <ValueText value={row.ofExpert} toolCount={toolCount} />
      </Table.Td>
      <Table.Td>
        <SourceBadge source={row.source} />
      </Table.Td>
    </Table.Tr>
  );
}

function ValueText({
  value,
  toolCount,
}: {
  readonly value: Json | undefined;
  readonly toolCount: number | null;
}) {
  const { jobs } = useWords();
  if (value === undefined) return toolCount === null ? jobs.serverModel : jobs.off;
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return value.length === 0 ? jobs.off : jobs.toolsOf(value.length, Math.max(value.length, toolCount ?? 0));
}

function SourceBadge({ source }: { readonly source: RowSource }) {
  const { jobs } = useWords();
  const text = {
    JOB: jobs.fromJob,
    OTHER: jobs.fromElsewhere,
    LAYER: source.kind === 'LAYER' ? source.layer : '',
  };
  return (
    <Badge size="xs" variant="light" color={source.kind === 'LAYER' ? 'gray' : 'indigo'} tt="none">
      {text[source.kind]}
    </Badge>
  );
}
