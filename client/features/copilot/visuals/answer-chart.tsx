import { Group, Modal, Paper, Text, useComputedColorScheme } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconArrowsMaximize, IconPhotoDown } from '@tabler/icons-react';
import { memo, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { isCards } from '../../../charts/card.ts';
import { captionOf, exportFigure, type ChartTheme } from '../../../charts/plotly-figure.ts';
import { chartPartsOf } from '../../../components/chart/chart-parts.ts';
import { ChartView } from '../../../components/chart/chart-view.tsx';
import { loadPlotly } from '../../../components/chart/load-plotly.ts';
import { PictureSourceContext } from '../../logbook/picture-source.ts';
import type { CopilotChartFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { VisualTool } from './visual-tool.tsx';
import classes from './visuals.module.css';

const PNG = { widthPx: 1_200, heightPx: 720, scale: 2 };
/** Heading and margins of the screen that a chart fills. */
const AROUND_PX = 120;

/** A chart of an answer. It is drawn when it first comes into view, and its place is kept until then. */
export const AnswerChart = memo(function AnswerChart({
  chart,
  tool,
  pin,
}: {
  readonly chart: CopilotChartFragment;
  /** A further button. */
  readonly tool?: ReactNode;
  /** The button that pins the chart; a chart that cannot be drawn has none. */
  readonly pin?: ReactNode;
}) {
  const { copilot, common } = useWords();
  const theme = useComputedColorScheme('light');
  const source = use(PictureSourceContext);
  const [isExpanded, setExpanded] = useState(false);
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (inViewport) setSeen(true);
  }, [inViewport]);
  const isFigure = !isCards(chart.kind);
  const isBroken = useMemo(() => isFigure && chartPartsOf(chart) === null, [chart, isFigure]);
  const isDrawing = isFigure && !isBroken;
  return (
    <Paper
      withBorder
      p="sm"
      className={classes['visual']}
      component="section"
      aria-label={chart.title}
      ref={ref}
    >
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" fw={600}>
          {chart.title}
        </Text>
        <Group gap={2} wrap="nowrap">
          {tool}
          {!isBroken && pin}
          {isDrawing && (
            <>
              <VisualTool
                label={copilot.savePng(chart.title)}
                onClick={() => void savePng(chart, theme, source)}
              >
                <IconPhotoDown size={16} />
              </VisualTool>
              <VisualTool label={copilot.expand(chart.title)} onClick={() => setExpanded(true)}>
                <IconArrowsMaximize size={16} />
              </VisualTool>
            </>
          )}
        </Group>
      </Group>
      <div className={isDrawing && !wasSeen ? classes['place'] : undefined}>
        {isBroken ? (
          <Text size="sm" c="dimmed">
            {copilot.brokenChart}
          </Text>
        ) : (
          (wasSeen || !isDrawing) && <ChartView chart={chart} />
        )}
      </div>
      <Modal
        opened={isExpanded}
        onClose={() => setExpanded(false)}
        fullScreen
        title={chart.title}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {isExpanded && <ChartView chart={chart} heightPx={innerHeight - AROUND_PX} />}
      </Modal>
    </Paper>
  );
});

async function savePng(chart: CopilotChartFragment, theme: ChartTheme, source: string): Promise<void> {
  const parts = chartPartsOf(chart);
  if (parts === null) return;
  const plotly = await loadPlotly();
  const { title } = chart;
  const { widthPx, heightPx, scale } = PNG;
  const caption = [captionOf(parts.layout), source].filter(Boolean).join(' · ');
  const { sizePx, ...figure } = exportFigure(parts, { title, caption, theme, widthPx, heightPx });
  await plotly.downloadImage(figure, { ...sizePx, scale, format: 'png', filename: title });
}
