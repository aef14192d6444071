import { Group, MultiSelect, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Plot } from '../../components/chart/plot.tsx';
import { TimeRangePicker } from '../../components/time-range/time-range-picker.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  ChipMovedDocument,
  ChipTableDocument,
  ChipTrendDocument,
  type MetricOfCatalogueFragment,
} from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { serverNowMs } from '../../lib/server-clock.ts';
import { useOpenRecord } from '../../lib/use-open-record.ts';
import { mostChanged } from './changes/rank-changes.ts';
import { PinButton } from '../pins/pin-button.tsx';
import { historyRead } from '../pins/reads.ts';
import { useChipQuery } from './chip-updates.tsx';
import { MAX_PICKED, type ChipView } from './chip-view.ts';
import { trendFigure } from './metric-figures.ts';
import { useSpan } from './use-span.ts';

const POINTS = 200;
const SHOWN_FIRST = 4;
const CHANGED_DAYS = 30;
const DAY_MS = 86_400_000;

type TrendPanelProps = {
  readonly chipId: string;
  /** When the newest value of the chip was measured. */
  readonly newestAt: string | null;
  readonly metric: MetricOfCatalogueFragment;
  readonly view: ChipView;
  readonly onView: (change: Partial<ChipView>) => void;
};

/** How the metric of the page went for picked qubits; they are picked here or in the table. */
export function TrendPanel({ chipId, newestAt, metric, view, onView }: TrendPanelProps) {
  const { chip, times: words } = useWords();
  const { hasCooldown, from, to } = useSpan(chipId, view.times);
  const qubits = useChipQuery({ query: ChipTableDocument, variables: { chipId, names: [] } });
  const options = useMemo(
    () => qubits.data?.chip?.qubits.map(({ qid, label }) => ({ value: qid, label })) ?? [],
    [qubits.data],
  );
  return (
    <Panel
      title={chip.trend(metric.title)}
      aside={
        <Group gap="xs">
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
          <TimeRangePicker
            times={view.times}
            onTimes={(times) => onView({ times })}
            none={words.all}
            hasCooldown={hasCooldown}
          />
          {view.picked.length > 0 && (
            <PinButton
              title={chip.trend(metric.title)}
              pinned={historyRead({ chipId, parameter: metric.name, qids: view.picked, times: view.times })}
            />
          )}
        </Group>
      }
    >
      {view.picked.length === 0 ? (
        <MostChanged chipId={chipId} metric={metric} newestAt={newestAt} span={{ from, to }} />
      ) : (
        <Trend chipId={chipId} metric={metric} picked={view.picked} span={{ from, to }} />
      )}
    </Panel>
  );
}

/** Until qubits are picked: those whose value changed most, by standard errors where any are recorded. */
function MostChanged({ chipId, metric, newestAt, span }: MostChangedProps) {
  const { chip } = useWords();
  const from = new Date((newestAt === null ? serverNowMs() : Date.parse(newestAt)) - CHANGED_DAYS * DAY_MS);
  const { data, fetching } = useChipQuery({
    query: ChipMovedDocument,
    variables: { chipId, from: from.toISOString(), parameter: metric.name },
    pause: newestAt === null,
  });
  const picked = useMemo(
    () => mostChanged(data?.chip?.changes.changes ?? [], SHOWN_FIRST).map(({ partId }) => partId),
    [data],
  );
  return (
    <>
      {fetching && !data ? (
        <Skeleton height={300} />
      ) : (
        picked.length > 0 && <Trend chipId={chipId} metric={metric} picked={picked} span={span} />
      )}
      <Text size="xs" c="dimmed">
        {picked.length > 0 && `${chip.mostChanged(picked.length, CHANGED_DAYS)} `}
        {chip.pickHint(MAX_PICKED)}
      </Text>
    </>
  );
}

type MostChangedProps = Pick<TrendPanelProps, 'chipId' | 'metric' | 'newestAt'> & Pick<TrendProps, 'span'>;

type TrendProps = Pick<TrendPanelProps, 'chipId' | 'metric'> & {
  readonly picked: readonly string[];
  readonly span: { readonly from: string | null; readonly to: string | null };
};

function Trend({ chipId, metric, picked, span }: TrendProps) {
  const { chip, common } = useWords();
  const openRecord = useOpenRecord();
  const { data, error, retry } = useChipQuery({
    query: ChipTrendDocument,
    variables: { chipId, parameter: metric.name, qids: [...picked], lastN: POINTS, ...span },
  });
  const series = data?.chip?.timeseries?.series;
  const figure = useMemo(
    () =>
      series &&
      trendFigure(
        metric,
        series.map(({ qubit, points }) => ({ label: qubit.label, points })),
        common.ratings,
      ),
    [metric, series, common],
  );
  if (error && !series) return <LoadError error={error} onRetry={retry} />;
  if (!series || !figure) return <Skeleton height={300} />;
  if (series.every(({ points }) => points.length === 0)) return <Text c="dimmed">{chip.noValues}</Text>;
  return <Plot chart={figure} label={chip.trend(metric.title)} expectedHeightPx={300} onPoint={openRecord} />;
}
