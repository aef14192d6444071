import { Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Plot } from '../../components/chart/plot.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { QubitHistoryDocument, type MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useChipQuery } from '../chips/chip-updates.tsx';
import { trendFigure } from '../chips/metric-figures.ts';

const POINTS = 200;

type HistoryPanelProps = {
  readonly chipId: string;
  readonly qid: string;
  readonly parameter: string;
  readonly metrics: readonly MetricOfCatalogueFragment[];
};

/** How a parameter of the qubit went. */
export function HistoryPanel({ chipId, qid, parameter, metrics }: HistoryPanelProps) {
  const { qubit, common } = useWords();
  const format = useFormat();
  const { data, error, retry } = useChipQuery({
    query: QubitHistoryDocument,
    variables: { chipId, qid, parameter, lastN: POINTS },
  });
  const series = data?.qubit?.timeseries;
  const metric = metrics.find(({ name }) => name === parameter);
  const figure = useMemo(() => {
    if (!series) return null;
    const unrated = {
      title: parameter,
      unit: series.unit,
      direction: 'NEUTRAL',
      good: null,
      excellent: null,
      bad: null,
    } as const;
    return trendFigure(metric ?? unrated, [series], common.ratings);
  }, [series, metric, parameter, common]);
  const title = qubit.history(metric?.title ?? parameter);
  const count = series?.points.length ?? 0;
  return (
    <Panel
      title={title}
      aside={
        series?.mean != null && (
          <Text size="xs" c="dimmed">
            {qubit.historyOf(count, format.quantity(series.mean, series.unit))}
          </Text>
        )
      }
    >
      {data && count === 0 ? (
        <Text c="dimmed">{qubit.noHistory}</Text>
      ) : figure !== null ? (
        <Plot chart={figure} label={title} expectedHeightPx={300} />
      ) : error ? (
        <LoadError error={error} onRetry={retry} />
      ) : (
        <Skeleton height={300} />
      )}
    </Panel>
  );
}
