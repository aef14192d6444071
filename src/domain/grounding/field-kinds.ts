/** What the number in a field of a result says, by the field's name. */
import type { FactKind } from './fact.ts';

const VALUES = new Set(['value', 'v', 'latest', 'newest', 'current', 'previous', 'stored', 'live']);
const KINDS: Readonly<Record<string, FactKind>> = {
  error: 'error',
  mean: 'mean',
  average: 'mean',
  median: 'median',
  stdev: 'stdev',
  std: 'stdev',
  min: 'min',
  max: 'max',
  change: 'change',
  difference: 'change',
  sigma: 'sigma',
  score: 'sigma',
  min_score: 'sigma',
  threshold: 'threshold',
};
const COUNT =
  /^(?:count|missing|measured|matched|total.*|num_.+|n_.+|.+_count|size|rank|version|rows|charts|qubits|couplings|members|grid_size|mux_size|runs|queued|last_n)$/u;
const CLASS = /^(?:excellent|good|bad|poor)$/u;
const DURATION = /(?:^|_)(?:s|ms|seconds?|minutes?|hours?|days?)$|(?:Seconds|Minutes|Hours)$/u;

/** Kind of a field that is about its row's parameter; `other` for a field that is a parameter of its own. */
export function kindOfField(name: string, value: number, isCatalogue: boolean): FactKind {
  const kind = VALUES.has(name) ? 'value' : KINDS[name];
  if (kind !== undefined) return kind;
  if (CLASS.test(name)) return isCatalogue ? 'threshold' : 'count';
  if (COUNT.test(name) && Number.isInteger(value)) return 'count';
  return DURATION.test(name) ? 'duration' : 'other';
}

/** Symbol of the unit that the name of a duration ends with; seconds without one. */
export function durationUnit(name: string): string {
  const word = /(ms|minute|hour|day)s?$/iu.exec(name)?.[1]?.toLowerCase();
  return word ?? 's';
}
