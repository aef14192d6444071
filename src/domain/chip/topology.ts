/** Where qubits are and which are connected, from the catalogue or derived from the couplings of a chip. */
import { compareQids, couplingEnds, twinOf } from '../qid.ts';

/** Place of a qubit on the drawing grid, from 0 at the top left. */
export type GridPosition = { readonly row: number; readonly column: number };

/** Origin of a layout: the catalogue, the import, the chip's couplings or, without any, the numbers of its qubits. */
export type LayoutSource = 'CATALOGUE' | 'IMPORT' | 'COUPLINGS' | 'NUMBERS';

/** A chip's layout. */
export type Topology = {
  readonly topologyId: string;
  /** Side of the square drawing grid. */
  readonly gridSize: number;
  /** `grid`, `hex`, `linear`; `imported` where positions came with the chip, `derived` where they were computed. */
  readonly layoutType: string;
  /** Qubits of one multiplexed readout unit; null on chips without MUX. */
  readonly muxSize: number | null;
  /** Number of the MUX that each qubit is read out by; empty on chips without MUX. */
  readonly muxOf: ReadonlyMap<string, number>;
  /** Edges as declared; order is meaningful where a direction is. */
  readonly couplings: readonly (readonly [string, string])[];
  readonly positions: ReadonlyMap<string, GridPosition>;
  readonly placedBy: LayoutSource;
};

/** What a layout can be derived from; `positions` are used where the source of the chip gave them for every qubit. */
export type DerivationInput = {
  readonly topologyId: string | null;
  readonly qids: readonly string[];
  readonly couplingIds: readonly string[];
  readonly positions: ReadonlyMap<string, GridPosition> | null;
};

/**
 * A layout for a chip that the catalogue does not know; null without any qubit. An edge in both directions is one
 * edge.
 */
export function deriveTopology(input: DerivationInput): Topology | null {
  const qids = input.qids.toSorted(compareQids);
  if (qids.length === 0) return null;
  const couplings = undirected(input.couplingIds);
  const given = input.positions;
  const isGiven = given !== null && qids.every((qid) => given.has(qid));
  const positions = isGiven ? given : layers(qids, couplings);
  return {
    topologyId: input.topologyId ?? 'derived',
    gridSize: sideOf(positions.values()),
    layoutType: isGiven ? 'imported' : 'derived',
    muxSize: null,
    muxOf: new Map(),
    couplings,
    positions,
    placedBy: isGiven ? 'IMPORT' : couplings.length > 0 ? 'COUPLINGS' : 'NUMBERS',
  };
}

/** Remark on a derived layout; null for known positions. */
export function layoutRemark(placedBy: LayoutSource): string | null {
  switch (placedBy) {
    case 'CATALOGUE':
    case 'IMPORT':
      return null;
    case 'COUPLINGS':
      return 'layout derived from the couplings';
    case 'NUMBERS':
      return 'positions unknown, qubits in numeric order';
    default:
      return placedBy satisfies never;
  }
}

/** Side of the smallest square at the origin that holds all positions. */
export function sideOf(positions: Iterable<GridPosition>): number {
  let side = 0;
  for (const { row, column } of positions) side = Math.max(side, row + 1, column + 1);
  return side;
}

/** Qubits that share an edge with `qid` in either direction, in numeric order. */
export function neighborsOf(
  qid: string,
  couplings: readonly (readonly [string, string])[],
): readonly string[] {
  const found = couplings.flatMap(([a, b]) => (a === qid ? [b] : b === qid ? [a] : []));
  return [...new Set(found)].toSorted(compareQids);
}

function undirected(couplingIds: readonly string[]): (readonly [string, string])[] {
  const kept = new Set<string>();
  for (const id of couplingIds.toSorted(compareQids)) if (!kept.has(twinOf(id))) kept.add(id);
  return [...kept].flatMap((id) => {
    const ends = couplingEnds(id);
    return ends ? [ends] : [];
  });
}

/**
 * Breadth-first layers: from an end of the graph, each step away is one row further down; unconnected parts
 * are placed side by side. Qubits without any coupling fill a square grid, so that none is lost.
 */
function layers(
  qids: readonly string[],
  couplings: readonly (readonly [string, string])[],
): ReadonlyMap<string, GridPosition> {
  if (couplings.length === 0) return squareGrid(qids);
  const neighbors = new Map(qids.map((qid) => [qid, neighborsOf(qid, couplings)]));
  const degree = (qid: string): number => neighbors.get(qid)?.length ?? 0;
  const positions = new Map<string, GridPosition>();
  let left = 0;
  for (const start of qids.toSorted((a, b) => degree(a) - degree(b) || compareQids(a, b))) {
    if (positions.has(start)) continue;
    let layer = [start];
    let width = 0;
    for (let row = 0; layer.length > 0; row += 1) {
      layer.forEach((qid, index) => positions.set(qid, { row, column: left + index }));
      width = Math.max(width, layer.length);
      const next = layer.flatMap((qid) => neighbors.get(qid) ?? []);
      layer = [...new Set(next)].filter((qid) => neighbors.has(qid) && !positions.has(qid));
    }
    left += width;
  }
  return positions;
}

function squareGrid(qids: readonly string[]): ReadonlyMap<string, GridPosition> {
  const side = Math.ceil(Math.sqrt(qids.length));
  return new Map(qids.map((qid, index) => [qid, { row: Math.floor(index / side), column: index % side }]));
}
