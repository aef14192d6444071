import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import type { CombinedError } from 'urql';
import { useWords } from '../lib/i18n/i18n.tsx';
import { useServerText } from '../lib/i18n/use-server-names.ts';
import { PageTitle } from './page-title.tsx';

type LoadErrorProps = {
  readonly error: CombinedError;
  readonly onRetry: () => void;
};

/** Replaces a page that could not be loaded, under the page's own heading. */
export function PageLoadError({ title, ...failure }: LoadErrorProps & { readonly title: string }) {
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{title}</PageTitle>
      <Title order={1}>{title}</Title>
      <LoadError {...failure} />
    </Stack>
  );
}

/** Says what of a page could not be loaded and why, and offers to try again. */
export function LoadError({ error, onRetry }: LoadErrorProps) {
  const { common } = useWords();
  const textOf = useServerText();
  const isRefused =
    error.graphQLErrors.length > 0 &&
    error.graphQLErrors.every(({ extensions }) => extensions['code'] === 'FORBIDDEN');
  const reasons = error.networkError ? [common.noServer] : error.graphQLErrors.map(({ message }) => message);
  return (
    <Alert
      color={isRefused ? 'yellow' : 'red'}
      title={isRefused ? common.notAllowed : common.cannotLoad}
      icon={isRefused ? <IconLock size={18} /> : <IconAlertTriangle size={18} />}
      role="alert"
    >
      {[...new Set(reasons)].map((reason) => (
        <Text key={reason} size="sm">
          {textOf(reason)}
        </Text>
      ))}
      {!isRefused && (
        <Group mt="xs">
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {common.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
