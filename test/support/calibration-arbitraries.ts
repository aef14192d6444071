import fc from 'fast-check';
import type { Measurement } from '../../src/domain/values/measurement.ts';
import { TASK_STATUSES } from '../../src/domain/values/task-result.ts';

/** Numbers as instruments and databases produce them: small, huge, negative, zero. */
export const finiteNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.constantFrom(0, -0.3, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE),
);

const someTime = fc.integer({ min: 0, max: 20 }).map((hour) => new Date(Date.UTC(2026, 1, 24, hour)));

/** Results of a few qubits with every trap: ties, failed and excluded runs, missing values, NaN, no time. */
export const measurements: fc.Arbitrary<Measurement[]> = fc.uniqueArray(
  fc.record({
    documentId: fc.integer({ min: 0, max: 999 }).map((id) => id.toString(16).padStart(24, '0')),
    chipId: fc.constant('C1'),
    qid: fc.constantFrom('0', '1', '2'),
    taskId: fc.uuid(),
    taskName: fc.constantFrom('CheckT1', 'CheckT1Average'),
    executionId: fc.constant('20260224-001'),
    cooldownId: fc.constant(null),
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constant('COMPLETED' as const) },
      fc.constantFrom(...TASK_STATUSES),
    ),
    excluded: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
    at: fc.oneof({ weight: 6, arbitrary: someTime }, fc.constant(null)),
    value: fc.oneof({ weight: 6, arbitrary: finiteNumber }, fc.constantFrom(null, Number.NaN, Infinity)),
    error: fc.constant(null),
    unit: fc.constant('μs'),
  }),
  { selector: ({ documentId }) => documentId, maxLength: 30 },
);

/** The same items in another order. */
export function shuffled<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
}
