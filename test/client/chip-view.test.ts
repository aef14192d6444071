import { describe, expect, test } from '@jest/globals';
import {
  MAX_PICKED,
  readView,
  togglePicked,
  writeView,
  type ChipView,
} from '../../client/features/chips/chip-view.ts';
import { distributionFigure, trendFigure } from '../../client/features/chips/metric-figures.ts';
import { lineageFigure } from '../../client/features/qubits/lineage-figure.ts';
import {
  displayError,
  parameterErrorText,
  parameterText,
} from '../../client/features/qubits/parameter-text.ts';

const USUAL: ChipView = {
  metric: null,
  selection: 'LATEST',
  windowHours: null,
  picked: [],
  couplings: null,
  byState: false,
  against: null,
  times: null,
};
const view: ChipView = { ...USUAL, metric: 't1', selection: 'BEST', windowHours: 168, picked: ['3', '0'] };

describe('the view of a chip in the address', () => {
  test('comes back as it was written', () => {
    expect(writeView(view).toString()).toBe('metric=t1&take=BEST&hours=168&qubits=3%2C0');
    expect(readView(writeView(view))).toEqual(view);
  });

  test('what is as usual is left out, and nonsense is as usual', () => {
    expect(writeView(USUAL).toString()).toBe('');
    const nonsense = 'take=WORST&hours=3&qubits=x,,-1&since=yesterday&color=blue';
    expect(readView(new URLSearchParams(nonsense))).toEqual(USUAL);
  });

  test.each([
    [{ couplings: 'cz_gate_fidelity', byState: true }, 'couplings=cz_gate_fidelity&color=state'],
    [{ against: { kind: 'CHIP', chipId: 'torino' } }, 'chip=torino'],
    [{ against: { kind: 'TIME', time: 168 } }, 'since=168h'],
    [{ times: { kind: 'LAST', hours: 36 } }, 'time=36h'],
    [{ against: { kind: 'TIME', time: '2025-02-01' } }, 'since=2025-02-01'],
  ] as const)('what the map shows comes back: %j', (change, query) => {
    expect(writeView({ ...USUAL, ...change }).toString()).toBe(query);
    expect(readView(new URLSearchParams(query))).toEqual({ ...USUAL, ...change });
  });

  test('a qubit is picked once, put back, and the first makes room', () => {
    expect(togglePicked(['1'], '2')).toEqual(['1', '2']);
    expect(togglePicked(['1', '2'], '1')).toEqual(['2']);
    const full = Array.from({ length: MAX_PICKED }, (_, qid) => String(qid));
    expect(togglePicked(full, '99')).toEqual([...full.slice(1), '99']);
    expect(readView(new URLSearchParams(`qubits=1,1,${full.join(',')}`)).picked).toHaveLength(MAX_PICKED);
  });
});

const ratings = { EXCELLENT: 'Excellent', GOOD: 'Good', BAD: 'Bad' };
const t1 = {
  title: 'T1',
  unit: 'μs',
  direction: 'HIGHER_IS_BETTER',
  good: 50,
  excellent: 100,
  bad: 20,
} as const;

describe('figures', () => {
  const point = (value: number, error: number | null = null) => ({
    __typename: 'SeriesPoint' as const,
    at: '2026-05-01T00:00:00Z',
    value,
    error,
    taskId: 'task-1',
  });
  const series = (...values: readonly number[]) => ({
    label: 'Q03',
    points: values.map((value) => point(value, 5)),
  });
  const bands = (layout: Readonly<Record<string, unknown>>) =>
    (layout['shapes'] as { y0: number; y1: number }[]).map(({ y0, y1 }) => [y0, y1]);

  test('the bands of a trend end where its range ends, and its error bars are within', () => {
    const { layout } = trendFigure(t1, [series(10, 110)], ratings);
    const [low, high] = (layout['yaxis'] as { range: [number, number] }).range;
    expect(low).toBeLessThan(5);
    expect(high).toBeGreaterThan(115);
    expect(bands(layout)).toEqual([
      [100, high],
      [50, 100],
      [low, 20],
    ]);
  });

  test('where less is better the bands lie the other way', () => {
    const error = { ...t1, direction: 'LOWER_IS_BETTER', excellent: 20, good: 50, bad: 100 } as const;
    const { layout } = trendFigure(error, [series(10, 110)], ratings);
    const [low, high] = (layout['yaxis'] as { range: [number, number] }).range;
    expect(bands(layout)).toEqual([
      [low, 20],
      [20, 50],
      [100, high],
    ]);
  });

  test('a metric without good or bad has no bands, and no values no range', () => {
    expect(trendFigure({ ...t1, direction: 'NEUTRAL' }, [series(1)], ratings).layout['shapes']).toEqual([]);
    expect(trendFigure(t1, [series()], ratings).layout).not.toHaveProperty('yaxis.range');
  });

  test('a distribution shows the thresholds that lie among its values', () => {
    const { layout } = distributionFigure(t1, [40, 60], { counted: 'Qubits', ratings });
    expect((layout['shapes'] as { x0: number }[]).map(({ x0 }) => x0)).toEqual([50]);
  });

  test('a lineage goes back to the left, and names are only names', () => {
    const entity = {
      __typename: 'ProvenanceNode' as const,
      kind: 'ENTITY' as const,
      nodeId: 'value',
      depth: 0,
      qid: '3',
      parameter: '<b>t1',
      taskName: '',
      taskId: 'task-1',
      value: 60,
      unit: 'μs',
      version: 4,
      status: null,
      at: null,
    };
    const activity = {
      ...entity,
      kind: 'ACTIVITY' as const,
      nodeId: 'task',
      depth: 1,
      parameter: null,
      taskName: 'CheckT1',
    };
    const { data } = lineageFigure({
      nodes: [entity, activity],
      edges: [
        {
          __typename: 'ProvenanceEdge' as const,
          source: 'value',
          target: 'task',
          relation: 'WAS_GENERATED_BY',
        },
      ],
    });
    // The arrow leads from the task to the value that it made.
    expect(data[0]).toMatchObject({
      x: [-1, 0, null],
      marker: { symbol: 'arrow', angleref: 'previous', size: [0, 10, 0] },
    });
    expect(data[1]).toMatchObject({
      text: ['&lt;b>t1 3', 'CheckT1'],
      hovertext: ['60.00 μs<br>v4', 'CheckT1'],
    });
  });
});

describe('values of parameters', () => {
  const fidelity = {
    value: 0.9748,
    displayValue: 97.48,
    displayUnit: '%',
    error: 0.0015,
    text: null,
  };

  test('an error of the stored scale is shown in the shown one', () => {
    expect(displayError(fidelity)).toBeCloseTo(0.15, 6);
    expect([parameterText(fidelity), parameterErrorText(fidelity)]).toEqual(['97.48%', '0.15']);
  });

  test('what is no number is told as its text, and no error is none', () => {
    const text = { ...fidelity, value: null, displayValue: null, text: 'unstable' };
    expect([parameterText(text), parameterErrorText(text)]).toEqual(['unstable', null]);
    expect(displayError({ ...fidelity, error: 0 })).toBeNull();
  });
});
