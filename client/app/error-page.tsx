import { Button, Code, Container, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';
import { useWords } from '../lib/i18n/i18n.tsx';

/** Stands in the place of a page that broke. */
export function ErrorPage() {
  const { common } = useWords();
  const error = useRouteError();
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start" role="alert">
        <Title order={1}>{common.brokenTitle}</Title>
        <Text>{common.brokenText}</Text>
        <Code block w="100%">
          {error instanceof Error ? error.message : String(error)}
        </Code>
        <Button onClick={() => location.reload()}>{common.reload}</Button>
      </Stack>
    </Container>
  );
}
