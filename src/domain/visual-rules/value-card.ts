import { formatTime } from '../display-text.ts';
import type { ParameterValue } from '../parameter-value.ts';
import type { ChartSpec } from '../visuals.ts';

/** A single number as a card with its error and time (rule C8); null for what is not a number. */
export function valueCard(label: string, parameter: ParameterValue): ChartSpec | null {
  const { title: name, displayValue, displayError, displayUnit, calibratedAt } = parameter;
  if (displayValue === null) return null;
  const title = `${name} of ${label}`;
  const notes = [
    ...(displayError ? [`± ${displayError.toPrecision(2)} ${displayUnit}`] : []),
    ...(calibratedAt === null ? [] : [formatTime(calibratedAt)]),
  ];
  return {
    type: 'chart',
    kind: 'INDICATOR',
    title,
    data: [
      {
        type: 'indicator',
        mode: 'number',
        value: displayValue,
        number: { valueformat: '.4~g', suffix: displayUnit === '' ? '' : ` ${displayUnit}` },
        title: { text: [title, ...notes].join('<br>') },
      },
    ],
    layout: {},
  };
}
