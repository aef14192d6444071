import { Badge, Text } from '@mantine/core';
import { Panel } from '../../components/panel.tsx';
import type { SettingsViewerQuery } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import { Facts } from './facts.tsx';

/** Models that answer here, and which one does when none is chosen. */
export function ModelsPanel({ config }: { readonly config: SettingsViewerQuery['copilotConfig'] }) {
  const { settings } = useWords();
  return (
    <Panel title={settings.models}>
      <Facts
        facts={config.models.map(({ name, provider, available, supportsImages }) => [
          name,
          <span key={name}>
            <Text span size="xs" c="dimmed" mr="xs">
              {[
                wordFor(settings.providers, provider),
                ...(supportsImages ? [settings.readsImages] : []),
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
