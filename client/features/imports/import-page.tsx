import { Stack, Title } from '@mantine/core';
import { PageTitle } from '../../components/page-title.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { ImportPanel } from './import-panel.tsx';

/** Data from files: `/import`. */
export function ImportPage() {
  const { imports } = useWords();
  return (
    <Stack p="md" gap="sm" maw={860} mx="auto">
      <PageTitle>{imports.title}</PageTitle>
      <Title order={1}>{imports.title}</Title>
      <ImportPanel />
    </Stack>
  );
}
