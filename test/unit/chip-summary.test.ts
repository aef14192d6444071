import { describe, expect, test } from '@jest/globals';
import { summarizeChip } from '../../src/domain/chip/chip-summary.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { readStoredParameters } from '../../src/domain/values/stored-parameter.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const now = new Date('2026-02-25T00:00:00Z');
const summarize = (qubits: Readonly<Record<string, object>>, shown: readonly string[] | null = null) =>
  summarizeChip({
    qubits: Object.entries(qubits).map(([qid, data]) => ({
      qid,
      lastSeenAt: null,
      parameters: readStoredParameters(data).map((stored) =>
        describeParameter(stored, shippedMetrics.find(stored.name, 'QUBIT'), now),
      ),
    })),
    couplings: [],
    shown,
    metrics: shippedMetrics,
    now,
  });
const t1 = (value: unknown) => ({ value, unit: 'μs', calibrated_at: new Date('2026-02-24T00:00:00Z') });

describe('a chip summary', () => {
  test('scores 3, 2, 1 and 0 for excellent, good, fair and bad values and labels the mean', () => {
    const { health } = summarize({
      '0': { t1: t1(120) },
      '1': { t1: t1(60) },
      '2': { t1: t1(30) },
      '3': { t1: t1(5) },
    });
    expect(health).toMatchObject({
      score: 1.5,
      label: 'FAIR',
      excellent: 1,
      good: 1,
      poor: 2,
      fair: 1,
      bad: 1,
    });
    expect(health.problems).toMatchObject([
      { qid: '3', parameter: 't1', value: 5, unit: 'μs', rating: 'BAD', threshold: 20, severity: 1.5 },
      { qid: '2', parameter: 't1', value: 30, unit: 'μs', rating: 'FAIR', threshold: 50, severity: 20 / 30 },
    ]);
  });

  test.each([
    [[120, 120], 'EXCELLENT'],
    [[120, 60], 'EXCELLENT'],
    [[60, 60], 'GOOD'],
    [[60, 30], 'FAIR'],
    [[30, 5, 5], 'POOR'],
    [[], 'UNKNOWN'],
  ])('of T1 values %p is %s', (values, label) => {
    const qubits = Object.fromEntries(values.map((value, qid) => [qid, { t1: t1(value) }]));
    expect(summarize(qubits).health.label).toBe(label);
  });

  test('does not score frequencies', () => {
    const { health } = summarize({ '0': { qubit_frequency: { value: 4.9, unit: 'GHz' } } });
    expect(health).toMatchObject({ score: null, label: 'UNKNOWN', excellent: 0, good: 0, poor: 0 });
  });

  test('has null statistics where nothing is a number, and counts what is missing', () => {
    const { parameters } = summarize({ '0': { t1: t1(Number.NaN) }, '1': { t1: t1(true) }, '2': {} });
    expect(parameters).toMatchObject([
      { name: 't1', missing: 3, stored: { count: 0, mean: null, median: null } },
    ]);
  });

  test('tells by parameter how many rated values are too old, as many as the health does', () => {
    const at = (day: string, value: number) => ({ ...t1(value), calibrated_at: new Date(day) });
    const frequency = { value: 4.9, unit: 'GHz', calibrated_at: new Date('2025-01-01T00:00:00Z') };
    const { old, health } = summarize({
      '0': { t1: at('2026-01-03T00:00:00Z', 90), qubit_frequency: frequency },
      '1': { t1: at('2026-01-02T00:00:00Z', 80) },
      '2': { t1: t1(70) },
    });
    expect(old).toEqual([
      { kind: 'QUBIT', parameter: 't1', title: 'T1', count: 2, oldestAt: new Date('2026-01-02T00:00:00Z') },
    ]);
    expect(health.components.find(({ name }) => name === 'AGE')?.count).toBe(2);
  });

  test('of some parameters has figures, health, problems and age of these alone', () => {
    const old = { ...t1(10), calibrated_at: new Date('2026-01-01T00:00:00Z') };
    const [all, one] = [null, ['t1']].map((shown) =>
      summarize({ '0': { t1: t1(120), t2_echo: old } }, shown),
    );
    expect(all).toMatchObject({ health: { score: 1.5, problems: [{ parameter: 't2_echo' }] } });
    expect(one).toMatchObject({ health: { score: 3, label: 'EXCELLENT', problems: [] } });
    expect([all?.parameters.length, one?.parameters.length]).toEqual([2, 1]);
    expect(one?.freshness.oldestAt).toEqual(new Date('2026-02-24T00:00:00Z'));
  });

  test('gives statistics as stored and as shown, metrics in the order of the catalogue', () => {
    const { parameters } = summarize({
      '0': { zz: 1, t1: t1(50), anharmonicity: { value: -0.3, unit: 'GHz' } },
    });
    expect(parameters.map(({ name }) => name)).toEqual(['anharmonicity', 't1', 'zz']);
    expect(parameters[0]).toMatchObject({
      unit: 'GHz',
      displayUnit: 'MHz',
      stored: { mean: -0.3 },
      display: { mean: -300 },
    });
  });

  test('takes qubit ids of any kind, numbers first', () => {
    const { rows } = summarize({ spare: { t1: t1(1) }, '10': { t1: t1(1) }, '2': { t1: t1(1) } });
    expect(rows.map(({ qid }) => qid)).toEqual(['2', '10', 'spare']);
  });

  test('says how old its values are and when they count as stale', () => {
    const { freshness, rows } = summarize({
      '0': { t1: t1(50) },
      '1': { t1: { ...t1(50), calibrated_at: new Date('2026-01-01T00:00:00Z') } },
    });
    expect(freshness).toEqual({
      source: 'SNAPSHOT',
      newestAt: new Date('2026-02-24T00:00:00Z'),
      oldestAt: new Date('2026-01-01T00:00:00Z'),
      staleAfterSeconds: 48 * 3600,
    });
    expect(rows.map(({ parameters }) => parameters[0]!.isStale)).toEqual([false, true]);
  });
});
