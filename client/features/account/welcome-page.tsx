import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { pageIn } from '../../../src/domain/members/pages.ts';
import { callAuth, type AuthError } from '../../lib/auth/auth.ts';
import { useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import { PasswordField } from './password-field.tsx';
import { AuthCard, AuthFailure } from './auth-card.tsx';

type Invitation = {
  readonly email: string | null;
  readonly projectId: string | null;
  readonly role: string | null;
  readonly isAdmin: boolean;
};

/** Makes an account of an invitation: `/welcome#secret`. What follows the `#` is never sent with the address. */
export function WelcomePage() {
  const { account, settings } = useWords();
  const [token] = useState(() => location.hash.slice(1));
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [spent, setSpent] = useState<AuthError | null>(null);
  const { isBusy, error, run } = useAuthAction();
  useEffect(() => {
    callAuth<Invitation>('/invitation', { token }).then(setInvitation, setSpent);
  }, [token]);
  const accept = (form: FormData): void =>
    run(async () => {
      const email = invitation?.email ?? form.get('email');
      await callAuth('/accept', { token, email, name: form.get('name'), password: form.get('password') });
      location.assign(invitation?.projectId == null ? '/' : pageIn(invitation.projectId, ''));
    });
  if (invitation === null) {
    return (
      <AuthCard title={account.welcome}>
        <AuthFailure error={spent} />
      </AuthCard>
    );
  }
  const { projectId, role, isAdmin, email } = invitation;
  return (
    <AuthCard title={account.welcome}>
      <Text size="sm">
        {isAdmin || projectId === null || role === null
          ? account.welcomeAdmin
          : account.welcomeMember(wordFor(settings.roles, role), projectId)}
      </Text>
      <form action={accept}>
        <Stack>
          <AuthFailure error={error} />
          <TextInput
            name="name"
            label={account.name}
            autoComplete="name"
            maxLength={100}
            required
            autoFocus
          />
          <TextInput
            name="email"
            type="email"
            label={account.email}
            autoComplete="username"
            required
            {...(email !== null && { value: email, readOnly: true })}
          />
          <PasswordField
            name="password"
            label={account.password}
            description={account.passwordHint}
            autoComplete="new-password"
            minLength={12}
            maxLength={128}
            required
          />
          <Button type="submit" loading={isBusy}>
            {account.makeAccount}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
