import { Skeleton, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { plotlyFigure, type ChartParts } from '../../charts/plotly-figure.ts';
import classes from './chart.module.css';
import { loadPlotly } from './load-plotly.ts';

/** Where in a chart someone clicked, in the units of its axes. */
export type ChartPoint = { readonly x: unknown; readonly y: unknown };

type PlotProps = {
  readonly chart: ChartParts;
  /** What it shows, for people who do not see it. */
  readonly label: string;
  /** Height to keep free until it is drawn. */
  readonly expectedHeightPx?: number;
  readonly onPoint?: (point: ChartPoint) => void;
};

/** A figure drawn by Plotly as wide as its place, in the colours of the page; drawn anew when any of them changes. */
export function Plot({ chart, label, expectedHeightPx = 340, onPoint }: PlotProps) {
  const { ref: place, width } = useElementSize();
  const drawing = useRef<HTMLDivElement>(null);
  const listener = useRef(onPoint);
  const [isDrawn, setDrawn] = useState(false);
  const theme = useComputedColorScheme('light');
  const widthPx = Math.floor(width);
  useEffect(() => {
    listener.current = onPoint;
  }, [onPoint]);
  useEffect(() => {
    const element = drawing.current;
    if (element === null || widthPx === 0) return;
    const left = new AbortController();
    void draw(element, chart, { theme, widthPx }, left.signal, (point) => listener.current?.(point)).then(
      () => left.signal.aborted || setDrawn(true),
    );
    return () => left.abort();
  }, [chart, theme, widthPx]);
  useEffect(() => {
    const element = drawing.current;
    return () => void (element && loadPlotly().then((plotly) => plotly.purge(element)));
  }, []);
  return (
    <div
      ref={place}
      className={classes['place']}
      style={isDrawn ? undefined : { minHeight: expectedHeightPx }}
      role="group"
      aria-label={label}
      aria-busy={!isDrawn}
    >
      {!isDrawn && <Skeleton className={classes['waiting'] ?? ''} />}
      <div ref={drawing} className={classes['drawing']} data-clickable={onPoint !== undefined} />
    </div>
  );
}

async function draw(
  element: HTMLElement,
  chart: ChartParts,
  place: Parameters<typeof plotlyFigure>[1],
  signal: AbortSignal,
  onPoint: (point: ChartPoint) => void,
): Promise<void> {
  const plotly = await loadPlotly();
  if (signal.aborted) return;
  const { data, layout, config } = plotlyFigure(chart, place);
  const plot = await plotly.react(element, data, layout, { ...config, responsive: false });
  plot.removeAllListeners?.('plotly_click');
  plot.on('plotly_click', ({ points: [point] }) => point && onPoint({ x: point.x, y: point.y }));
}
