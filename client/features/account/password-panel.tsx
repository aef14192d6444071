import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { callAuth } from '../../lib/auth/auth.ts';
import { useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { PasswordField } from './password-field.tsx';
import { AuthFailure } from './auth-card.tsx';

/** Changes the password; all other sessions end. */
export function PasswordPanel() {
  const { account } = useWords();
  const { isBusy, error, run } = useAuthAction();
  const [isDone, setDone] = useState(false);
  const change = (form: FormData): void => {
    setDone(false);
    run(async () => {
      await callAuth('/change-password', {
        currentPassword: form.get('current'),
        newPassword: form.get('new'),
      });
      setDone(true);
    });
  };
  return (
    <Panel title={account.changePassword}>
      <form action={change}>
        <Stack gap="xs">
          <AuthFailure error={error} />
          {isDone && (
            <Text size="sm" role="status">
              {account.passwordChanged}
            </Text>
          )}
          <PasswordField
            name="current"
            label={account.currentPassword}
            autoComplete="current-password"
            size="xs"
            required
          />
          <PasswordField
            name="new"
            label={account.newPassword}
            description={account.passwordHint}
            autoComplete="new-password"
            size="xs"
            minLength={12}
            maxLength={128}
            required
          />
          <Button type="submit" size="xs" loading={isBusy}>
            {account.changePassword}
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
