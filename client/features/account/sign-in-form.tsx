import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAuthAction } from '../../lib/auth/use-auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { AuthFailure } from './auth-card.tsx';

type SignInFormProps = {
  /** Rejects with an AuthError, which the form shows. */
  readonly signIn: (form: FormData) => Promise<void>;
  readonly children: ReactNode;
};

/** Fields of one way to sign in, the reason of a refusal and the button. */
export function SignInForm({ signIn, children }: SignInFormProps) {
  const { account } = useWords();
  const { isBusy, error, run } = useAuthAction();
  return (
    <form action={(form) => run(() => signIn(form))}>
      <Stack>
        <AuthFailure error={error} />
        {children}
        <Button type="submit" loading={isBusy}>
          {account.signIn}
        </Button>
      </Stack>
    </form>
  );
}
