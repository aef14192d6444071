import { describe, expect, test } from '@jest/globals';
import type { UsableMeasurement } from '../../src/domain/values/measurement.ts';
import { comparePeriods } from '../../src/domain/values/period-comparison.ts';
import { comparisonTable } from '../../src/domain/visual-rules/value-tables.ts';
import { comparisonVisuals } from '../../src/domain/visual-rules/period-comparison.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const DAY_MS = 86_400_000;
const current = { from: new Date('2026-02-24T00:00:00Z'), to: new Date('2026-02-26T00:00:00Z') };
const previous = { from: new Date('2026-02-22T00:00:00Z'), to: current.from };

const result = (qid: string, day: number, value: number): UsableMeasurement => ({
  documentId: `${qid}-${day}`,
  chipId: 'C1',
  qid,
  taskId: 't',
  taskName: 'CheckT1',
  executionId: null,
  cooldownId: null,
  status: 'COMPLETED',
  excluded: false,
  at: new Date(previous.from.getTime() + day * DAY_MS + 3_600_000),
  value,
  error: 1,
  unit: 'μs',
});

/** Values of the four days, two in each window, by qubit; null for a day without a result. */
function visuals(days: Readonly<Record<string, readonly (number | null)[]>>, withSeries = false) {
  const measured = Object.entries(days).flatMap(([qid, values]) =>
    values.flatMap((value, day) => (value === null ? [] : [{ day, each: result(qid, day, value) }])),
  );
  const within = (first: number) =>
    measured.filter(({ day }) => day === first || day === first + 1).map(({ each }) => each);
  const comparison = comparePeriods({
    kind: 'QUBIT',
    parameter: 't1',
    metric: shippedMetrics.find('t1', 'QUBIT'),
    chipId: 'C1',
    level: 'QUBIT',
    entities: Object.keys(days).map((qid) => ({ qid, label: `Q${qid.padStart(2, '0')}` })),
    twins: [],
    muxOf: new Map(),
    timeZone: 'UTC',
    current: { ...current, measurements: within(2) },
    previous: { ...previous, measurements: within(0) },
  });
  return comparisonVisuals(comparison, withSeries);
}

const CURRENT = '2026-02-24 00:00 to 2026-02-26 00:00 UTC';
const PREVIOUS = '2026-02-22 00:00 to 2026-02-24 00:00 UTC';

describe('a window against the one before it', () => {
  test('C6: is two lines over hours elapsed, with both dates in the legend', () => {
    const [chart] = visuals({ 0: [40, 50, 60, 70] }, true);
    expect(chart).toMatchObject({
      kind: 'LINE',
      data: [
        { name: PREVIOUS, x: [1, 25], y: [40, 50] },
        { name: CURRENT, x: [1, 25], y: [60, 70] },
      ],
      layout: { xaxis: { type: 'linear' }, yaxis: { title: { text: 'Mean T1 of a day (μs)' } } },
    });
  });

  test('C7: is a pair of dots for each qubit, coloured by whether the change is good, and a table', () => {
    const [chart, table] = visuals({ 0: [40, 50, 60, 70], 1: [50, 50, 30, 30], 2: [null, null, 45, 45] });
    const color = ['#009e73', '#d55e00', '#4c6ef5'];
    expect(chart).toMatchObject({
      kind: 'BAR',
      data: [
        { mode: 'lines', x: [50, 70, null, 50, 30, null] },
        { name: PREVIOUS, x: [50, 50, null], y: ['Q00', 'Q01', 'Q02'], showlegend: true },
        { name: CURRENT, x: [70, 30, 45], marker: { color }, showlegend: false },
        { name: CURRENT },
        { name: 'better' },
        { name: 'worse' },
      ],
    });
    expect(table).toMatchObject({
      columns: [
        { label: 'Qubit' },
        { label: 'Current', unit: 'μs' },
        { label: 'Previous', unit: 'μs' },
        { label: 'Change', unit: 'μs' },
        { label: 'Change', unit: 'σ' },
        { label: 'Verdict' },
      ],
      rows: [
        { entity: 'Q00', current: 70, previous: 50, change: 20, verdict: 'better' },
        { entity: 'Q01', change: -20, verdict: 'worse' },
        { entity: 'Q02', current: 45, previous: null, change: null, sigma: null, verdict: null },
      ],
    });
  });

  test('C7: of more qubits than rows can show is the distribution of their changes', () => {
    const many = Object.fromEntries(
      Array.from({ length: 33 }, (_, qid) => [qid, [50, 50, 40 + qid, 40 + qid]]),
    );
    expect(visuals(many)[0]).toMatchObject({
      kind: 'HISTOGRAM',
      data: [
        { name: 'better', x: Array.from({ length: 22 }, (_, index) => index + 1) },
        { name: 'worse', x: Array.from({ length: 10 }, (_, index) => index - 10) },
        { name: 'neither', x: [0] },
      ],
      layout: { barmode: 'stack', xaxis: { title: { text: 'Change of T1 (μs)' } } },
    });
  });

  test('C11: where no qubit was measured in both windows, many qubits are a table and no empty chart', () => {
    const apart = Object.fromEntries(
      Array.from({ length: 33 }, (_, qid) => [
        qid,
        qid % 2 === 0 ? [50, 50, null, null] : [null, null, 50, 50],
      ]),
    );
    expect(visuals(apart).map(({ type }) => type)).toEqual(['table']);
  });
});

test('C5: several parameters of several qubits are a table with the unit in the header and nothing where nothing is', () => {
  const qubits = [
    { qid: '0', label: 'Q00' },
    { qid: '1', label: 'Q01' },
  ];
  const table = comparisonTable('Q00, Q01', qubits, [
    { name: 't1', title: 'T1', displayUnit: 'μs', values: new Map([['0', 45.2]]) },
    { name: 'f', title: 'Readout', displayUnit: '%', values: new Map([['0', null]]) },
  ]);
  expect(table).toMatchObject({
    columns: [
      { label: 'Qubit' },
      { label: 'T1', unit: 'μs', format: 'number' },
      { label: 'Readout', unit: '%', format: 'percent' },
    ],
    rows: [
      { label: 'Q00', t1: 45.2, f: null },
      { label: 'Q01', t1: null, f: null },
    ],
  });
});
