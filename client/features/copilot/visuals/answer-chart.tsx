import { ActionIcon, Group, Modal, Paper, Text, Tooltip } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconArrowsMaximize, IconPhotoDown } from '@tabler/icons-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { isCards } from '../../../charts/card.ts';
import { chartPartsOf } from '../../../components/chart/chart-parts.ts';
import { ChartView } from '../../../components/chart/chart-view.tsx';
import { loadPlotly } from '../../../components/chart/load-plotly.ts';
import type { CopilotChartFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './visuals.module.css';

const PNG_SIZE = { width: 1200, height: 720, scale: 2 };

/** A chart of an answer. It is drawn when it first comes into view, and its place is kept until then. */
export const AnswerChart = memo(function AnswerChart({ chart }: { readonly chart: CopilotChartFragment }) {
  const { copilot, common } = useWords();
  const box = useRef<HTMLDivElement>(null);
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
        {isDrawing && (
          <Group gap={2} wrap="nowrap">
            <Tool label={copilot.savePng(chart.title)} onClick={() => void savePng(box.current, chart.title)}>
              <IconPhotoDown size={16} />
            </Tool>
            <Tool label={copilot.expand(chart.title)} onClick={() => setExpanded(true)}>
              <IconArrowsMaximize size={16} />
            </Tool>
          </Group>
        )}
      </Group>
      <div ref={box} className={isDrawing && !wasSeen ? classes['place'] : undefined}>
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
        {isExpanded && <ChartView chart={chart} />}
      </Modal>
    </Paper>
  );
});

function Tool({
  label,
  onClick,
  children,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

async function savePng(box: HTMLElement | null, title: string): Promise<void> {
  const plot = box?.querySelector<HTMLElement>('.js-plotly-plot');
  if (!plot) return;
  const plotly = await loadPlotly();
  await plotly.downloadImage(plot, { ...PNG_SIZE, format: 'png', filename: title });
}
