/** Regular chips, built from a few numbers. */
import type { GridPosition, Topology } from './topology.ts';

/** Qubits of one side of a MUX in the square lattice. */
const MUX_SIDE = 2;

/**
 * Square lattice read out in MUX of 2 by 2, as QDash numbers it: MUX row by row over the lattice, qubits row by row
 * within a MUX. Each edge is [control, target], where control is the qubit whose row and column add up to an even
 * number.
 */
export function squareMuxLattice(topologyId: string, side: number): Topology {
  const muxPerRow = side / MUX_SIDE;
  const muxSize = MUX_SIDE * MUX_SIDE;
  const numberAt = (row: number, column: number): number => {
    const mux = Math.floor(row / MUX_SIDE) * muxPerRow + Math.floor(column / MUX_SIDE);
    return mux * muxSize + (row % MUX_SIDE) * MUX_SIDE + (column % MUX_SIDE);
  };
  const cells = Array.from({ length: side * side }, (_, index) => {
    const [row, column] = [Math.floor(index / side), index % side];
    return { row, column, number: numberAt(row, column) };
  }).toSorted((a, b) => a.number - b.number);
  const couplings = cells.flatMap(({ row, column, number }) => {
    const others = [
      ...(column + 1 < side ? [numberAt(row, column + 1)] : []),
      ...(row + 1 < side ? [numberAt(row + 1, column)] : []),
    ];
    const isControl = (row + column) % 2 === 0;
    return others.map((other) => (isControl ? edge(number, other) : edge(other, number)));
  });
  return {
    topologyId,
    gridSize: side,
    layoutType: 'grid',
    muxSize,
    muxOf: new Map(cells.map(({ number }) => [String(number), Math.floor(number / muxSize)])),
    couplings,
    positions: new Map(cells.map(({ row, column, number }) => [String(number), { row, column }])),
    placedBy: 'CATALOGUE',
  };
}

/** A chain in one row. */
export function linearLattice(topologyId: string, length: number): Topology {
  const qubits = Array.from({ length }, (_, index) => index);
  return {
    topologyId,
    gridSize: length,
    layoutType: 'linear',
    muxSize: null,
    muxOf: new Map(),
    couplings: qubits.slice(1).map((index) => edge(index - 1, index)),
    positions: new Map(
      qubits.map((index): [string, GridPosition] => [String(index), { row: 0, column: index }]),
    ),
    placedBy: 'CATALOGUE',
  };
}

const edge = (control: number, target: number): readonly [string, string] => [
  String(control),
  String(target),
];
