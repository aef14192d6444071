import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChipTimeseries, SeriesPoint } from '../../src/domain/chip/chip-timeseries.ts';
import {
  formatDifference,
  formatNumber,
  formatQuantity,
  joinWords,
} from '../../src/domain/text/display-text.ts';
import { findOutliers } from '../../src/domain/values/outliers.ts';
import { statisticsOf } from '../../src/domain/values/statistics.ts';
import { rankingVisuals } from '../../src/domain/visual-rules/ranking.ts';
import { seriesChart } from '../../src/domain/visual-rules/series.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const point = (day: number, value: number, cooldownId = 'a'): SeriesPoint => ({
  at: new Date(Date.UTC(2026, 0, day)),
  value,
  error: 1,
  displayValue: value,
  displayError: 1,
  taskId: `t${day}`,
  taskName: 'CheckT1',
  executionId: null,
  cooldownId,
});

const history = (values: Readonly<Record<string, readonly SeriesPoint[]>>): ChipTimeseries => ({
  kind: 'QUBIT',
  parameter: 't1',
  title: 'T1',
  metric: shippedMetrics.find('t1', 'QUBIT'),
  unit: 'μs',
  displayUnit: 'μs',
  scale: 1,
  series: Object.entries(values).map(([qid, points]) => ({
    qid,
    label: `Q${qid}`,
    unit: 'μs',
    displayUnit: 'μs',
    scale: 1,
    points,
    latest: null,
    min: null,
    max: null,
    mean: null,
    trend: null,
  })),
  twins: [],
  statistics: {
    name: 't1',
    title: 'T1',
    unit: 'μs',
    displayUnit: 'μs',
    scale: 1,
    missing: 0,
    stored: statisticsOf([]),
    display: statisticsOf([]),
  },
  freshness: { source: 'SNAPSHOT', newestAt: null, oldestAt: null, staleAfterSeconds: null },
});

describe('a parameter over time', () => {
  test('is no line with one point, and no chart with more than eight qubits', () => {
    expect(seriesChart(history({ 1: [point(1, 50)] }))).toBeNull();
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [n, [point(1, 50), point(2, 51)]]));
    expect(seriesChart(history(nine))).toBeNull();
  });

  test('C1: shows only the threshold bands that reach into it', () => {
    const chart = seriesChart(history({ 1: [point(1, 60), point(2, 70)] }));
    const bands = chart!.layout['shapes'] as readonly { y0: number; y1: number }[];
    expect(bands).toHaveLength(1);
    const low = seriesChart(history({ 1: [point(1, 10), point(2, 15)] }));
    expect(low!.layout['shapes']).toHaveLength(1);
    const wide = seriesChart(history({ 1: [point(1, 10), point(2, 150)] }));
    expect(wide!.layout['shapes']).toHaveLength(3);
  });

  test('C2: is a line for each of up to eight qubits in numeric order, no two of one colour or shape', () => {
    const eight = Object.fromEntries(
      ['10', '2', '1', '3', '4', '5', '6', '7'].map((qid) => [qid, [point(1, 50), point(2, 51)]]),
    );
    const { data } = seriesChart(history(eight))!;
    expect(data.map(({ name }) => name)).toEqual(['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q10']);
    const markers = data.map(({ marker }) => marker as { color: string; symbol: string });
    expect(new Set(markers.map(({ color }) => color)).size).toBe(8);
    expect(new Set(markers.map(({ symbol }) => symbol)).size).toBe(8);
  });

  test('C1: is broken where the chip was warmed up, which is said there', () => {
    const chart = seriesChart(history({ 1: [point(1, 50, 'a'), point(2, 51, 'a'), point(3, 40, 'b')] }));
    expect(chart!.data[0]!['y']).toEqual([50, 51, null, 40]);
    expect(chart!.layout['xaxis']).toMatchObject({ type: 'date' });
    expect(chart!.layout['shapes']).toContainEqual(
      expect.objectContaining({
        x0: '2026-01-03T00:00:00.000Z',
        label: expect.objectContaining({ text: 'cool-down b' }),
      }),
    );
  });
});

test('C4: bars stand in the order of their rows, with a colour for each rating, missing errors as none', () => {
  const row = (label: string, value: number, error: number | null) =>
    ({ label, value, error, rating: 'GOOD', measuredAt: null }) as const;
  const [chart, table] = rankingVisuals({
    title: 'T1',
    metricTitle: 'T1',
    unit: 'μs',
    entity: 'Qubit',
    rows: [row('Q9', 3, 0.5), row('Q1', 1, null)],
  });
  expect(chart).toMatchObject({
    kind: 'BAR',
    data: [{ y: ['Q9', 'Q1'], x: [3, 1], error_x: { array: [0.5, null] } }, { name: 'good' }],
  });
  expect(table).toMatchObject({
    type: 'table',
    rows: [
      { label: 'Q9', error: 0.5 },
      { label: 'Q1', error: null },
    ],
  });
});

describe('C4: a ranking', () => {
  const ranked = (values: readonly number[], rating: 'GOOD' | 'BAD' = 'GOOD') =>
    values.map((value, index) => ({ label: `Q${index}`, value, error: 0.1, rating, measuredAt: null }));
  const chartOf = (rows: Parameters<typeof rankingVisuals>[0]['rows']) =>
    rankingVisuals({ title: 'F', metricTitle: 'F', unit: '%', entity: 'Qubit', rows })[0];

  test('of values that bars from zero would show as alike is dots on an axis of their own', () => {
    expect(chartOf(ranked([99.7, 99.8]))).toMatchObject({ kind: 'BAR', data: [{ type: 'scatter' }, {}] });
    expect(chartOf(ranked([30, 99]))).toMatchObject({ data: [{ type: 'bar' }, {}] });
    expect(chartOf(ranked([-320, -270]))).toMatchObject({ data: [{ type: 'scatter' }, {}] });
    expect(chartOf(ranked([-1, 1]))).toMatchObject({ data: [{ type: 'bar' }, {}] });
  });

  test('of more than 32 rows is a histogram, a colour for each rating, with the median of all', () => {
    const rows = [...ranked(Array.from({ length: 30 }, (_, n) => n + 10)), ...ranked([1, 2, 3], 'BAD')];
    expect(chartOf(rows)).toMatchObject({
      kind: 'HISTOGRAM',
      data: [
        { name: 'good', marker: { color: '#56b4e9' } },
        { name: 'bad', x: [1, 2, 3], marker: { color: '#d55e00' } },
      ],
      layout: { shapes: [{ x0: 23 }], title: { subtitle: { text: 'Dashed: median 23.00 %' } } },
    });
  });
});

describe('outliers', () => {
  const numbers = fc.array(fc.double({ min: 1, max: 100, noNaN: true }), { minLength: 5, maxLength: 40 });
  const find = (values: readonly number[]) => findOutliers(values, (value) => value).map(({ row }) => row);

  test('do not depend on the order or the scale of the values', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const sorted = (found: readonly number[]) => found.toSorted((a, b) => a - b);
        expect(sorted(find(values.toReversed()))).toEqual(sorted(find(values)));
        expect(find(values.map((value) => value * 1024)).length).toBe(find(values).length);
      }),
    );
  });

  test('are found where one value of many equal ones differs, and never among equal or few values', () => {
    expect(find([7, 7, 7, 7, 7, 7, 7, 7, 9])).toEqual([9]);
    expect(find([7, 7, 7, 7, 7])).toEqual([]);
    expect(find([1, 1, 100])).toEqual([]);
  });

  test('do not hide each other', () => {
    expect(find([50, 51, 52, 53, 54, 55, 56, 9, 8])).toEqual([8, 9]);
  });
});

test.each([
  [45.2345, 'μs', '45.23 μs'],
  [412.04, 'μs', '412.0 μs'],
  [99.951, '%', '99.951 %'],
  [98.123, '%', '98.12 %'],
  [4.72191, 'GHz', '4.7219 GHz'],
  [-311.98, 'MHz', '-312.0 MHz'],
  [0.00012, 'a.u.', '0.000120'],
  [0, '', '0.0000'],
])('%p in %s reads %s', (value, unit, text) => {
  expect(formatQuantity(value, unit)).toBe(text);
});

test.each<[number | null, string, string]>([
  [1.84, 'μs', '+1.84 μs'],
  [-68.276, 'μs', '-68.28 μs'],
  [0.000041, 'GHz', '+0.000041 GHz'],
  [-0.00003, 'GHz', '-0.00003 GHz'],
  [0.001, '%', '+0.001 %'],
  [0, '%', '0.00 %'],
  [null, 'μs', '–'],
])('a difference of %p in %s reads %s', (value, unit, text) => {
  expect(formatDifference(value, unit)).toBe(text);
});

test('nothing reads as a dash, and lists as sentences do', () => {
  expect(formatQuantity(null, 'μs')).toBe('–');
  expect(formatNumber(0.5)).toBe('0.5000');
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWords)).toEqual(['', 'a', 'a and b', 'a, b and c']);
});
