/** Kinds of numbers in results by the names of their fields, and counts of rows that a result does not state. */
import { type FactKind, fact, nounAt, type Fact } from './fact.ts';
import { isRecord } from '../values/stored-values.ts';

const VALUES = new Set([
  'value',
  'v',
  'latest',
  'newest',
  'current',
  'previous',
  'before',
  'after',
  'stored',
  'live',
]);
const KINDS: Readonly<Record<string, FactKind>> = {
  error: 'error',
  mean: 'mean',
  average: 'mean',
  median: 'median',
  median_before: 'median',
  median_after: 'median',
  stdev: 'stdev',
  std: 'stdev',
  min: 'min',
  max: 'max',
  change: 'change',
  difference: 'change',
  sigma: 'sigma',
  score: 'sigma',
  contribution: 'sigma',
  min_score: 'sigma',
  threshold: 'threshold',
};
const COUNT =
  /^(?:count|missing|measured|matched|total.*|num_.+|n_.+|.+_count|size|rank|version|rows|charts|qubits|couplings|members|grid_size|mux_size|runs|queued|last_n|parts(?:_before|_after)?|matching|compared|moved|better|worse|significant|not_remeasured|rated|best_score)$/u;
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

/** Fields that put rows in classes, which people count. */
const CLASS_FIELDS = ['rating', 'status', 'trend', 'verdict', 'name', 'task_name'];

/** How many rows the list under `key` has, and how many of each class. */
export function countFacts(
  rows: readonly unknown[],
  key: string | null,
  { callId, chipId, subject }: Pick<Fact, 'callId' | 'chipId' | 'subject'>,
): readonly Fact[] {
  const noun = key === null ? null : nounAt(key.replace(/^num_/u, ''));
  const count = (value: number, tag: string | null): Fact =>
    fact({ callId, chipId, subject, kind: 'count', value, noun, tag, isComputed: true });
  const classes = new Map<string, number>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    for (const field of CLASS_FIELDS) {
      const name = row[field];
      if (typeof name === 'string')
        classes.set(name.toLowerCase(), (classes.get(name.toLowerCase()) ?? 0) + 1);
    }
    for (const field of ['better', 'excluded', 'is_stale']) {
      if (typeof row[field] === 'boolean') {
        const tag = row[field] ? field : `not ${field}`;
        classes.set(tag, (classes.get(tag) ?? 0) + 1);
      }
    }
  }
  return [count(rows.length, null), ...[...classes].map(([tag, value]) => count(value, tag))];
}
