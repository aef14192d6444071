import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { PageTitle } from '../../components/page-title.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Stands where an address names a chip that the project does not have. */
export function UnknownChip({ chipId }: { readonly chipId: string }) {
  const { chip, common } = useWords();
  return (
    <Container size="sm" py="xl">
      <PageTitle>{chip.unknown(chipId)}</PageTitle>
      <Stack align="flex-start">
        <Title order={1}>{chip.unknown(chipId)}</Title>
        <Text>{chip.unknownHint}</Text>
        <Button component={Link} to="/chips">
          {common.toChips}
        </Button>
      </Stack>
    </Container>
  );
}
