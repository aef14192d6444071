/** Single numbers as cards (C8 of docs/chart-rules.md). */
import { componentWords, type ChipHealth } from '../chip/chip-health.ts';
import { formatNumber, formatTime } from '../text/display-text.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';
import { errorText, plainText } from './drawing.ts';
import { ratingText } from './table.ts';

/** A single number with its error, time and rating; null for what is not a number. */
export function valueCard(label: string, parameter: ParameterValue): ChartSpec | null {
  const { title: name, displayValue, displayError, displayUnit: unit, calibratedAt, rating } = parameter;
  if (displayValue === null) return null;
  const rated = ratingText(rating);
  return cardChart({
    title: `${name} of ${label}`,
    value: displayValue,
    shown: formatNumber(displayValue, unit),
    unit,
    notes: [
      ...(displayError ? [`± ${errorText(displayError)}${unit === '' ? '' : ` ${unit}`}`] : []),
      ...(rated === null ? [] : [rated]),
      ...(calibratedAt === null ? [] : [formatTime(calibratedAt)]),
    ],
    gauge: null,
  });
}

/** A chip's health score; null where nothing is rated. */
export function healthCard(chipId: string, health: ChipHealth): ChartSpec | null {
  const { score, label, components } = health;
  if (score === null) return null;
  return cardChart({
    title: `Health of ${chipId}: ${label.toLowerCase()}`,
    value: score,
    shown: score.toFixed(2),
    unit: 'of 3',
    notes: components.map(componentWords),
    gauge: [0, 3],
  });
}

type CardWords = {
  readonly title: string;
  readonly value: number;
  /** The value as displayed. */
  readonly shown: string;
  readonly unit: string;
  /** Below the number, a line each. */
  readonly notes: readonly string[];
  readonly gauge: readonly [number, number] | null;
};

/**
 * One `indicator` trace, which the whole of Plotly can draw and its cartesian bundle cannot. A client without it
 * makes a card of the chart's title and, of the trace, `meta.value`, `number.suffix` and `meta.notes`, which are
 * plain text.
 */
function cardChart({ title, value, shown, unit, notes, gauge }: CardWords): ChartSpec {
  const trace: JsonObject = {
    type: 'indicator',
    mode: gauge === null ? 'number' : 'number+gauge',
    value,
    number: { valueformat: '.4~g', suffix: unit === '' ? '' : ` ${plainText(unit)}` },
    ...(gauge !== null && { gauge: { axis: { range: gauge }, shape: 'bullet' } }),
    title: { text: [title, ...notes].map(plainText).join('<br>') },
    meta: { value: shown, notes },
  };
  return { type: 'chart', kind: 'INDICATOR', title, data: [trace], layout: {} };
}
