import { Grid, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Plot } from '../../components/chart/plot.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  ChipListDocument,
  ChipMetricViewDocument,
  type ChipMetricViewQuery,
  type MetricOfCatalogueFragment,
} from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { WarnButton } from '../alerts/warn-button.tsx';
import { PinButton } from '../pins/pin-button.tsx';
import { distributionRead, mapRead } from '../pins/reads.ts';
import { useChipQuery } from './chip-updates.tsx';
import { SELECTIONS, WINDOWS_HOURS, writeSince, type ChipView } from './chip-view.ts';
import classes from './chip.module.css';
import { qubitValuesOf } from './map/map-model.ts';
import { AgainstPicker, MapPanel } from './map/map-panel.tsx';
import { resultsText } from './map/map-text.ts';
import { distributionFigure } from './metric-figures.ts';
import { TrendPanel } from './trend-panel.tsx';

type MetricValues = NonNullable<NonNullable<ChipMetricViewQuery['chip']>['metric']>;

type MetricPanelsProps = {
  readonly chipId: string;
  /** When the newest value of the chip was measured. */
  readonly newestAt: string | null;
  readonly metric: MetricOfCatalogueFragment;
  readonly metrics: readonly MetricOfCatalogueFragment[];
  readonly couplingMetrics: readonly MetricOfCatalogueFragment[];
  readonly view: ChipView;
  readonly onView: (change: Partial<ChipView>) => void;
};

/**
 * Metrics over the chip: where their values are, how those of qubits are distributed, and how they went. Clicking a qubit
 * on the map opens it.
 */
export function MetricPanels({
  chipId,
  newestAt,
  metric,
  metrics,
  couplingMetrics,
  view,
  onView,
}: MetricPanelsProps) {
  const { chip } = useWords();
  const { selection, windowHours: withinHours } = view;
  const { data, error, stale, retry } = useChipQuery({
    query: ChipMetricViewDocument,
    variables: { chipId, name: metric.name, selection, withinHours },
  });
  const values = data?.chip?.metric ?? null;
  const [{ data: list }] = useQuery({ query: ChipListDocument });
  const couplingMetric =
    couplingMetrics.find(({ name }) => name === view.couplings) ?? couplingMetrics[0] ?? null;
  const isCurrent = selection === 'LATEST' && withinHours === null;
  const results = isCurrent ? null : resultsText(chip, selection, withinHours);
  const qubitValues = useMemo(
    () => (isCurrent || values === null ? null : qubitValuesOf(values.values)),
    [isCurrent, values],
  );
  if (error && values === null) return <LoadError error={error} onRetry={retry} />;
  return (
    <PageGrid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Panel
          title={chip.heatmap(metric.title)}
          tour="map"
          aside={
            <Group gap="xs">
              <MetricPicker {...{ metrics, metric, couplingMetrics, couplingMetric, view, onView }} />
              <WarnButton chipId={chipId} metric={metric} />
              <PinButton
                title={chip.heatmap(metric.title)}
                pinned={mapRead({
                  chipId,
                  metric: metric.name,
                  couplings: couplingMetric?.name ?? null,
                  selection,
                  windowHours: withinHours,
                  byState: view.byState,
                  since: writeSince(view.against),
                  otherChip: view.against?.kind === 'CHIP' ? view.against.chipId : null,
                })}
              />
            </Group>
          }
        >
          <Group gap="xs" mb="xs">
            <AgainstPicker
              chipId={chipId}
              chips={list?.chips.map((other) => other.chipId) ?? []}
              view={view}
              onView={onView}
            />
            <SegmentedControl
              aria-label={chip.map.colorBy}
              size="xs"
              data={[
                { value: 'value', label: chip.map.byValue },
                { value: 'state', label: chip.map.byState },
              ]}
              value={view.byState ? 'state' : 'value'}
              onChange={(by) => onView({ byState: by === 'state' })}
            />
          </Group>
          {values === null && !isCurrent ? (
            <Skeleton height={520} />
          ) : (
            <div aria-busy={stale} style={{ opacity: stale ? 0.6 : 1 }}>
              <MapPanel {...{ chipId, metric, couplingMetric, qubitValues, results, view, onView }} />
            </div>
          )}
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="sm" h="100%">
          <Panel
            title={chip.distribution}
            aside={
              <PinButton
                title={`${chip.distribution}: ${metric.title}`}
                pinned={distributionRead({
                  chipId,
                  metric: metric.name,
                  selection,
                  windowHours: withinHours,
                })}
              />
            }
          >
            {values === null ? <Skeleton height={280} /> : <Distribution metric={metric} values={values} />}
          </Panel>
          <TrendPanel chipId={chipId} newestAt={newestAt} metric={metric} view={view} onView={onView} />
        </Stack>
      </Grid.Col>
    </PageGrid>
  );
}

type MetricPickerProps = Pick<
  MetricPanelsProps,
  'metrics' | 'metric' | 'couplingMetrics' | 'view' | 'onView'
> & { readonly couplingMetric: MetricOfCatalogueFragment | null };

function MetricPicker({ metrics, metric, couplingMetrics, couplingMetric, view, onView }: MetricPickerProps) {
  const { chip } = useWords();
  return (
    <Group gap="xs">
      <Select
        aria-label={chip.metric}
        size="xs"
        w={200}
        searchable
        allowDeselect={false}
        data={metrics.map(({ name, title }) => ({ value: name, label: title }))}
        value={metric.name}
        onChange={(name) => name && onView({ metric: name })}
      />
      {couplingMetric && (
        <Select
          aria-label={chip.map.couplingMetric}
          size="xs"
          w={180}
          searchable
          allowDeselect={false}
          data={couplingMetrics.map(({ name, title }) => ({ value: name, label: title }))}
          value={couplingMetric.name}
          onChange={(couplings) => couplings && onView({ couplings })}
        />
      )}
      <SegmentedControl
        aria-label={chip.selection}
        size="xs"
        data={SELECTIONS.map((value) => ({ value, label: chip.selections[value] }))}
        value={view.selection}
        onChange={(selection) => onView({ selection })}
      />
      <Select
        aria-label={chip.window}
        size="xs"
        w={130}
        allowDeselect={false}
        data={WINDOWS_HOURS.map((hours) => ({ value: String(hours ?? 0), label: chip.windowOf(hours) }))}
        value={String(view.windowHours ?? 0)}
        onChange={(hours) => onView({ windowHours: Number(hours) || null })}
      />
    </Group>
  );
}

function Distribution({
  metric,
  values: { values, statistics },
}: {
  readonly metric: MetricOfCatalogueFragment;
  readonly values: MetricValues;
}) {
  const { chip, common } = useWords();
  const format = useFormat();
  const numbers = useMemo(() => values.flatMap(({ value }) => value ?? []), [values]);
  const figure = useMemo(
    () => distributionFigure(metric, numbers, { counted: chip.qubitsAxis, ratings: common.ratings }),
    [metric, numbers, chip, common],
  );
  if (numbers.length === 0) return <Text c="dimmed">{chip.noValues}</Text>;
  const figures = [
    [chip.statistics.median, statistics.median],
    [chip.statistics.mean, statistics.mean],
    [chip.statistics.stdev, statistics.stdev],
    [chip.statistics.min, statistics.min],
    [chip.statistics.max, statistics.max],
  ] as const;
  return (
    <>
      <dl className={classes['statistics']}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? '—' : format.quantity(value, metric.unit)}</dd>
          </div>
        ))}
        <div>
          <dt>{chip.statistics.measured}</dt>
          <dd>{`${statistics.count} / ${statistics.count + statistics.missing}`}</dd>
        </div>
      </dl>
      <Plot chart={figure} label={`${chip.distribution}: ${metric.title}`} expectedHeightPx={240} />
    </>
  );
}
