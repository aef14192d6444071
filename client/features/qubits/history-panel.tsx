import { Group, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { CombinedError } from 'urql';
import { Plot } from '../../components/chart/plot.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { TimeRangePicker } from '../../components/time-range/time-range-picker.tsx';
import { useTimesOfPage } from '../../components/time-range/use-times-of-page.ts';
import {
  CouplingHistoryDocument,
  QubitHistoryDocument,
  type MetricOfCatalogueFragment,
} from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useOpenRecord } from '../../lib/use-open-record.ts';
import { useChipQuery } from '../chips/chip-updates.tsx';
import { trendFigure, type TrendPoint } from '../chips/metric-figures.ts';
import { useSpan } from '../chips/use-span.ts';
import { WarnButton } from '../alerts/warn-button.tsx';
import { PinButton } from '../pins/pin-button.tsx';
import { historyRead } from '../pins/reads.ts';

const POINTS = 200;

type PartHistoryProps = {
  readonly chipId: string;
  /** Of the qubit or coupling. */
  readonly label: string;
  readonly parameter: string;
  readonly metrics: readonly MetricOfCatalogueFragment[];
};

/** How a parameter of a qubit went. */
export function QubitHistoryPanel({ qid, ...of }: PartHistoryProps & { readonly qid: string }) {
  const { chipId, parameter } = of;
  const [times] = useTimesOfPage();
  const { from, to } = useSpan(chipId, times);
  const { data, ...state } = useChipQuery({
    query: QubitHistoryDocument,
    variables: { chipId, qids: [qid], parameter, lastN: POINTS, from, to },
  });
  const series = data?.chip?.timeseries?.series[0];
  return <HistoryPanel {...of} {...state} id={qid} isRead={data !== undefined} series={series} />;
}

/** How a parameter of a coupling went. */
export function CouplingHistoryPanel({ pair, ...of }: PartHistoryProps & { readonly pair: string }) {
  const { chipId, parameter } = of;
  const [times] = useTimesOfPage();
  const { from, to } = useSpan(chipId, times);
  const { data, ...state } = useChipQuery({
    query: CouplingHistoryDocument,
    variables: { chipId, pairs: [pair], parameter, lastN: POINTS, from, to },
  });
  const series = data?.chip?.couplingTimeseries?.series[0];
  return <HistoryPanel {...of} {...state} id={pair} isRead={data !== undefined} series={series} />;
}

type HistoryPanelProps = PartHistoryProps & {
  /** Of the qubit or coupling. */
  readonly id: string;
  readonly series:
    | { readonly unit: string; readonly mean: number | null; readonly points: readonly TrendPoint[] }
    | null
    | undefined;
  readonly isRead: boolean;
  readonly error?: CombinedError | undefined;
  readonly retry: () => void;
};

function HistoryPanel(props: HistoryPanelProps) {
  const { chipId, id, parameter, metrics, label, series, isRead, error, retry } = props;
  const { qubit, common, times: words } = useWords();
  const [times, setTimes] = useTimesOfPage();
  const { hasCooldown } = useSpan(chipId, times);
  const openRecord = useOpenRecord();
  const format = useFormat();
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
    return trendFigure(metric ?? unrated, [{ label, points: series.points }], common.ratings);
  }, [series, metric, parameter, label, common]);
  const title = qubit.history(metric?.title ?? parameter);
  const count = series?.points.length ?? 0;
  return (
    <Panel
      title={title}
      aside={
        <Group gap="xs">
          {series?.mean != null && (
            <Text size="xs" c="dimmed">
              {qubit.historyOf(count, format.quantity(series.mean, series.unit))}
            </Text>
          )}
          <TimeRangePicker times={times} onTimes={setTimes} none={words.all} hasCooldown={hasCooldown} />
          {metric && <WarnButton chipId={chipId} metric={metric} part={label} />}
          <PinButton title={title} pinned={historyRead({ chipId, parameter, qids: [id], times })} />
        </Group>
      }
    >
      {isRead && count === 0 ? (
        <Text c="dimmed">{qubit.noHistory}</Text>
      ) : figure !== null ? (
        <>
          <Plot chart={figure} label={title} expectedHeightPx={300} onPoint={openRecord} />
          <Text size="xs" c="dimmed">
            {qubit.pointHint}
          </Text>
        </>
      ) : error ? (
        <LoadError error={error} onRetry={retry} />
      ) : (
        <Skeleton height={300} />
      )}
    </Panel>
  );
}
