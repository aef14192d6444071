import { Badge, Grid, Text } from '@mantine/core';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { SettingsLabServersDocument, type SettingsLabServersQuery } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { Facts } from './facts.tsx';

type LabServer = SettingsLabServersQuery['labServers'][number];

/** The lab's own MCP servers, and whether they are there; nothing where the project has none. */
export function LabServersPanel() {
  const { settings } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: SettingsLabServersDocument });
  if (!data && error)
    return (
      <Grid.Col span={{ base: 12, sm: 6 }}>
        <Panel title={settings.labServers}>
          <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
        </Panel>
      </Grid.Col>
    );
  if (!data || data.labServers.length === 0) return null;
  return (
    <Grid.Col span={{ base: 12, sm: 6 }}>
      <Panel title={settings.labServers}>
        <Facts
          facts={data.labServers.map((server) => [server.name, <About key={server.name} {...server} />])}
        />
      </Panel>
    </Grid.Col>
  );
}

function About({ title, transport, isThere, problem, tools, unfit }: LabServer) {
  const { settings } = useWords();
  const asked = tools.filter(({ needsApproval }) => needsApproval).length;
  return (
    <span>
      <Text span size="xs" c="dimmed" mr="xs">
        {[
          ...(title ? [title] : []),
          settings.labTransports[transport],
          settings.labTools(tools.length, asked),
        ].join(' · ')}
      </Text>
      <Badge size="sm" variant="light" color={isThere === true ? 'teal' : isThere === false ? 'red' : 'gray'}>
        {isThere == null ? settings.notAsked : isThere ? settings.available : settings.unavailable}
      </Badge>
      {[
        ...(problem ? [problem] : []),
        ...unfit.map(({ serverTool, reason }) => `${serverTool}: ${reason}`),
      ].map((line) => (
        <Text key={line} size="xs" c="red">
          {line}
        </Text>
      ))}
    </span>
  );
}
