import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callAuth, codeIn, pageAfter, type Me } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { PasswordField } from './password-field.tsx';
import { AuthCard, AuthFailure } from './auth-card.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signs somebody in: `/sign-in`, with a second step for people who have a second factor. */
export function SignInPage() {
  const { account } = useWords();
  const [needsCode, setNeedsCode] = useState(false);
  const { answer: me, error } = useAuth<Me>('/me');
  return (
    <AuthCard title={account.signIn}>
      <AuthFailure error={error} />
      {me?.mode === 'accounts' && !needsCode && <Password onCodeNeeded={() => setNeedsCode(true)} />}
      {me?.mode === 'accounts' && needsCode && <SecondFactor />}
      {me?.mode === 'oidc' && <Provider name={me.provider ?? ''} />}
      {me?.mode === 'qdash' && <QdashToken />}
      {me?.mode === 'proxy' && <Text size="sm">{account.byProxy}</Text>}
      {me?.mode === 'none' && <Anchor href="/">{account.noSignIn}</Anchor>}
    </AuthCard>
  );
}

/** A whole page load, so that everything is read anew for the person who signed in. */
const enter = (): void => location.assign(pageAfter(location.search));

function Password({ onCodeNeeded }: { readonly onCodeNeeded: () => void }) {
  const { account } = useWords();
  // Kept after a refusal, which empties the form.
  const [email, setEmail] = useState('');
  const signIn = async (form: FormData): Promise<void> => {
    const { twoFactorRedirect } = await callAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
      email,
      password: form.get('password'),
    });
    if (twoFactorRedirect) onCodeNeeded();
    else enter();
  };
  return (
    <Stack>
      <SignInForm signIn={signIn}>
        <TextInput
          name="email"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          label={account.email}
          autoComplete="username"
          required
          autoFocus
        />
        <PasswordField name="password" label={account.password} autoComplete="current-password" required />
      </SignInForm>
      <Text size="sm" c="dimmed">
        {account.noAccount}
      </Text>
    </Stack>
  );
}

/** The access token that QDash gave its user. */
function QdashToken() {
  const { account } = useWords();
  const signIn = async (form: FormData): Promise<void> => {
    await callAuth('/sign-in/qdash', { token: form.get('token') });
    enter();
  };
  return (
    <SignInForm signIn={signIn}>
      <PasswordField
        name="token"
        label={account.qdashToken}
        description={account.qdashTokenHint}
        autoComplete="off"
        required
        autoFocus
      />
    </SignInForm>
  );
}

/** Goes to the identity provider, which sends people back. */
function Provider({ name }: { readonly name: string }) {
  const { account } = useWords();
  const { isBusy, error, run } = useAuthAction();
  const [wasRefused] = useState(() => new URLSearchParams(location.search).has('error'));
  const go = (): void =>
    run(async () => {
      const { url } = await callAuth<{ url: string }>('/sign-in/social', {
        next: pageAfter(location.search),
      });
      location.assign(url);
    });
  return (
    <Stack>
      {wasRefused && !error && <Alert color="red">{account.refusedBy(name)}</Alert>}
      <AuthFailure error={error} />
      <Button loading={isBusy} onClick={go}>
        {account.signInWith(name)}
      </Button>
    </Stack>
  );
}

function SecondFactor() {
  const { account } = useWords();
  const verify = async (form: FormData): Promise<void> => {
    const code = codeIn(form);
    const path = /^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
    await callAuth(path, { code });
    enter();
  };
  return (
    <SignInForm signIn={verify}>
      <TextInput
        name="code"
        label={account.code}
        description={account.codeHint}
        autoComplete="one-time-code"
        required
        autoFocus
      />
    </SignInForm>
  );
}
