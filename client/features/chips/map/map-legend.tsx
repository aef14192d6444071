import { Text } from '@mantine/core';
import type { Format } from '../../../lib/format/format.ts';
import type { Words } from '../../../lib/i18n/words.ts';
import { STATE_COLORS, type ColorScale } from './map-colors.ts';
import { stateCounts, type MapMetric, type MapPart } from './map-model.ts';
import { differenceText } from './map-text.ts';
import classes from './map.module.css';

/** What the colours of qubits or couplings mean. */
export type Legend = {
  readonly title: string;
  /** Null where colours are those of the states. */
  readonly scale: { readonly colors: readonly string[]; readonly low: string; readonly high: string } | null;
  readonly states: readonly { readonly color: string; readonly text: string }[];
  readonly note: string;
};

/** The legend of one kind of parts. */
export function legendOf(
  parts: readonly MapPart[],
  metric: MapMetric,
  {
    scale,
    isCompared,
    words,
    format,
  }: {
    readonly scale: ColorScale | null;
    readonly isCompared: boolean;
    readonly words: Words;
    readonly format: Format;
  },
): Legend {
  const { map } = words.chip;
  const text = (value: number): string =>
    isCompared ? differenceText(value, metric.unit, format) : format.quantity(value, metric.unit);
  return {
    title: isCompared ? map.changeOf(metric.title) : metric.title,
    scale: scale && { colors: scale.colors, low: text(scale.low), high: text(scale.high) },
    // Where values are coloured, only what is marked needs a word.
    states: stateCounts(parts)
      .filter(([state]) => scale === null || state !== 'ENABLED')
      .map(([state, count]) => ({
        color: STATE_COLORS[state],
        text: `${map.states[state]} ${format.count(count)}`,
      })),
    note: scale && scale.outside > 0 ? map.outside(scale.outside) : '',
  };
}

/** The legends below the map. */
export function MapLegends({ legends }: { readonly legends: readonly Legend[] }) {
  return (
    <div className={classes['legends']}>
      {legends.map(({ title, scale, states, note }) => (
        <div key={title} className={classes['legend']}>
          <Text span size="xs" fw={600}>
            {title}
          </Text>
          {scale && (
            <>
              <span>{scale.low}</span>
              <span
                aria-hidden
                style={{
                  width: 120,
                  height: 11,
                  background: `linear-gradient(to right, ${scale.colors.join(',')})`,
                }}
              />
              <span>{scale.high}</span>
            </>
          )}
          {states.map(({ color, text }) => (
            <span key={text} className={classes['legend']}>
              {scale === null && (
                <span className={classes['swatch']} style={{ background: color }} aria-hidden />
              )}
              {text}
            </span>
          ))}
          {note !== '' && (
            <Text span size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </div>
      ))}
    </div>
  );
}
