import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { PageTitle } from '../components/page-title.tsx';
import { useWords } from '../lib/i18n/i18n.tsx';

/** Stands where an address leads nowhere. */
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
