/** What no chip can reach: values and times beyond it are mistakes of the software that wrote them. */
import { unitFactor } from './units.ts';

/** The largest size that a parameter can have, by its name. Far from what is good, and from what is possible today. */
const LIMITS: readonly { readonly of: RegExp; readonly most: number; readonly unit: string }[] = [
  { of: /^t[12](?:_|$)/u, most: 1e6, unit: 'μs' },
  { of: /_(?:length|time)$/u, most: 1e7, unit: 'ns' },
  { of: /_frequency$/u, most: 100, unit: 'GHz' },
  { of: /^anharmonicity$/u, most: 10, unit: 'GHz' },
  { of: /^(?:static_zz_interaction|coupling_strength)$/u, most: 1, unit: 'GHz' },
];

/** No chip was measured before. Clocks that were never set, and missing times, say 1970. */
const EARLIEST = new Date('1990-01-01T00:00:00Z');

/** Clocks differ, and days begin at different times. */
const AHEAD_MS = 86_400_000;

/** Why a parameter cannot have this size; null if it can, or if nothing is known about it. */
export function beyondLimit(parameter: string, value: number, unit: string): string | null {
  for (const { of, most, unit: limitUnit } of LIMITS) {
    const factor = of.test(parameter) ? unitFactor(unit, limitUnit) : null;
    if (factor !== null && Math.abs(value * factor) > most) {
      return `${value} ${unit} is impossible: at most ${most} ${limitUnit}`;
    }
  }
  return null;
}

/** Completes "its time …": why nothing can have been measured at `at`; null if it can. */
export function impossibleTime(at: Date, now: Date): string | null {
  if (at < EARLIEST) return 'is of a time without such chips';
  return at.getTime() > now.getTime() + AHEAD_MS ? 'is in the future' : null;
}
