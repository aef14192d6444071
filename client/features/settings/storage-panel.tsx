import { Skeleton, Text } from '@mantine/core';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { SettingsStorageDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { Facts } from './facts.tsx';

/** The room that each kind of data takes, largest first; only for those who administer the server. */
export function StoragePanel() {
  const { settings, jobs } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: SettingsStorageDocument });
  if (data && data.viewer.storage === null) return null;
  const storage = data?.viewer.storage;
  return (
    <Panel title={settings.storage}>
      {!storage && !error && <Skeleton h={200} />}
      {!storage && error && (
        <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      )}
      {storage && (
        <Facts
          facts={[
            ...storage.kinds
              .filter(({ bytes }) => bytes > 0)
              .toSorted((a, b) => b.bytes - a.bytes)
              .map(
                ({ kind, bytes, keptDays }) =>
                  [
                    settings.storedKinds[kind],
                    <span key={kind}>
                      {keptDays !== null && (
                        <Text span size="xs" c="dimmed" mr="xs">
                          {settings.keptDays(keptDays)}
                        </Text>
                      )}
                      {jobs.bytes(bytes)}
                    </span>,
                  ] as const,
              ),
            [settings.freeDisk, jobs.bytes(storage.freeBytes)],
          ]}
        />
      )}
    </Panel>
  );
}
