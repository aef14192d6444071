import { Button, Container, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import { PageTitle } from '../../components/page-title.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Stands where an address names a qubit that the chip does not have. */
export function UnknownQubit({ chipId, qid }: { readonly chipId: string; readonly qid: string }) {
  const { qubit } = useWords();
  return (
    <Container size="sm" py="xl">
      <PageTitle>{qubit.unknown(qid, chipId)}</PageTitle>
      <Stack align="flex-start">
        <Title order={1}>{qubit.unknown(qid, chipId)}</Title>
        <Button component={Link} to={`/chips/${encodeURIComponent(chipId)}`}>
          {qubit.toChip(chipId)}
        </Button>
      </Stack>
    </Container>
  );
}
