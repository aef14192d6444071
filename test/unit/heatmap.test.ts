import { describe, expect, test } from '@jest/globals';
import { qubitValue } from '../../src/domain/chip/chip-metric.ts';
import { deriveTopology, type Topology } from '../../src/domain/chip/topology.ts';
import { cellText, metricHeatmap } from '../../src/domain/visual-rules/heatmap.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';

const topology = shippedTopologies.get('square-lattice-mux-16')!;
const rows = (metricName: string, values: Readonly<Record<string, number | null>>) => {
  const metric = shippedMetrics.find(metricName, 'QUBIT')!;
  const at = new Date('2026-02-24T00:00:00Z');
  return Object.entries(values).map(([qid, value]) => {
    const reduced = {
      value: value ?? 0,
      unit: '',
      error: null,
      measuredAt: at,
      taskId: 't',
      taskName: 'CheckT1',
      cooldownId: null,
      runs: 1,
      newerFailure: null,
    };
    return qubitValue(
      { qid, label: `Q${qid.padStart(2, '0')}` },
      value === null ? undefined : reduced,
      metric,
    );
  });
};
const heatmap = (metricName: string, values: Readonly<Record<string, number | null>>, shape = topology) =>
  metricHeatmap(shippedMetrics.find(metricName, 'QUBIT')!, rows(metricName, values), shape);

describe('the heatmap of a metric', () => {
  test('puts every qubit where it is on the chip, in display scale', () => {
    const { data, kind, title } = heatmap('average_readout_fidelity', {
      '0': 0.98,
      '1': 0.97,
      '2': 0.96,
      '5': 0.5,
    });
    expect([kind, title]).toEqual(['HEATMAP', 'Average Readout Fidelity']);
    expect(data[0]!['z']).toEqual([
      [98, 97, null, 50],
      [96, null, null, null],
    ]);
  });

  test('C3: hatches a qubit without a value and says N/A; it is never 0', () => {
    const { data, layout } = heatmap('t1', { '0': 40, '1': null });
    expect(data[0]!['z']).toEqual([[40, null]]);
    expect(data[0]!['text']).toEqual([['Q00<br>40.00 μs<br>2026-02-24 00:00 UTC', 'N/A']]);
    expect(data[1]).toMatchObject({ x: [0], y: [0], text: ['Q00<br>40.00<br>μs'] });
    expect(data[2]).toMatchObject({
      x: [1],
      y: [0],
      text: ['Q01<br>N/A'],
      hovertext: ['Q01<br>no usable result'],
    });
    expect(layout['shapes']).toContainEqual(expect.objectContaining({ type: 'path' }));
  });

  test('its colours run over the usual values, and a caption counts those beyond', () => {
    const usual = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [index, 60 + index]));
    const { data, layout } = heatmap('t1', { ...usual, '12': 500 });
    expect(data[0]).toMatchObject({ zmin: 60, zmax: 71 });
    expect(layout['title']).toMatchObject({
      text: 'T1 (μs)',
      subtitle: { text: '1 outlier beyond the ends of the colour scale' },
    });
  });

  test('its words are black on bright cells and white on dark ones, whichever way is better', () => {
    const colours = (name: string) => heatmap(name, { '0': 1, '1': 2 }).data[1]!['textfont'];
    expect(colours('t1')).toMatchObject({ color: ['#ffffff', '#000000'] });
    expect(colours('anharmonicity')).toMatchObject({ color: ['#000000', '#ffffff'] });
  });

  test('outlines each MUX of the topology', () => {
    const shapes = heatmap('t1', { '0': 40 }).layout['shapes'];
    expect(shapes).toHaveLength(4);
    expect(shapes).toContainEqual(expect.objectContaining({ x0: 1.5, x1: 3.5, y0: -0.5, y1: 1.5 }));
  });

  test('turns the colours round where less is better', () => {
    const scaleOf = (name: string) => {
      const { colorscale, reversescale } = heatmap(name, { '0': 1 }).data[0]!;
      return [colorscale, reversescale];
    };
    expect(scaleOf('t1')).toEqual(['Viridis', false]);
    expect(scaleOf('anharmonicity')).toEqual(['Viridis', true]);
    expect(scaleOf('qubit_frequency')).toEqual(['Cividis', false]);
  });

  test('of an empty chip, or one of unknown shape, is a chart all the same', () => {
    const shape = deriveTopology({
      topologyId: null,
      qids: ['0', '1', 'x'],
      couplingIds: [],
      positions: null,
    })!;
    const derived = heatmap('t1', { '0': 40, '1': null, x: 41 }, shape);
    expect(derived.data[0]!['z']).toEqual([
      [40, null],
      [41, null],
    ]);
    expect(derived.title).toBe('T1: positions unknown, qubits in numeric order');
    expect(metricHeatmap(shippedMetrics.find('t1', 'QUBIT')!, [], null).data[0]!['z']).toEqual([[null]]);
  });

  test('says where its places are from unless they are known', () => {
    const input = { topologyId: null, qids: ['0', '1'], couplingIds: ['0-1'], positions: null };
    const positions = new Map(input.qids.map((qid, column) => [qid, { row: 0, column }]));
    const titleOf = (topology: Topology | null) => heatmap('t1', { '0': 40, '1': 41 }, topology!).title;
    expect(titleOf(deriveTopology(input))).toBe('T1: layout derived from the couplings');
    expect(titleOf(deriveTopology({ ...input, positions }))).toBe('T1');
  });

  test('tells of qubits that the layout does not place', () => {
    expect(heatmap('t1', { '0': 40, '99': 41 }).title).toBe(
      'T1: 1 qubits without a known position are not drawn',
    );
  });

  test('survives a round trip as JSON', () => {
    const chart = heatmap('t1', { '0': 40, '1': null });
    expect(JSON.parse(JSON.stringify(chart))).toEqual(chart);
  });
});

test.each([
  [99.123, '%', '99.12%'],
  [4.91234, 'GHz', '4.912<br>GHz'],
  [48.371, '\u03BCs', '48.37<br>μs'],
  [48.371, '\u00B5s', '48.37<br>μs'],
  [30.5, 'ns', '30.50<br>ns'],
  [0.1234, 'a.u.', '0.123<br>a.u.'],
])('a cell shows %p %s as %p', (value, unit, text) => {
  expect(cellText(value, unit)).toBe(text);
});
