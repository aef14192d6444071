import { Badge, Skeleton, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { Panel } from '../../components/panel.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import type { Words } from '../../lib/i18n/words.ts';
import { Facts } from './facts.tsx';

const EVERY_MS = 15_000;
const COLORS = { works: 'teal', down: 'red', unused: 'gray' } as const;

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
          facts={withUnused(checks, settings).map(({ name, state }) => [
            wordFor(settings.parts, name),
            <Badge key={name} variant="light" color={COLORS[state]}>
              {settings.states[state]}
            </Badge>,
          ])}
        />
      )}
    </Panel>
  );
}

/** The parts that the server reports, then those that are not configured. */
function withUnused(checks: HealthChecks, { parts }: Words['settings']) {
  const reported = checks.map(({ name, works }) => ({ name, state: works ? 'works' : 'down' }) as const);
  const unused = Object.keys(parts).filter((part) => checks.every(({ name }) => name !== part));
  return [...reported, ...unused.map((name) => ({ name, state: 'unused' }) as const)];
}

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

const answer = z.record(z.string(), z.string());

/** Parts of the server by name, and whether each works. */
type HealthChecks = readonly { readonly name: string; readonly works: boolean }[];

/**
 * Reads `GET /health`, which answers even if a part is down.
 * @throws when the server does not answer, or something else does
 */
async function readHealth(signal: AbortSignal): Promise<HealthChecks> {
  const response = await fetch('/health', { signal });
  const { status: _whole, ...parts } = answer.parse(await response.json());
  return Object.entries(parts).map(([name, state]) => ({ name, works: state === 'ok' }));
}
