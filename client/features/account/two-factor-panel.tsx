import { Anchor, Box, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { callAuth, codeIn } from '../../lib/auth/auth.ts';
import { useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { PasswordField } from './password-field.tsx';
import { AuthFailure } from './auth-card.tsx';

type Setup = { readonly totpURI: string; readonly backupCodes: readonly string[] };

/** Turns the second factor on and off: codes of an authenticator app. */
export function TwoFactorPanel({ isOn }: { readonly isOn: boolean }) {
  const { account } = useWords();
  const [setup, setSetup] = useState<Setup | null>(null);
  const [isActive, setActive] = useState(isOn);
  const { isBusy, error, run } = useAuthAction();
  const begin = (form: FormData): void =>
    run(async () =>
      setSetup(await callAuth<Setup>('/two-factor/enable', { password: form.get('password') })),
    );
  const confirm = (form: FormData): void =>
    run(async () => {
      await callAuth('/two-factor/verify-totp', { code: codeIn(form) });
      setSetup(null);
      setActive(true);
    });
  const turnOff = (form: FormData): void =>
    run(async () => {
      await callAuth('/two-factor/disable', { password: form.get('password') });
      setActive(false);
    });
  return (
    <Panel title={account.twoFactor}>
      <Stack gap="xs">
        <Text size="sm">{isActive ? account.twoFactorOn : account.twoFactorOff}</Text>
        <AuthFailure error={error} />
        {setup === null ? (
          <form action={isActive ? turnOff : begin}>
            <Stack gap="xs">
              <PasswordField
                name="password"
                label={account.password}
                autoComplete="current-password"
                size="xs"
                required
              />
              <Button type="submit" size="xs" variant="default" loading={isBusy}>
                {isActive ? account.turnOff : account.turnOn}
              </Button>
            </Stack>
          </form>
        ) : (
          <form action={confirm}>
            <Stack gap="xs">
              <Text size="sm">{account.twoFactorKey}</Text>
              <Box bg="white" p="xs" w="fit-content">
                <QRCodeSVG value={setup.totpURI} size={160} title={account.twoFactorPicture} />
              </Box>
              <Code>{new URL(setup.totpURI).searchParams.get('secret')}</Code>
              <Anchor size="sm" href={setup.totpURI}>
                {account.openApp}
              </Anchor>
              <Text size="sm">{account.backupCodes}</Text>
              <Code block>{setup.backupCodes.join('\n')}</Code>
              <TextInput name="code" label={account.code} autoComplete="one-time-code" size="xs" required />
              <Button type="submit" size="xs" loading={isBusy}>
                {account.confirm}
              </Button>
            </Stack>
          </form>
        )}
      </Stack>
    </Panel>
  );
}
