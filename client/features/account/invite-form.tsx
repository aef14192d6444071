import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { callAuth } from '../../lib/auth/auth.ts';
import { useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { AuthFailure } from './auth-card.tsx';
import { ShownOnce } from './shown-once.tsx';

type InviteFormProps = {
  /** What the invitation grants, from the fields of the form. */
  readonly grantOf: (form: FormData) => object;
  readonly onInvited?: () => void;
  /** Fields besides the e-mail address. */
  readonly children: ReactNode;
};

/** Invites somebody by a link, which is shown once. */
export function InviteForm({ grantOf, onInvited, children }: InviteFormProps) {
  const { account } = useWords();
  const { isBusy, error, run } = useAuthAction();
  const [link, setLink] = useState<string | null>(null);
  const invite = (form: FormData): void =>
    run(async () => {
      const asked = { email: form.get('email'), role: form.get('role'), ...grantOf(form) };
      setLink((await callAuth<{ link: string }>('/invitations', asked)).link);
      onInvited?.();
    });
  return (
    <form action={invite}>
      <Stack gap="xs">
        <AuthFailure error={error} />
        <ShownOnce title={account.linkOnce} text={link} />
        <Group align="flex-end" gap="xs">
          <TextInput name="email" type="email" label={account.email} size="xs" required />
          {children}
          <Button type="submit" size="xs" loading={isBusy}>
            {account.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
