/** Whether a stored value is physically possible for its metric. */
import { displayScale, isDisabledMark, type Metric } from './metric.ts';
import { beyondLimit, unheardOf } from './physical-limits.ts';
import { unitFactor } from './units.ts';

/** See the fields of the same names of `MeasuredValue`. */
export type Judgement = { readonly doubt: string | null; readonly unusable: string | null };

const FINE: Judgement = { doubt: null, unusable: null };
const unusable = (reason: string): Judgement => ({ doubt: null, unusable: reason });
const doubtful = (reason: string): Judgement => ({ doubt: reason, unusable: null });

/** Judges `value`, in `unit` as stored. Of what the catalogue does not know, nothing is known to be wrong. */
export function judge(value: number, unit: string, metric: Metric | null): Judgement {
  if (metric === null || isDisabledMark(metric, value * displayScale(metric, unit))) return FINE;
  const percent = metric.unit === '%' ? value * displayScale(metric, unit) : null;
  return judgeNamed(metric.name, value, unit, percent);
}

/** As {@link judge}, by the parameter's name; `percent` is the value of a fidelity in percent, null for all others. */
export function judgeNamed(
  parameter: string,
  value: number,
  unit: string,
  percent: number | null = null,
): Judgement {
  if (percent !== null) {
    if (percent < 0 || percent > 100) return unusable(`a fidelity of ${value} is not a probability`);
    const isGuess = parameter.includes('readout') && percent <= 50;
    return isGuess ? doubtful('distinguishes the states no better than a coin toss') : FINE;
  }
  const beyond = beyondLimit(parameter, value, unit);
  if (beyond !== null) return unusable(beyond);
  if (parameter === 'anharmonicity') {
    if (value === 0) return unusable('an anharmonicity of 0 was not measured');
    return value > 0 ? doubtful('a transmon has a negative anharmonicity') : FINE;
  }
  const isDuration = unitFactor(unit, 's') !== null;
  if ((isDuration || parameter.endsWith('_frequency')) && value <= 0) {
    return unusable(`${value} is not a ${isDuration ? 'duration' : 'frequency'}`);
  }
  const unheard = unheardOf(parameter, value, unit);
  return unheard === null ? FINE : doubtful(unheard);
}
