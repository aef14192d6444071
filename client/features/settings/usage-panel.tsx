import { Progress, Text } from '@mantine/core';
import { Panel } from '../../components/panel.tsx';
import type { SettingsViewerQuery } from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { Facts } from './facts.tsx';

/** What was used today of what may be used. */
export function UsagePanel({ usage }: { readonly usage: SettingsViewerQuery['viewer']['usage'] }) {
  const { settings } = useWords();
  const format = useFormat();
  const { today, tokensPerDay, tokensPerSession, messagesPerMinute, turnsAtOnce } = usage;
  const share = Math.min(100, (100 * today.totalTokens) / tokensPerDay);
  const used = settings.usedOf(format.count(today.totalTokens), format.count(tokensPerDay));
  return (
    <Panel title={settings.usage}>
      <Text size="sm" mb={4}>
        {used}
      </Text>
      <Progress value={share} size="sm" mb="xs" aria-label={used} color={share > 90 ? 'red' : 'indigo'} />
      <Facts
        facts={[
          [settings.cost, today.costUsd === null ? settings.noPrice : format.dollars(today.costUsd)],
          [settings.tokensPerSession, format.count(tokensPerSession)],
          [settings.messagesPerMinute, format.count(messagesPerMinute)],
          [settings.turnsAtOnce, format.count(turnsAtOnce)],
        ]}
      />
    </Panel>
  );
}
