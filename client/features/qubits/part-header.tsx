import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PageTitle } from '../../components/page-title.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { chipPath } from '../../lib/part-path.ts';
import { useAsk } from '../../lib/use-ask.ts';

/** The heading of the page of a qubit or a coupling, below its chip. */
export function PartHeader({ chipId, label }: { readonly chipId: string; readonly label: string }) {
  const { qubit } = useWords();
  const ask = useAsk();
  return (
    <Group justify="space-between">
      <Group gap="xs" align="baseline">
        <Anchor component={Link} to={chipPath(chipId)} size="sm">
          {chipId}
        </Anchor>
        <Text span c="dimmed" aria-hidden="true">
          /
        </Text>
        <Title order={1}>{label}</Title>
      </Group>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconMessageQuestion size={16} />}
        onClick={() => ask(qubit.askDraft(label))}
      >
        {qubit.ask}
      </Button>
    </Group>
  );
}

/** Shown where an address names a qubit or coupling that the chip does not have. */
export function UnknownPart({ chipId, title }: { readonly chipId: string; readonly title: string }) {
  const { qubit } = useWords();
  return (
    <Container size="sm" py="xl">
      <PageTitle>{title}</PageTitle>
      <Stack align="flex-start">
        <Title order={1}>{title}</Title>
        <Button component={Link} to={chipPath(chipId)}>
          {qubit.toChip(chipId)}
        </Button>
      </Stack>
    </Container>
  );
}
