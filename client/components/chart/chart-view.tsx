import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { cardsOf, type Card } from '../../charts/card.ts';
import { captionOf } from '../../charts/plotly-figure.ts';
import type { ChartViewFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { chartPartsOf } from './chart-parts.ts';
import { Plot, type ChartPoint } from './plot.tsx';
import { useAnswerText } from './use-visual-words.ts';

/** A chart of the server: drawn by Plotly, or as cards. The caller sets its heading; the caption is shown here. */
export function ChartView({
  chart,
  heightPx,
  onPoint,
}: {
  readonly chart: ChartViewFragment;
  /** Height to fill; the chart's own by default. */
  readonly heightPx?: number;
  readonly onPoint?: (point: ChartPoint) => void;
}) {
  const { common } = useWords();
  const cards = useMemo(() => cardsOf(chart), [chart]);
  const parts = useMemo(() => chartPartsOf(chart), [chart]);
  if (cards !== null) return cards.map((card) => <FigureCard key={card.heading + card.value} card={card} />);
  if (parts === null) return <Text c="dimmed">{common.cannotLoad}</Text>;
  const caption = captionOf(parts.layout);
  return (
    <figure style={{ margin: 0 }}>
      {caption !== null && (
        <Text component="figcaption" size="xs" c="dimmed" mb={4}>
          {caption}
        </Text>
      )}
      <Plot chart={parts} label={chart.title} heightPx={heightPx} {...(onPoint && { onPoint })} />
    </figure>
  );
}

function FigureCard({ card }: { readonly card: Card }) {
  const read = useAnswerText();
  return (
    <div>
      <Text size="xs" c="dimmed">
        {read(card.heading)}
      </Text>
      <Text fz={28} fw={600} lh={1.2}>
        {card.value}
        <Text span size="sm" c="dimmed" ml={6}>
          {read(card.unit)}
        </Text>
      </Text>
      {card.notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {read(note)}
        </Text>
      ))}
    </div>
  );
}
