import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rate } from '../../src/domain/values/metric.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { readStoredParameter } from '../../src/domain/values/stored-parameter.ts';
import { readMetricCatalog } from '../../src/stores/catalogue/metrics-file.ts';
import { readTopologies } from '../../src/stores/catalogue/topology-files.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';

describe('ratings', () => {
  const rating = (name: string, value: number) => rate(shippedMetrics.find(name, 'QUBIT'), value);

  test.each<[string, number, string]>([
    ['t1', 100, 'EXCELLENT'],
    ['t1', 50, 'GOOD'],
    ['t1', 20, 'FAIR'],
    ['t1', 19.9, 'BAD'],
    ['anharmonicity', -330, 'EXCELLENT'],
    ['anharmonicity', -300, 'GOOD'],
    ['anharmonicity', -260, 'FAIR'],
    ['anharmonicity', -240, 'BAD'],
    ['qubit_frequency', 4.9, 'UNKNOWN'],
    ['hpi_amplitude', 0.1, 'UNKNOWN'],
    ['no_such_metric', 1, 'UNKNOWN'],
  ])('of %s at %p (as shown) is %s', (name, value, expected) => {
    expect(rating(name, value)).toBe(expected);
  });

  test.each<[string, unknown, number, string, string]>([
    ['average_readout_fidelity', { value: 0.998, unit: 'a.u.' }, 99.8, '%', 'EXCELLENT'],
    ['anharmonicity', { value: -0.3, unit: 'GHz' }, -300, 'MHz', 'GOOD'],
    ['anharmonicity', { value: -300, unit: 'MHz' }, -300, 'MHz', 'GOOD'],
    ['x90_gate_fidelity', { value: 99.95, unit: '%' }, 99.95, '%', 'EXCELLENT'],
  ])('%s stored as %p is rated as it is shown', (name, raw, shown, unit, expected) => {
    const metric = shippedMetrics.find(name, 'QUBIT');
    const value = describeParameter(readStoredParameter(name, raw), metric, new Date());
    expect(value.displayValue).toBeCloseTo(shown, 9);
    expect([value.displayUnit, value.rating]).toEqual([unit, expected]);
  });
});

describe('the topologies we ship', () => {
  test.each<[string, number, number, number, number | null]>([
    ['square-lattice-mux-16', 16, 24, 4, 4],
    ['square-lattice-mux-64', 64, 112, 8, 4],
    ['square-lattice-mux-144', 144, 264, 12, 4],
    ['square-lattice-mux-256', 256, 480, 16, 4],
    ['square-lattice-mux-1024', 1024, 1984, 32, 4],
    ['heavy-hex-27', 27, 29, 8, null],
    ['linear-16', 16, 15, 16, null],
  ])('%s has %i qubits and %i couplings', (id, qubits, couplings, gridSize, muxSize) => {
    const topology = shippedTopologies.get(id)!;
    expect([topology.positions.size, topology.couplings.length]).toEqual([qubits, couplings]);
    expect([topology.gridSize, topology.muxSize, topology.placedBy]).toEqual([
      gridSize,
      muxSize,
      'CATALOGUE',
    ]);
    const places = new Set([...topology.positions.values()].map(({ row, column }) => `${row},${column}`));
    expect(places.size).toBe(qubits);
  });

  test('couple neighbours only, each edge once, from even to odd cells', () => {
    const topology = shippedTopologies.get('square-lattice-mux-64')!;
    const edges = new Set(topology.couplings.map(([a, b]) => [a, b].toSorted().join('-')));
    expect(edges.size).toBe(112);
    for (const [control, target] of topology.couplings) {
      const [a, b] = [topology.positions.get(control)!, topology.positions.get(target)!];
      expect(Math.abs(a.row - b.row) + Math.abs(a.column - b.column)).toBe(1);
      expect((a.row + a.column) % 2).toBe(0);
    }
    expect(topology.couplings).toContainEqual(['4', '1']);
  });

  test('read four qubits by one MUX, which stand together', () => {
    const topology = shippedTopologies.get('square-lattice-mux-16')!;
    const members = [...topology.muxOf].filter(([, mux]) => mux === 1).map(([qid]) => qid);
    expect(members.map((qid) => topology.positions.get(qid))).toEqual([
      { row: 0, column: 2 },
      { row: 0, column: 3 },
      { row: 1, column: 2 },
      { row: 1, column: 3 },
    ]);
    expect(shippedTopologies.get('heavy-hex-27')!.muxOf.size).toBe(0);
  });
});

describe('a catalogue file that cannot be used', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-catalogue-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each<[string, string, RegExp]>([
    ['no YAML', 'qubit: [', /is not YAML/],
    [
      'a wrong type',
      'qubit: { t1: { title: T1, unit: us, direction: up } }\ncoupling: {}',
      /qubit\.t1\.direction/,
    ],
    [
      'an unknown field',
      'qubit: { t1: { title: T1, unit: us, direction: higher, god: 5 } }\ncoupling: {}',
      /god/,
    ],
    [
      'thresholds the wrong way round',
      'qubit: { t1: { title: T1, unit: us, direction: higher, good: 50, excellent: 20 } }\ncoupling: {}',
      /qubit\.t1: excellent, good, bad must go from better to worse/,
    ],
  ])('is named, and its place, for %s', async (_, text, message) => {
    const file = join(folder, 'metrics.yaml');
    await writeFile(file, text);
    await expect(readMetricCatalog(file)).rejects.toThrow(message);
    await expect(readMetricCatalog(file)).rejects.toThrow(file);
  });

  test('is named when it is missing', async () => {
    await expect(readMetricCatalog(join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml cannot be read/);
  });

  test('is named when a topology couples a qubit that is nowhere', async () => {
    const text =
      'id: odd\nlattice: explicit\nlayoutType: grid\ngridSize: 2\nrows: [[[0, 0]]]\ncouplings: [[[0, 9]]]';
    const topologies = join(folder, 'topologies');
    await mkdir(topologies);
    await writeFile(join(topologies, 'odd.yaml'), text);
    await expect(readTopologies(topologies)).rejects.toThrow(/odd\.yaml.*\n.*qubit 9 is in no row/);
  });
});
