import { Button, Group, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { plotlyFigure, type ChartParts } from '../../charts/plotly-figure.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import classes from './chart.module.css';
import { loadPlotly } from './load-plotly.ts';

/** Where in a chart someone clicked, in the units of its axes; `customdata` as the figure gives it for the point. */
export type ChartPoint = { readonly x: unknown; readonly y: unknown; readonly customdata: unknown };

type PlotProps = {
  readonly chart: ChartParts;
  /** What it shows, for screen readers. */
  readonly label: string;
  /** Height to keep free until it is drawn. */
  readonly expectedHeightPx?: number;
  /** Height to fill; the chart's own by default. */
  readonly heightPx?: number | undefined;
  readonly onPoint?: (point: ChartPoint) => void;
};

/**
 * A figure drawn by Plotly as wide as its place, in the colours of the page; redrawn when any of them
 * changes. Where Plotly cannot be loaded, it shows an error and a retry button.
 */
export function Plot({ chart, label, expectedHeightPx = 340, heightPx, onPoint }: PlotProps) {
  const { ref: place, width } = useElementSize();
  const drawing = useRef<HTMLDivElement>(null);
  const listener = useRef(onPoint);
  const plotly = useRef<Plotly | null>(null);
  const [state, setState] = useState<'waiting' | 'drawn' | 'missing'>('waiting');
  const [attempt, setAttempt] = useState(0);
  const theme = useComputedColorScheme('light');
  const widthPx = Math.floor(width);
  useEffect(() => {
    listener.current = onPoint;
  }, [onPoint]);
  useEffect(() => {
    const element = drawing.current;
    if (element === null || widthPx === 0) return;
    const left = new AbortController();
    const drawWith = async (loaded: Plotly): Promise<void> => {
      plotly.current = loaded;
      if (left.signal.aborted) return;
      const size = { theme, widthPx, ...(heightPx !== undefined && { heightPx }) };
      await draw(loaded, element, chart, size, (point) => listener.current?.(point));
      if (!left.signal.aborted) setState('drawn');
    };
    // Once it is there it draws at once: paper, which has colours of its own, waits for nothing.
    const drawn = plotly.current === null ? loadPlotly().then(drawWith) : drawWith(plotly.current);
    drawn.catch(() => left.signal.aborted || setState('missing'));
    return () => left.abort();
  }, [chart, theme, widthPx, heightPx, attempt]);
  useEffect(() => {
    const element = drawing.current;
    return () => void (element && plotly.current?.purge(element));
  }, []);
  return (
    <div
      ref={place}
      className={classes['place']}
      style={state === 'drawn' ? undefined : { minHeight: expectedHeightPx }}
      role="group"
      aria-label={label}
      aria-busy={state === 'waiting'}
    >
      {state === 'waiting' && <Skeleton className={classes['waiting'] ?? ''} />}
      {state === 'missing' && (
        <Missing
          onRetry={() => {
            setState('waiting');
            setAttempt(attempt + 1);
          }}
        />
      )}
      <div ref={drawing} className={classes['drawing']} data-clickable={onPoint !== undefined} />
    </div>
  );
}

function Missing({ onRetry }: { readonly onRetry: () => void }) {
  const { common } = useWords();
  return (
    <Group role="alert">
      <Text size="sm">{common.noPlotly}</Text>
      <Button size="compact-xs" variant="default" onClick={onRetry}>
        {common.retry}
      </Button>
    </Group>
  );
}

type Plotly = Awaited<ReturnType<typeof loadPlotly>>;

async function draw(
  plotly: Plotly,
  element: HTMLElement,
  chart: ChartParts,
  place: Parameters<typeof plotlyFigure>[1],
  onPoint: (point: ChartPoint) => void,
): Promise<void> {
  const { data, layout, config } = plotlyFigure(chart, place);
  const plot = await plotly.react(element, data, layout, { ...config, responsive: false });
  plot.removeAllListeners?.('plotly_click');
  plot.on(
    'plotly_click',
    ({ points: [point] }) => point && onPoint({ x: point.x, y: point.y, customdata: point.customdata }),
  );
}
