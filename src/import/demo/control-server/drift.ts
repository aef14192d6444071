/** How the demo chip moves on after its last calibration: the same seed and time give the same values everywhere. */
import { noise, uniform } from '../random.ts';

/** A value as it was stored; `error` is one standard deviation. */
export type StoredValue = {
  readonly qid: string;
  readonly parameter: string;
  readonly value: number;
  readonly error: number;
  readonly unit: string;
};

/** A value as the control system has it; the unit stays. */
export type DriftedValue = StoredValue & { readonly at: Date };

const MINUTE_MS = 60_000;
/** The control system measures everything so often, each qubit at another minute. */
const EVERY_MS = 10 * MINUTE_MS;
/** Share of the values that have wandered off. */
const WANDERERS = 0.15;

/** The newest measurement at or before `now`. */
export function drifted(stored: StoredValue, seed: number, now: Date): DriftedValue {
  const { qid, parameter, value, error } = stored;
  const offsetMs = Math.floor(EVERY_MS * uniform('minute', qid));
  const run = Math.floor((now.getTime() - offsetMs) / EVERY_MS);
  const atMs = run * EVERY_MS + offsetMs;
  const moved =
    value + error * (awayBy(stored, seed, atMs) + 0.7 * noise(seed, 'noise', qid, parameter, run));
  return {
    ...stored,
    value: isFidelity(stored) ? Math.min(moved, (1 + value) / 2) : moved,
    at: new Date(atMs),
  };
}

/** In standard deviations: most values sway within one, some have moved by five to nine. Fidelities only fall. */
function awayBy({ qid, parameter, ...stored }: StoredValue, seed: number, atMs: number): number {
  const hours = 3 + 6 * uniform(seed, 'period', qid, parameter);
  const phase = 2 * Math.PI * (atMs / (60 * MINUTE_MS * hours) + uniform(seed, 'phase', qid, parameter));
  if (uniform(seed, 'wanders', qid, parameter) >= WANDERERS) return 0.8 * Math.sin(phase);
  const falls = isFidelity({ qid, parameter, ...stored }) || uniform(seed, 'falls', qid, parameter) < 0.7;
  return (falls ? -1 : 1) * (7 + 2 * Math.sin(phase));
}

const isFidelity = ({ parameter }: StoredValue): boolean => parameter.includes('fidelity');
