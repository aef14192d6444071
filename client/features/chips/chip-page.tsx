import { Stack } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { PageLoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { ChipOverviewDocument, MetricCatalogueDocument } from '../../gql/graphql.ts';
import { isNotFound } from '../../lib/graphql/not-found.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useTitledMetrics } from '../../lib/i18n/use-server-names.ts';
import { useSubjectOfPage } from '../../lib/page-subject.tsx';
import { ChipAlerts } from './chip-alerts.tsx';
import { ActivityPanels } from './activity-panels.tsx';
import { ChangesPanel } from './changes/changes-panel.tsx';
import { ChipHeader } from './chip-header.tsx';
import { ChipUpdates, useChipQuery } from './chip-updates.tsx';
import { readView, togglePicked, writeView, type ChipView } from './chip-view.ts';
import { HealthPanel } from './health-panel.tsx';
import { rememberChip } from './last-chip.ts';
import { MetricPanels } from './metric-panels.tsx';
import { QubitTable } from './qubit-table.tsx';
import { UnknownChip } from './chips-page.tsx';

/** Everything about one chip: `/chips/:chipId`. */
export function ChipPage() {
  const { chipId = '' } = useParams();
  return (
    <ChipUpdates key={chipId} chipId={chipId}>
      <ChipParts chipId={chipId} />
    </ChipUpdates>
  );
}

function ChipParts({ chipId }: { readonly chipId: string }) {
  const [view, changeView] = useChipView();
  useSubjectOfPage({ chipId });
  const [catalogue, readCatalogue] = useKeptQuery({ query: MetricCatalogueDocument });
  const titled = useTitledMetrics(catalogue.data?.metrics);
  const overview = useChipQuery({ query: ChipOverviewDocument, variables: { chipId } });
  const chip = overview.data?.chip;
  useEffect(() => {
    if (chip) rememberChip(chip.chipId);
  }, [chip]);
  const [metrics, couplingMetrics] = useMemo(() => {
    const { parameters = [], couplingParameters = [] } = chip?.summary ?? {};
    const measured = (
      scope: string,
      statistics: readonly { readonly name: string; readonly count: number }[],
    ) =>
      titled?.filter(
        (metric) =>
          metric.scope === scope && statistics.some(({ name, count }) => name === metric.name && count > 0),
      ) ?? [];
    return [measured('QUBIT', parameters), measured('COUPLING', couplingParameters)];
  }, [titled, chip]);
  if (isNotFound(overview.error)) return <UnknownChip chipId={chipId} />;
  const failure = (!chip && overview.error) || (!catalogue.data && catalogue.error);
  if (failure) {
    const again = (): void => {
      overview.retry();
      readCatalogue({ requestPolicy: 'network-only' });
    };
    return <PageLoadError title={chipId} error={failure} onRetry={again} />;
  }
  if (!chip || !catalogue.data) return <PageSkeleton title={chipId} />;
  const metric =
    metrics.find(({ name }) => name === view.metric) ??
    metrics.find(({ direction }) => direction === 'HIGHER_IS_BETTER') ??
    metrics[0];
  const newestAt = chip.summary?.freshness?.newestAt ?? null;
  const pick = (qid: string): void => changeView(({ picked }) => ({ picked: togglePicked(picked, qid) }));
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{chipId}</PageTitle>
      <ChipHeader chip={chip} />
      {chip.summary && (
        <HealthPanel chipId={chipId} summary={chip.summary} layers={chip.layerFidelities} metrics={metrics} />
      )}
      <ChipAlerts chipId={chipId} />
      <ChangesPanel
        chipId={chipId}
        newestAt={newestAt}
        cooldownAt={chip.cooldownStartedAt}
        old={chip.summary?.old ?? []}
      />
      {metric && (
        <MetricPanels
          chipId={chipId}
          newestAt={newestAt}
          metric={metric}
          metrics={metrics}
          couplingMetrics={couplingMetrics}
          view={view}
          onView={changeView}
        />
      )}
      <QubitTable chipId={chipId} metrics={metrics} picked={view.picked} onPick={pick} />
      <ActivityPanels chipId={chipId} />
    </Stack>
  );
}

/** Parts of a view, or how they follow from what they are now. */
type ChipChange = Partial<ChipView> | ((now: ChipView) => Partial<ChipView>);

/**
 * The view of the address, and how to change parts of it, which makes no step in the history. The address
 * follows a little later than the change, so that a second change may come in between: it starts from the
 * first one, not from the address.
 */
function useChipView(): readonly [ChipView, (change: ChipChange) => void] {
  const [query, setQuery] = useSearchParams();
  const view = useMemo(() => readView(query), [query]);
  const newest = useRef(view);
  useEffect(() => {
    newest.current = view;
  }, [view]);
  const change = (changed: ChipChange): void => {
    const parts = typeof changed === 'function' ? changed(newest.current) : changed;
    newest.current = { ...newest.current, ...parts };
    const address = writeView(newest.current, new URLSearchParams(location.search));
    setQuery(address, { replace: true, preventScrollReset: true });
  };
  return [view, change];
}
