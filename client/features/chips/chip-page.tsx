import { Box, Stack } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { ChipOverviewDocument, MetricCatalogueDocument } from '../../gql/graphql.ts';
import { useSubjectOfPage } from '../../lib/page-subject.tsx';
import { ActivityPanels } from './activity-panels.tsx';
import { ChipHeader } from './chip-header.tsx';
import { ChipUpdates, useChipQuery } from './chip-updates.tsx';
import { readView, togglePicked, writeView, type ChipView } from './chip-view.ts';
import { HealthPanel } from './health-panel.tsx';
import { rememberChip } from './last-chip.ts';
import { MetricPanels } from './metric-panels.tsx';
import { QubitTable } from './qubit-table.tsx';
import { UnknownChip } from './unknown-chip.tsx';

/** Everything about one chip: `/chips/:chipId`. */
export function ChipPage() {
  const { chipId = '' } = useParams();
  return (
    <ChipUpdates key={chipId} chipId={chipId}>
      <PageTitle>{chipId}</PageTitle>
      <ChipParts chipId={chipId} />
    </ChipUpdates>
  );
}

function ChipParts({ chipId }: { readonly chipId: string }) {
  const [view, setView] = useChipView();
  useSubjectOfPage({ chipId });
  const [catalogue] = useQuery({ query: MetricCatalogueDocument });
  const overview = useChipQuery({ query: ChipOverviewDocument, variables: { chipId } });
  const chip = overview.data?.chip;
  useEffect(() => {
    if (chip) rememberChip(chip.chipId);
  }, [chip]);
  const metrics = useMemo(() => {
    const measured = new Set(
      chip?.summary?.parameters.filter(({ count }) => count > 0).map(({ name }) => name),
    );
    const ofQubits = catalogue.data?.metrics.filter(({ scope }) => scope === 'QUBIT') ?? [];
    return ofQubits.filter(({ name }) => measured.has(name));
  }, [catalogue.data, chip]);
  const error = overview.error ?? catalogue.error;
  if (error && !(overview.data && catalogue.data)) {
    return (
      <Box p="md">
        <LoadError error={error} onRetry={overview.retry} />
      </Box>
    );
  }
  if (overview.data && !chip) return <UnknownChip chipId={chipId} />;
  if (!chip || !catalogue.data) return <PageSkeleton />;
  const metric =
    metrics.find(({ name }) => name === view.metric) ??
    metrics.find(({ direction }) => direction === 'HIGHER_IS_BETTER') ??
    metrics[0];
  const pick = (qid: string): void => setView({ ...view, picked: togglePicked(view.picked, qid) });
  return (
    <Stack p="md" gap="sm">
      <ChipHeader chip={chip} />
      {chip.summary && <HealthPanel chipId={chipId} summary={chip.summary} metrics={metrics} />}
      {metric && (
        <MetricPanels chipId={chipId} metric={metric} metrics={metrics} view={view} onView={setView} />
      )}
      <QubitTable chipId={chipId} metrics={metrics} picked={view.picked} onPick={pick} />
      <ActivityPanels chipId={chipId} />
    </Stack>
  );
}

/** The view of the address, and how to change it; it changes without a step in the history. */
function useChipView(): readonly [ChipView, (view: ChipView) => void] {
  const [query, setQuery] = useSearchParams();
  const view = useMemo(() => readView(query), [query]);
  return [view, (changed) => setQuery(writeView(changed), { replace: true, preventScrollReset: true })];
}
