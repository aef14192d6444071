import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { importIbmSnapshot } from '../../src/import/ibm-backend.ts';
import { mergeChip, mergeEntity, mergeTaskResult } from '../../src/import/merge.ts';
import type { TaskResultDocument } from '../../src/import/documents.ts';
import { gate, NOW, record, snapshotOf } from './ibm-snapshots.ts';

const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T06:00:00Z`;

/** A snapshot of day `at` whose T1 was measured on day `measured`, whose gate on day `gated` (error 1: disabled). */
const snapshots = fc.array(
  fc.record({
    at: fc.integer({ min: 15, max: 28 }),
    measured: fc.integer({ min: 1, max: 14 }),
    t1: fc.integer({ min: 20, max: 22 }),
    gated: fc.integer({ min: 1, max: 14 }),
    gateError: fc.constantFrom(0.01, 0.02, 1),
  }),
  { minLength: 1, maxLength: 6 },
);

type Sample = { at: number; measured: number; t1: number; gated: number; gateError: number };

const importOf = ({ at, measured, t1, gated, gateError }: Sample) =>
  importIbmSnapshot(
    snapshotOf({
      at: day(at),
      qubits: [[record('T1', t1, 'us', day(measured)), record('T2', 30, 'us', day(gated))], []],
      gates: [gate('ecr', [0, 1], gateError, day(gated))],
    }),
    'p',
    'tiny',
    NOW,
  ).documents;

/** What a database would hold after importing `samples` in order. */
function stateAfter(samples: readonly Sample[]) {
  const [first, ...rest] = samples.map(importOf);
  const results = new Map<string, TaskResultDocument>();
  for (const { taskResults } of [first!, ...rest]) {
    for (const result of taskResults) {
      const stored = results.get(result.task_id);
      results.set(result.task_id, stored ? mergeTaskResult(stored, result) : result);
    }
  }
  return {
    qubit: rest.reduce((stored, { qubits }) => mergeEntity(stored, qubits[0]!), first!.qubits[0]!),
    coupling: rest.reduce(
      (stored, { couplings }) => mergeEntity(stored, couplings[0]!),
      first!.couplings[0]!,
    ),
    chip: rest.reduce((stored, { chip }) => mergeChip(stored, chip), first!.chip),
    results: Object.fromEntries(results),
  };
}

describe('importing snapshots', () => {
  test('leaves the same state in every order', () => {
    fc.assert(
      fc.property(
        snapshots.chain((samples) =>
          fc.tuple(
            fc.constant(samples),
            fc.shuffledSubarray(samples, { minLength: samples.length, maxLength: samples.length }),
          ),
        ),
        ([samples, shuffled]) => {
          expect(stateAfter(shuffled)).toEqual(stateAfter(samples));
        },
      ),
    );
  });

  test('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(snapshots, (samples) => {
        expect(stateAfter([...samples, ...samples])).toEqual(stateAfter(samples));
      }),
    );
  });

  test('makes current what was measured last, whichever snapshot has it', () => {
    fc.assert(
      fc.property(snapshots, (samples) => {
        const newest = Math.max(...samples.map(({ measured }) => measured));
        expect(stateAfter(samples).qubit.data['t1']?.calibrated_at).toEqual(new Date(day(newest)));
      }),
    );
  });

  test('makes what was recorded last of a gate current, be it a value or the mark of a disabled one', () => {
    fc.assert(
      fc.property(snapshots, (samples) => {
        const value = stateAfter(samples).coupling.data['zx90_gate_fidelity']?.value;
        const newest = Math.max(...samples.map(({ gated }) => gated));
        const last = samples.flatMap(({ gated, gateError }) => (gated === newest ? [1 - gateError] : []));
        expect(last).toContain(value);
      }),
    );
  });

  test('counts a mark again that an importer excluded before, and leaves what a person excluded', () => {
    const sample = { at: 20, measured: 3, t1: 20, gated: 5, gateError: 1 };
    const mark = importOf(sample).taskResults.find(({ task_type }) => task_type === 'coupling')!;
    // Versions before 0.3 wrote no doubts of their own.
    const { import_doubt: _doubt, ...written } = mark;
    const excludedBy = (excluded_by: string) =>
      mergeTaskResult(
        { ...written, excluded: true, excluded_by, excluded_reason: 'because' } as TaskResultDocument,
        mark,
      );
    expect(excludedBy('qpilot')).toEqual(mark);
    expect(excludedBy('rin')).toMatchObject({ excluded: true, excluded_by: 'rin' });
  });
});
