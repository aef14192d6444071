import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deriveTopology, neighborsOf } from '../../src/domain/chip/topology.ts';

const derive = (qids: readonly string[], couplingIds: readonly string[]) =>
  deriveTopology({ topologyId: 'lab-7', qids, couplingIds, positions: null });

describe('a layout derived from couplings', () => {
  test('says that it is derived, and keeps an edge in both directions as one', () => {
    expect(derive(['0', '1', '2'], ['0-1', '1-0', '2-1'])).toMatchObject({
      topologyId: 'lab-7',
      layoutType: 'derived',
      placedBy: 'COUPLINGS',
      muxSize: null,
      couplings: [
        ['0', '1'],
        ['2', '1'],
      ],
    });
  });

  test('uses places that came with the chip if they are there for every qubit', () => {
    const positions = new Map([['0', { row: 2, column: 3 }]]);
    const input = { topologyId: null, couplingIds: [], positions };
    expect(deriveTopology({ ...input, qids: ['0'] })).toMatchObject({
      gridSize: 4,
      positions,
      layoutType: 'imported',
      placedBy: 'IMPORT',
    });
    const partly = deriveTopology({ ...input, qids: ['0', '1'] })!;
    expect([partly.positions.size, partly.placedBy]).toEqual([2, 'NUMBERS']);
  });

  test('puts neighbours of a chain into neighbouring rows', () => {
    const { positions } = derive(['0', '1', '2'], ['0-1', '1-2'])!;
    expect(['0', '1', '2'].map((qid) => positions.get(qid)!.row)).toEqual([0, 1, 2]);
  });

  test('gives every qubit a place of its own, for any number and any couplings', () => {
    const graph = fc.integer({ min: 1, max: 40 }).chain((size) => {
      const qubit = fc.nat(size - 1);
      return fc.tuple(fc.constant(size), fc.array(fc.tuple(qubit, qubit), { maxLength: 60 }));
    });
    fc.assert(
      fc.property(graph, ([size, pairs]) => {
        const qids = Array.from({ length: size }, (_, index) => String(index));
        const topology = derive(
          qids,
          pairs.map((pair) => pair.join('-')),
        )!;
        const places = [...topology.positions.values()].map(({ row, column }) => `${row},${column}`);
        expect(new Set(places).size).toBe(size);
        for (const { row, column } of topology.positions.values()) {
          expect(Math.max(row, column)).toBeLessThan(topology.gridSize);
        }
      }),
    );
  });

  test('of no qubits is none', () => {
    expect(derive([], [])).toBeNull();
  });
});

test('neighbours are those of either direction, in numeric order', () => {
  expect(
    neighborsOf('2', [
      ['10', '2'],
      ['2', '3'],
      ['3', '2'],
      ['4', '5'],
    ]),
  ).toEqual(['3', '10']);
});
