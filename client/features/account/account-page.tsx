import { Alert, Button, Grid, Group, Stack, Title } from '@mantine/core';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { callAuth, openSignIn, type Me } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { AuthFailure } from './auth-card.tsx';
import { AssistantsPanel } from './assistants-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** One's own account, and for administrators everybody's: `/account`. */
export function AccountPage() {
  const { account } = useWords();
  const { answer: me, error } = useAuth<Me>('/me');
  if (me === null) return error ? <AuthFailure error={error} /> : <PageSkeleton title={account.title} />;
  if (me.mode === 'none') return <Alert m="md">{account.noSignIn}</Alert>;
  if (me.person === null) {
    openSignIn();
    return null;
  }
  const { person } = me;
  const hasPasswords = me.mode === 'accounts';
  const hasSessions = hasPasswords || me.mode === 'oidc';
  const invitesInto = me.projects.filter(({ role }) => role === 'owner' || role === 'admin');
  return (
    <Stack p="md" gap="sm" maw={1200} mx="auto">
      <PageTitle>{account.title}</PageTitle>
      <Group justify="space-between">
        <Title order={1}>{person.name}</Title>
        {me.mode !== 'proxy' && <SignOut hasSessions={hasSessions} />}
      </Group>
      <PageGrid>
        <Grid.Col span={12}>
          <KeysPanel projects={me.projects} />
        </Grid.Col>
        <Grid.Col span={12}>
          <AssistantsPanel />
        </Grid.Col>
        {hasSessions && (
          <Grid.Col span={{ base: 12, sm: 6 }}>
            <SessionsPanel />
          </Grid.Col>
        )}
        {hasPasswords && (
          <Grid.Col span={{ base: 12, sm: 6 }}>
            <Stack gap="sm">
              <PasswordPanel />
              <TwoFactorPanel isOn={person.hasTwoFactor} />
            </Stack>
          </Grid.Col>
        )}
        {(person.isAdmin || (hasPasswords && invitesInto.length > 0)) && (
          <Grid.Col span={12}>
            <PeoplePanel me={person.id} isAdmin={person.isAdmin} projects={hasPasswords ? invitesInto : []} />
          </Grid.Col>
        )}
      </PageGrid>
    </Stack>
  );
}

function SignOut({ hasSessions }: { readonly hasSessions: boolean }) {
  const { account } = useWords();
  const { isBusy, error, run } = useAuthAction();
  const signOut = (path: string) => (): void =>
    run(async () => {
      await callAuth(path, {});
      location.assign('/sign-in');
    });
  return (
    <Group gap="xs">
      <AuthFailure error={error} />
      <Button variant="default" size="xs" loading={isBusy} onClick={signOut('/sign-out')}>
        {account.signOut}
      </Button>
      {hasSessions && (
        <Button variant="default" size="xs" loading={isBusy} onClick={signOut('/revoke-sessions')}>
          {account.signOutEverywhere}
        </Button>
      )}
    </Group>
  );
}
