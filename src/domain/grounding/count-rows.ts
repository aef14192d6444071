/** Counts that a result does not state: rows of its lists, and rows of each class. */
import { isRecord } from '../values/stored-values.ts';
import { fact, nounAt, type Fact } from './fact.ts';

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
