import { Alert, Anchor, Container, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from '../../components/page-title.tsx';
import { refusalIn, type AuthError } from '../../lib/auth/auth.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** The frame of pages that are shown without a sign-in. */
export function AuthCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Container component="main" size={420} py={80}>
      <PageTitle>{title}</PageTitle>
      <Paper withBorder p="lg">
        <Stack>
          <Anchor href="/" underline="never" c="inherit" fw={650} size="sm">
            QPilot
          </Anchor>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Container>
  );
}

/** Why something was refused. */
export function AuthFailure({ error }: { readonly error: AuthError | null }) {
  const { account, common } = useWords();
  if (error === null) return null;
  const words =
    error.status === 0
      ? common.noServer
      : error.status === 429
        ? account.tooManyTries
        : (refusalIn(account.refusals, error) ?? account.refusedBecause(error.message));
  return (
    <Alert color="red" role="alert">
      {words}
    </Alert>
  );
}
