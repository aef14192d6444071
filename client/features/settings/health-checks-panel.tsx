import { Badge, Skeleton, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { Words } from '../../lib/i18n/words.ts';
import { Facts } from './facts.tsx';
import { readHealth, type HealthChecks } from './health-checks.ts';

const EVERY_MS = 15_000;

/** Which parts of the server work; looked at again while the page is open. */
export function HealthChecksPanel() {
  const { settings, common } = useWords();
  const checks = useHealthChecks();
  return (
    <Panel title={settings.server}>
      {checks === 'loading' ? (
        <Skeleton height={100} />
      ) : checks === 'unreachable' ? (
        <Text size="sm" role="alert">
          {common.noServer}
        </Text>
      ) : (
        <Facts
          facts={checks.map(({ name, works }) => [
            nameOf(name, settings),
            <Badge key={name} variant="light" color={works ? 'teal' : 'red'}>
              {works ? settings.works : settings.down}
            </Badge>,
          ])}
        />
      )}
    </Panel>
  );
}

const nameOf = (part: string, { parts }: Words['settings']): string =>
  Object.entries(parts).find(([key]) => key === part)?.[1] ?? part;

function useHealthChecks(): HealthChecks | 'loading' | 'unreachable' {
  const [checks, setChecks] = useState<HealthChecks | 'loading' | 'unreachable'>('loading');
  useEffect(() => {
    const leaving = new AbortController();
    const look = (): void => {
      void readHealth(leaving.signal)
        .catch(() => 'unreachable' as const)
        .then((found) => leaving.signal.aborted || setChecks(found));
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, []);
  return checks;
}
