import { Button, Container, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, Navigate } from 'react-router';
import { PageLoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { ChipsAtAGlanceDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { ChipsAtAGlance } from './chips-at-a-glance.tsx';

const ImportPanel = lazy(async () => ({
  default: (await import('../imports/import-panel.tsx')).ImportPanel,
}));

/** The chips of the project at a glance; where there is only one, it leads there. */
export function ChipsPage() {
  const { chip, common } = useWords();
  const [{ data, error }, execute] = useKeptQuery({ query: ChipsAtAGlanceDocument });
  const again = (): void => execute({ requestPolicy: 'network-only' });
  if (error && !data) return <PageLoadError title={common.chips} error={error} onRetry={again} />;
  if (!data) return <PageSkeleton title={common.chips} />;
  const [only, ...others] = data.chips;
  if (only && others.length === 0)
    return <Navigate to={`/chips/${encodeURIComponent(only.chipId)}`} replace />;
  if (only) return <ChipsAtAGlance chips={data.chips} />;
  return (
    <Stack p="md" gap="sm" maw={860} mx="auto">
      <PageTitle>{common.chips}</PageTitle>
      <Title order={1}>{chip.noChipsTitle}</Title>
      <Text>{chip.noChipsText}</Text>
      <Suspense fallback={<Skeleton height={200} />}>
        <ImportPanel />
      </Suspense>
    </Stack>
  );
}

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
