import { MultiSelect, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Plot } from '../../components/chart/plot.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { ChipTableDocument, ChipTrendDocument, type MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useChipQuery } from './chip-updates.tsx';
import { MAX_PICKED, type ChipView } from './chip-view.ts';
import { trendFigure } from './metric-figures.ts';

const POINTS = 100;

type TrendPanelProps = {
  readonly chipId: string;
  readonly metric: MetricOfCatalogueFragment;
  readonly view: ChipView;
  readonly onView: (change: Partial<ChipView>) => void;
};

/** How the metric of the page went for picked qubits; they are picked here or in the table. */
export function TrendPanel({ chipId, metric, view, onView }: TrendPanelProps) {
  const { chip } = useWords();
  const qubits = useChipQuery({ query: ChipTableDocument, variables: { chipId, names: [] } });
  const options = useMemo(
    () => qubits.data?.chip?.qubits.map(({ qid, label }) => ({ value: qid, label })) ?? [],
    [qubits.data],
  );
  return (
    <Panel
      title={chip.trend(metric.title)}
      aside={
        <MultiSelect
          aria-label={chip.pickedQubits}
          placeholder={view.picked.length === 0 ? chip.pickQubits : ''}
          size="xs"
          miw={220}
          maw="100%"
          searchable
          clearable
          maxValues={MAX_PICKED}
          limit={100}
          data={options}
          value={options.length === 0 ? [] : [...view.picked]}
          onChange={(picked) => onView({ picked })}
        />
      }
    >
      {view.picked.length === 0 ? (
        <Text size="sm" c="dimmed">
          {chip.pickHint(MAX_PICKED)}
        </Text>
      ) : (
        <Trend chipId={chipId} metric={metric} picked={view.picked} />
      )}
    </Panel>
  );
}

type TrendProps = Pick<TrendPanelProps, 'chipId' | 'metric'> & { readonly picked: readonly string[] };

function Trend({ chipId, metric, picked }: TrendProps) {
  const { chip, common } = useWords();
  const { data, error, retry } = useChipQuery({
    query: ChipTrendDocument,
    variables: { chipId, parameter: metric.name, qids: [...picked], lastN: POINTS },
  });
  const series = data?.chip?.timeseries?.series;
  const figure = useMemo(
    () => series && trendFigure(metric, series, common.ratings),
    [metric, series, common],
  );
  if (error && !series) return <LoadError error={error} onRetry={retry} />;
  if (!series || !figure) return <Skeleton height={300} />;
  if (series.every(({ points }) => points.length === 0)) return <Text c="dimmed">{chip.noValues}</Text>;
  return <Plot chart={figure} label={chip.trend(metric.title)} expectedHeightPx={300} />;
}
