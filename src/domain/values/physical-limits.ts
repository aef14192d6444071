/** What no chip can reach: values and times beyond it are mistakes of the software that wrote them. */
import { unitFactor } from './units.ts';

type Limit = { readonly of: RegExp; readonly most: number; readonly unit: string };

/** The largest size that a parameter can have, by its name. Far from what is good, and from what is possible today. */
const LIMITS: readonly Limit[] = [
  { of: /^t[12](?:_|$)/u, most: 1e5, unit: 'μs' },
  { of: /_(?:length|time)$/u, most: 1e7, unit: 'ns' },
  { of: /_frequency$/u, most: 100, unit: 'GHz' },
  { of: /^anharmonicity$/u, most: 10, unit: 'GHz' },
  { of: /^(?:static_zz_interaction|coupling_strength)$/u, most: 1, unit: 'GHz' },
];

/** Sizes that nobody has reported yet, though somebody may one day. */
const UNHEARD: readonly Limit[] = [{ of: /^t[12](?:_|$)/u, most: 1e4, unit: 'μs' }];

/** No chip was measured before. Clocks that were never set, and missing times, say 1970. */
const EARLIEST = new Date('1990-01-01T00:00:00Z');

/** Clocks differ, and days begin at different times. */
const AHEAD_MS = 86_400_000;

/** Why a parameter cannot have this size; null if it can, or if nothing is known about it. */
export function beyondLimit(parameter: string, value: number, unit: string): string | null {
  const limit = exceeded(LIMITS, parameter, value, unit);
  return limit && `${value} ${unit} is impossible: at most ${limit.most} ${limit.unit}`;
}

/** Why this size of a parameter is doubtful; null if it is not, or if nothing is known about it. */
export function unheardOf(parameter: string, value: number, unit: string): string | null {
  const limit = exceeded(UNHEARD, parameter, value, unit);
  return (
    limit && `${value} ${unit} is longer than any known qubit keeps its state: ${limit.most} ${limit.unit}`
  );
}

const exceeded = (limits: readonly Limit[], parameter: string, value: number, unit: string): Limit | null =>
  limits.find(({ of, most, unit: limitUnit }) => {
    const factor = of.test(parameter) ? unitFactor(unit, limitUnit) : null;
    return factor !== null && Math.abs(value * factor) > most;
  }) ?? null;

/** Completes "its time …": why nothing can have been measured at `at`; null if it can. */
export function impossibleTime(at: Date, now: Date): string | null {
  if (at < EARLIEST) return 'is of a time without such chips';
  return at.getTime() > now.getTime() + AHEAD_MS ? 'is in the future' : null;
}
