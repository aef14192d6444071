import { Button, Group, Stack, Text } from '@mantine/core';
import { Panel } from '../../components/panel.tsx';
import { callAuth } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { AuthFailure } from './auth-card.tsx';

type Session = {
  readonly id: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly createdAt: string;
};

/** Where one is signed in. */
export function SessionsPanel() {
  const { account } = useWords();
  const format = useFormat();
  const { answer: sessions, error, again } = useAuth<readonly Session[]>('/list-sessions');
  const action = useAuthAction();
  const end = (id: string): void =>
    action.run(async () => {
      await callAuth('/revoke-session', { id });
      again();
    });
  return (
    <Panel title={account.sessions}>
      <Stack gap="xs">
        <AuthFailure error={error ?? action.error} />
        {sessions?.map(({ id, ipAddress, userAgent, createdAt }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm">{programOf(userAgent) ?? account.unknownProgram}</Text>
              <Text size="xs" c="dimmed">
                {[ipAddress, account.since(format.time(createdAt))]
                  .filter((each) => each !== null && each !== '')
                  .join(' · ')}
              </Text>
            </div>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={account.endNamed(programOf(userAgent) ?? account.unknownProgram)}
              onClick={() => end(id)}
            >
              {account.end}
            </Button>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

/** The browser or program that a session belongs to, as far as its name gives it away. */
const programOf = (userAgent: string | null): string | null =>
  /\b(?:Firefox|Edg|Chrome|Safari|qpilot-terminal)\b/u.exec(userAgent ?? '')?.[0]?.replace('Edg', 'Edge') ??
  null;
