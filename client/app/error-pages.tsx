import { Button, Code, Container, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation, useRouteError } from 'react-router';
import { PageTitle } from '../components/page-title.tsx';
import { useWords } from '../lib/i18n/i18n.tsx';

/** Shown for an unknown address. */
export function NotFound() {
  const { common } = useWords();
  const { pathname } = useLocation();
  return (
    <Container size="sm" py="xl">
      <PageTitle>{common.notFoundTitle}</PageTitle>
      <Stack align="flex-start">
        <Title order={1}>{common.notFoundTitle}</Title>
        <Text>{common.notFoundText(pathname)}</Text>
        <Button component={Link} to="/chips">
          {common.toChips}
        </Button>
      </Stack>
    </Container>
  );
}

/** Replaces a page that threw an error or could not be loaded. */
export function ErrorPage() {
  const { common } = useWords();
  const error = useRouteError();
  const isMissing = isMissingCode(error);
  return (
    <Container size="sm" py="xl">
      <PageTitle>{isMissing ? common.cannotLoad : common.brokenTitle}</PageTitle>
      <Stack align="flex-start" role="alert">
        <Title order={1}>{isMissing ? common.cannotLoad : common.brokenTitle}</Title>
        <Text>{isMissing ? common.noServer : common.brokenText}</Text>
        {!isMissing && (
          <Code block w="100%">
            {error instanceof Error ? error.message : String(error)}
          </Code>
        )}
        <Button onClick={() => location.reload()}>{common.reload}</Button>
      </Stack>
    </Container>
  );
}

/** Each browser, and the bundler for styles, has its own words for what could not be loaded. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /\b(?:imported|importing)\b.*\bmodule\b|\bmodule script\b|^Unable to preload/i.test(error.message);
