import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callAuth, openSignIn, type AuthError } from '../../lib/auth/auth.ts';
import { useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { AuthCard, AuthFailure } from './auth-card.tsx';

/** Lets a terminal in that shows a code: `/device`. */
export function DevicePage() {
  const { account } = useWords();
  const [code, setCode] = useState(() => new URLSearchParams(location.search).get('user_code') ?? '');
  const [outcome, setOutcome] = useState<'approve' | 'deny' | null>(null);
  const { isBusy, error, run } = useAuthAction();
  const decide = (what: 'approve' | 'deny'): void =>
    run(async () => {
      const userCode = code.trim();
      try {
        // Binds the code to the signed-in person, so that nobody else can decide.
        await callAuth(`/device?user_code=${encodeURIComponent(userCode)}`);
        await callAuth(`/device/${what}`, { userCode });
      } catch (failure) {
        if ((failure as AuthError).status === 401) openSignIn();
        throw failure;
      }
      setOutcome(what);
    });
  if (outcome !== null) {
    return (
      <AuthCard title={account.terminal}>
        <Text role="status">{outcome === 'approve' ? account.terminalIn : account.terminalDenied}</Text>
      </AuthCard>
    );
  }
  return (
    <AuthCard title={account.terminal}>
      <Stack>
        <Text size="sm">{account.terminalHint}</Text>
        <AuthFailure error={error} />
        <TextInput
          label={account.terminalCode}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="off"
          autoFocus
        />
        <Group>
          <Button loading={isBusy} disabled={code.trim() === ''} onClick={() => decide('approve')}>
            {account.allow}
          </Button>
          <Button
            variant="default"
            loading={isBusy}
            disabled={code.trim() === ''}
            onClick={() => decide('deny')}
          >
            {account.refuse}
          </Button>
        </Group>
      </Stack>
    </AuthCard>
  );
}
